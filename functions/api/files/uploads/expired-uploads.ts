import { systemAudit } from '../../../../shared/audit/audit-log.ts';
import { dueItemsQuery, processDue } from '../../../../shared/lists/process-items.ts';
import { isExpired } from '../record/file.ts';
import { find, retryOnChange, write } from '../record/files.ts';
import { fileKeys } from '../record/keys.ts';

const expireIfDue = (id: number): Promise<true> =>
  retryOnChange(async () => {
    const current = await find(id);
    // The index is eventually consistent: the upload may be complete or deleted.
    if (current?.status !== 'uploading' || !isExpired(current)) return true;
    return (await write(current, undefined, systemAudit('file.expire'))) || undefined;
  });

/** Deletes uploads that were not completed in time and releases their reserved storage. Safe to repeat. */
export const expireUploads = (): Promise<void> =>
  processDue(dueItemsQuery(fileKeys.uploadEnds.partition().pk, Date.now()), ({ id }) =>
    expireIfDue(id as number),
  );
