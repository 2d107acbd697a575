import { conditionalDelete, conditionalPut } from '../../../../shared/db/conditional-write.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomText } from '../../../../shared/db/ids.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import { pruneShareFilesJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import type { StoredShare } from '../record/share.ts';

/*
 * Objects and the table can't be written in one transaction. So an entry that prunes the share is written before any object
 * is, and the transaction that lists the objects cancels it (decisions.md#files-of-a-share).
 */

/** When the objects of a share are compared with its list. */
export interface PruneEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** Tells entries of the same time apart. */
  readonly entry: string;
}

/** Longer than any request runs: what it has put and not listed by then never is. */
const requestMs = 2 * 3_600_000;

/** Creates an entry that is due at a time (ms since 1970). */
export const createPruneEntry = (id: string, dueAt: number): PruneEntry => ({
  id,
  at: new Date(dueAt).toISOString(),
  entry: createRandomText(6),
});

/** Creates the write of an entry, with what else is due then. */
export const prunesWrite = (
  entry: PruneEntry,
  also: Readonly<Record<string, unknown>> = {},
): Write => ({
  Put: { TableName: tableName(), Item: { ...also, ...entry, ...shareKeys.prune.at(entry) } },
});

/** Schedules the pruning of a share whose objects are about to be put. */
export const schedulePrune = async (id: string): Promise<PruneEntry> => {
  const entry = createPruneEntry(id, Date.now() + requestMs);
  await conditionalPut({
    Item: { ...entry, ...shareKeys.prune.at(entry) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return entry;
};

/** Creates the write that cancels an entry, for the transaction that lists the objects. */
export const cancelPruneWrite = (entry: PruneEntry): Write => ({
  Delete: {
    TableName: tableName(),
    Key: shareKeys.prune.at(entry),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/**
 * Replaces an entry by another, after which no transaction can cancel it: one that is still on its way is refused then. Returns
 * whether none has come first. Never throws: what was put is pruned later.
 */
export const replaceEntry = async (entry: PruneEntry): Promise<boolean> => {
  try {
    await schedulePrune(entry.id);
    const { written } = await conditionalDelete({
      Key: shareKeys.prune.at(entry),
      ConditionExpression: 'attribute_exists(pk)',
    });
    return written;
  } catch (error) {
    getLogger().warn('Object deletion deferred', { error: serializeError(error) });
    return false;
  }
};

/** Creates the write that leads to the deletion of a share’s objects, for the transaction that deletes its list. */
export const pruneShareWrite = (
  { id, files }: Pick<StoredShare, 'id' | 'files'>,
  { isGone }: { readonly isGone: boolean },
): Write | undefined => files && enqueueWrite(pruneShareFilesJob, { id, isGone });
