import type * as z from 'zod';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { batchDelete } from '../../../../shared/db/batch-delete.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { partitionQuery } from '../../../../shared/db/query.ts';
import {
  createItemWrite,
  type Step,
  transact,
  type Write,
} from '../../../../shared/db/transaction.ts';
import { enqueueOrThrow } from '../../../../shared/jobs/queue.ts';
import { processItems } from '../../../../shared/lists/process-items.ts';
import { userExistsCheck } from '../../../../shared/users/person.ts';
import { shareReadersJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { parseShare, retryOnConflict, type StoredShare } from '../record/share.ts';
import {
  getReaders,
  parseReader,
  type ReaderEntry,
  removeReaderWrites,
  unlistWrites,
} from './entries.ts';
import { leaveShare } from './leave.ts';
import { notifyReaders } from './notify.ts';

type Change = z.output<(typeof shareReadersJob)['data']>;

/** A user whom a share names or named. */
interface Reader {
  readonly userId: number;
  readonly exists: boolean;
  readonly entry: ReaderEntry | undefined;
}

/** Reads a share, and what those have who may be its readers. */
const readReaders = async ({ id, added, removed }: Change) => {
  const [record] = await batchGet([shareKeys.record.at({ id })]);
  const share = parseShare(record);
  const userIds = [...new Set([...getReaders(share), ...added, ...removed])];
  const items = await batchGet(
    userIds.flatMap((userId) => [
      userKeys.record.at({ id: userId }),
      shareKeys.reader.at({ userId, id }),
    ]),
  );
  const readers = userIds.map(
    (userId, at): Reader => ({
      userId,
      exists: items[2 * at] !== undefined,
      entry: parseReader(items[2 * at + 1]),
    }),
  );
  return { share, readers };
};

/** Requires that a share names those whom it named when it was read. */
const unchangedCheck = (id: string, audienceId: string | undefined): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: shareKeys.record.at({ id }),
    ...(audienceId === undefined
      ? { ConditionExpression: 'attribute_not_exists(audienceId)' }
      : {
          ConditionExpression: 'audienceId = :audienceId',
          ExpressionAttributeValues: { ':audienceId': audienceId },
        }),
  },
});

/** Creates the writes after which a user has what a reader has, or nothing. */
const toWrites = (
  share: StoredShare | undefined,
  { id, at: sharedAt }: Change,
  { userId, exists, entry }: Reader,
): readonly Write[] => {
  if (!share || !getReaders(share).includes(userId)) {
    return entry ? removeReaderWrites(userId, entry) : [];
  }
  const hasEnded = share.endedAt !== undefined;
  if (entry) return hasEnded && !entry.isUnlisted ? unlistWrites(userId, entry) : [];
  if (!exists) return [];
  const listed = { id, ownerId: share.ownerId };
  return [
    userExistsCheck(userId),
    createItemWrite(shareKeys.reader.at({ userId, id }), {
      id,
      sharedAt,
      ...(hasEnded && { isUnlisted: true }),
    }),
    ...(hasEnded ? [] : [createItemWrite(shareKeys.received.at({ userId, sharedAt, id }), listed)]),
  ];
};

/** A reader takes three items of a transaction, which is limited to 100. */
const readersAtOnce = 30;

/** Writes what readers have. Returns `undefined` if the share or one of them has changed. */
const writeEntries = async (
  change: Change,
): Promise<Awaited<ReturnType<typeof readReaders>> | undefined> => {
  const found = await readReaders(change);
  const { share, readers } = found;
  const perReader = readers.map((reader) => toWrites(share, change, reader));
  const due = perReader.filter((writes) => writes.length > 0);
  for (let start = 0; start < due.length; start += readersAtOnce) {
    const writes = due.slice(start, start + readersAtOnce).flat();
    const steps = [unchangedCheck(change.id, share?.audienceId), ...writes].map(
      (write): Step<'changed'> => ({ write, refused: 'changed' }),
    );
    if (await transact(steps)) return undefined;
  }
  return found;
};

/** How long one job deletes the marks of those who removed a share from their list. */
const budgetMs = 20_000;

/** Deletes the marks of those who removed a share for all members from their list. Returns whether all are deleted. */
const deleteHidden = async (id: string): Promise<boolean> => {
  let isDeleted = true;
  const { pk } = shareKeys.hiddenBy.partition({ id });
  const isAtEnd = await processItems(
    partitionQuery({ pk, ofIndex: true }, false),
    async (items) => {
      isDeleted = (await batchDelete(items as object as readonly Key[])) && isDeleted;
    },
    { deadline: Date.now() + budgetMs },
  );
  return isAtEnd && isDeleted;
};

/**
 * Brings the lists of readers in line with a share as it is now: entries of those whom it names, none of others. Takes
 * removed users out of its readers, and notifies those who were added. Safe to repeat.
 */
export const reconcileReaders = async (change: Change): Promise<void> => {
  const { id, added } = change;
  const { share, readers } = await retryOnConflict(() => writeEntries(change));
  const named = getReaders(share);
  for (const { userId, exists } of readers) {
    if (!exists && named.includes(userId)) await leaveShare(userId, id);
  }
  if (added.length > 0) await notifyReaders(change);
  if (share?.membersSince !== undefined || (await deleteHidden(id))) return;
  await enqueueOrThrow(shareReadersJob, { ...change, added: [], removed: [] });
};
