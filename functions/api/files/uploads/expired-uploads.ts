import { systemAudit } from '../../../../shared/audit/audit-log.ts';
import { keys } from '../../../../shared/db/table.ts';
import { dueItemsQuery, processDue } from '../../../../shared/lists/process-items.ts';
import { isExpired } from '../record/file.ts';
import { find, untilDone, write } from '../record/files.ts';

const expireIfDue = (id: number): Promise<true> =>
  untilDone(async () => {
    const seen = await find(id);
    // The index lags: it may name what is complete or gone.
    if (seen?.status !== 'uploading' || !isExpired(seen)) return true;
    return (await write(seen, undefined, systemAudit('file.expire'))) || undefined;
  });

/** Gives up the uploads that were not completed in time, and gives back what they had reserved. */
export const expireUploads = (): Promise<void> =>
  processDue(dueItemsQuery(keys.fileUploadEnds('', 0).pk, Date.now()), ({ id }) =>
    expireIfDue(id as number),
  );
