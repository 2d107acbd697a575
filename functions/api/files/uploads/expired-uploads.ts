import { systemChange } from '../../../../shared/audit/audit-log.ts';
import { keys } from '../../../../shared/db/table.ts';
import { dueBefore, workOff } from '../../../../shared/lists/process-items.ts';
import { isOver } from '../record/file.ts';
import { find, untilDone, write } from '../record/files.ts';

const giveUpIfOver = (id: number): Promise<true> =>
  untilDone(async () => {
    const seen = await find(id);
    // The index lags: it may name what is complete or gone.
    if (seen?.status !== 'uploading' || !isOver(seen)) return true;
    return (await write(seen, undefined, systemChange('file.expire'))) || undefined;
  });

/** Gives up the uploads that were not completed in time, and gives back what they had reserved. */
export const giveUpUploads = (): Promise<void> =>
  workOff(dueBefore(keys.fileUploadEnds('', 0).pk, Date.now()), ({ id }) =>
    giveUpIfOver(id as number),
  );
