import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import type { ListKey } from '../../../../shared/db/query.ts';
import { runEach } from '../../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { isExpired } from '../record/file.ts';
import { find, retryOnConflict, write } from '../record/files.ts';
import { fileKeys } from '../record/keys.ts';

const expireIfDue = ({ id }: ListKey): Promise<true> =>
  retryOnConflict(async () => {
    const current = await find(id as number);
    // The index is eventually consistent: the upload may be complete or deleted.
    if (current?.status !== 'uploading' || !isExpired(current)) return true;
    return (await write(current, undefined, systemRecorder('file.expire'))) || undefined;
  });

const getOwner = ({ ownerId }: ListKey) => ownerId;

/** Deletes uploads that were not completed in time and releases their reserved storage, an owner's one after another. */
export const unfinishedUploads: ScheduledWork = {
  name: 'unfinished-uploads',
  due: fileKeys.uploadEnds,
  run: (items, bound) => runEach(items, expireIfDue, bound, getOwner),
};
