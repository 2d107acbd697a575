import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { startAt } from '../../../../shared/db/query.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { type Bound, processItemsFrom } from '../../../../shared/lists/process-items.ts';
import { auditUpdated } from '../record/audit.ts';
import { shareKeys } from '../record/keys.ts';
import { parseShare, retryOnConflict, type StoredShare } from '../record/share.ts';
import { parseReader, removeReaderWrites, withoutReader } from './entries.ts';

/** Takes a removed user out of the readers of a share, with what the user has as one. */
export const leaveShare = (userId: number, id: string): Promise<true> =>
  retryOnConflict(async () => {
    const [record, reader] = await batchGet([
      shareKeys.record.at({ id }),
      shareKeys.reader.at({ userId, id }),
    ]);
    const share = parseShare(record);
    const entry = parseReader(reader);
    const entryWrites = entry ? removeReaderWrites(userId, entry) : [];
    const named = share && withoutReader(share, userId);
    if (!named) {
      if (entryWrites.length > 0) await transact(entryWrites);
      return true;
    }
    const fields = {
      ...named,
      updatedAt: new Date().toISOString(),
      version: share.version + 1,
    };
    const refused = await transact([
      {
        write: updateFields(shareKeys.record.at({ id }), fields, versionCondition(share.version)),
        refused: 'changed',
      },
      {
        write: updateFields(
          shareKeys.access.at({ id }),
          { audienceId: named.audienceId },
          { expression: 'attribute_exists(pk)' },
        ),
        refused: 'changed',
      },
      ...entryWrites,
      ...systemRecorder('share.update').steps(
        auditUpdated(share, { ...share, ...fields } as StoredShare),
      ),
    ]);
    return refused ? undefined : true;
  });

/** Takes a removed user out of the readers of all shares. Returns whether all are done. */
export const leaveShares = async (userId: number, bound: Bound): Promise<boolean> => {
  const { isAtEnd } = await processItemsFrom(
    startAt(shareKeys.reader.prefix({ userId })),
    undefined,
    async (items) => {
      for (const { id } of items) await leaveShare(userId, id as string);
    },
    bound,
  );
  return isAtEnd;
};
