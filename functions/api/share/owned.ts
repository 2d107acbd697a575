import { userKeys } from '../../../shared/auth/keys.ts';
import { isSuspended, parseUser } from '../../../shared/auth/user.ts';
import { countSteps } from '../../../shared/counters/counter.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import type { Key } from '../../../shared/db/key.ts';
import { countItems, startAt } from '../../../shared/db/query.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { maxCountedMatches } from '../../../shared/lists/pagination.ts';
import {
  type Bound,
  processItemsFrom,
  type WalkResult,
} from '../../../shared/lists/process-items.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import {
  type OwnedCount,
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import { deleteShareOf } from './ending/delete.ts';
import { deleteRequestsOf } from './intake/removal.ts';
import { loadShare } from './reading/load.ts';
import { receivedWrites, withoutReader } from './received/entries.ts';
import { leaveShares } from './received/leave.ts';
import { getCounts, markSuspended } from './record/counters.ts';
import { shareKeys } from './record/keys.ts';
import { addToListsWrite } from './record/list-entry.ts';
import { ownerStatusCheck } from './record/rights.ts';
import { retryOnConflict, type StoredShare } from './record/share.ts';

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
};

/** An entry in the list of an owner's shares. */
interface ListEntry extends Key {
  readonly id: string;
}

/** Calls `work` with batches of a user's shares, oldest first, starting after a sort key. */
const processOwn = (
  ownerId: number,
  work: (entries: readonly ListEntry[]) => Promise<void>,
  { after, ...bound }: Bound & { readonly after?: string | undefined },
): Promise<WalkResult> => {
  const { pk, sk } = shareKeys.byOwner.prefix({ ownerId });
  return processItemsFrom(
    startAt({ pk, sk }),
    after === undefined ? undefined : { pk, sk: after },
    (items) => work(items as readonly object[] as readonly ListEntry[]),
    bound,
  );
};

/**
 * Transfers a share. It is suspended if the receiver is.
 * @throws ReceiverRemoved
 */
const transferShare = (id: string, to: number): Promise<true> =>
  retryOnConflict(async () => {
    const [{ share }, [item]] = await Promise.all([
      loadShare(id),
      batchGet([userKeys.record.at({ id: to })]),
    ]);
    const { ownerId, createdAt, version } = share;
    if (ownerId === to) return true;
    const receiver = parseUser(item);
    if (!receiver) throw new ReceiverRemoved();
    // Its owner isn’t a reader, too.
    const named = withoutReader(share, to);
    const fields = { ownerId: to, ...named, version: version + 1 };
    const refused = await transact([
      { write: ownerStatusCheck(receiver), refused: 'changed' },
      {
        write: updateFields(shareKeys.record.at({ id }), fields, versionCondition(version)),
        refused: 'changed',
      },
      updateFields(
        shareKeys.access.at({ id }),
        {
          ownerSuspended: isSuspended(receiver) || undefined,
          ...(named && { audienceId: named.audienceId }),
        },
        { expression: 'attribute_exists(pk)' },
      ),
      ...receivedWrites(share, { ...share, ...fields } as StoredShare),
      deleteItemWrite(shareKeys.byOwner.at({ ownerId, createdAt, id })),
      addToListsWrite({ ...share, ownerId: to }),
      ...countSteps(getCounts(share), getCounts({ ...share, ownerId: to })),
    ]);
    return refused ? undefined : true;
  });

/**
 * Deletes the shares of a removed user, or transfers them. Returns whether all are processed.
 * @throws ReceiverRemoved
 */
const deleteOrTransferShares = async (
  ownerId: number,
  { to, deadline, only }: Bound & Receiver,
): Promise<boolean> => {
  const owner = userKeys.record.at({ id: ownerId });
  const { isAtEnd } = await processOwn(
    ownerId,
    // One after another, because all of them update the same counter.
    async (entries) => {
      for (const { id } of entries) {
        const task = to === undefined ? deleteShareOf(owner, id) : transferShare(id, to);
        await task.catch(ignoreMissing);
      }
    },
    { deadline, only },
  );
  return isAtEnd;
};

/** Suspends or restores a share, unless it was transferred since: its new owner may have another status. */
const suspendShare = async ({ id, pk, sk }: ListEntry, isSuspended: boolean): Promise<void> => {
  const exists = 'attribute_exists(pk)';
  await transact([
    {
      write: {
        ConditionCheck: { TableName: tableName(), Key: { pk, sk }, ConditionExpression: exists },
      },
      refused: 'transferred',
    },
    {
      write: updateFields(
        shareKeys.access.at({ id }),
        { ownerSuspended: isSuspended || undefined },
        { expression: exists },
      ),
      refused: 'deleted',
    },
  ]);
};

/**
 * Suspends the shares of a user, or restores them. Returns the sort key to continue after, or `undefined` once all are
 * processed. The mark comes first: a share that is created concurrently is either refused or found.
 */
const suspendShares = async (
  ownerId: number,
  isSuspended: boolean,
  options: Bound & { readonly after?: string | undefined },
): Promise<string | undefined> => {
  // Refused if the status has changed, after which the caller starts again.
  if (options.after === undefined) await transact(markSuspended(ownerId, isSuspended));
  const { isAtEnd, last } = await processOwn(
    ownerId,
    async (entries) => {
      await Promise.all(entries.map((entry) => suspendShare(entry, isSuspended)));
    },
    options,
  );
  // Without a processed entry, the next call starts at the beginning.
  return isAtEnd ? undefined : String(last?.['sk'] ?? shareKeys.byOwner.prefix({ ownerId }).sk);
};

const countShares = async (ownerId: number): Promise<OwnedCount> => {
  const count = await countItems(
    startAt(shareKeys.byOwner.prefix({ ownerId })),
    maxCountedMatches + 1,
  );
  return { total: Math.min(count, maxCountedMatches), totalIsExact: count <= maxCountedMatches };
};

/** The records of a user in this area. Shares of a suspended user can't be read. */
export const owned: OwnedRecords = {
  // Requests first: they would take further shares.
  deleteOrTransfer: async (ownerId, options) =>
    (await deleteRequestsOf(ownerId, options)) && deleteOrTransferShares(ownerId, options),
  counted: { kind: 'shares', count: countShares },
  leave: leaveShares,
  setSuspended: suspendShares,
};
