import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { startAt } from '../../../shared/lists/pagination.ts';
import {
  type Deadline,
  processItemsFrom,
  type WalkResult,
} from '../../../shared/lists/process-items.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import {
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import { removeShare } from './ending/delete.ts';
import { find } from './reading/reading.ts';
import { moveOwnCount, putOwn } from './record/own-list.ts';
import { ownerStatusCheck } from './record/owner.ts';
import { untilRemoved } from './record/share.ts';

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
};

/** A share in the list of its owner. */
interface Listed extends Key {
  readonly id: string;
}

/** Calls `work` with a user's shares, the oldest first, from behind a place in the list on. */
const forOwn = (
  ownerId: number,
  work: (listed: readonly Listed[]) => Promise<void>,
  { deadline, after }: Deadline & { readonly after?: string | undefined },
): Promise<WalkResult> => {
  const { pk, sk } = keys.ownShares(ownerId);
  return processItemsFrom(
    startAt({ pk, sk }),
    after === undefined ? undefined : { pk, sk: after },
    (items) => work(items as readonly object[] as readonly Listed[]),
    { deadline },
  );
};

/**
 * Hands a share over, closed or open as the receiver's are.
 * @throws ReceiverRemoved
 */
const transferShare = (id: string, to: number): Promise<true> =>
  untilRemoved(async () => {
    const [{ share }, [receiver]] = await Promise.all([find(id), batchGet([keys.user(to)])]);
    const { ownerId, createdAt, version } = share;
    if (ownerId === to) return true;
    if (!receiver) throw new ReceiverRemoved();
    const status = receiver['status'] as string;
    const failed = await transact({
      receiver: ownerStatusCheck(status, to),
      share: updateFields(
        keys.share(id),
        { ownerId: to, version: version + 1 },
        versionCondition(version),
      ),
      gate: updateFields(
        keys.shareAccess(id),
        { ownerSuspended: status === 'suspended' || undefined },
        { expression: 'attribute_exists(pk)' },
      ),
      before: deleteItemWrite(keys.shareByOwner(ownerId, createdAt, id)),
      after: putOwn({ ...share, ownerId: to }),
      countBefore: moveOwnCount(ownerId, -1),
      countAfter: moveOwnCount(to, 1),
    });
    return failed ? undefined : true;
  });

/**
 * Removes a removed user's shares, or hands them to another user. Says whether all are done.
 * @throws ReceiverRemoved
 */
const deleteOrTransferShares = async (
  ownerId: number,
  { to, deadline }: Deadline & Receiver,
): Promise<boolean> => {
  const { isAtEnd } = await forOwn(
    ownerId,
    // One after another, because they all move the same count.
    async (listed) => {
      for (const { id } of listed) {
        const clearing =
          to === undefined ? removeShare(id, () => undefined) : transferShare(id, to);
        await clearing.catch(ignoreMissing);
      }
    },
    { deadline },
  );
  return isAtEnd;
};

/** Closes or opens the gate of a share that is still its owner's: whom it is handed over to may not be suspended. */
const suspendShare = async ({ id, pk, sk }: Listed, isSuspended: boolean): Promise<void> => {
  const isThere = 'attribute_exists(pk)';
  await transact({
    own: {
      ConditionCheck: { TableName: tableName(), Key: { pk, sk }, ConditionExpression: isThere },
    },
    gate: updateFields(
      keys.shareAccess(id),
      { ownerSuspended: isSuspended || undefined },
      { expression: isThere },
    ),
  });
};

/**
 * Closes the shares of a user who is suspended to readers, or opens them again. Answers the place in the list behind which
 * the next call goes on (`after`), or `undefined` when all are done.
 */
const suspendShares = async (
  ownerId: number,
  isSuspended: boolean,
  bound: Deadline & { readonly after?: string | undefined },
): Promise<string | undefined> => {
  const { isAtEnd, last } = await forOwn(
    ownerId,
    async (listed) => {
      await Promise.all(listed.map((own) => suspendShare(own, isSuspended)));
    },
    bound,
  );
  // All of the list is behind its beginning, where there was no time for any of it.
  return isAtEnd ? undefined : String(last?.['sk'] ?? keys.ownShares(ownerId).sk);
};

/** A user's shares; nobody reads those of a suspended user. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteOrTransferShares,
  setSuspended: suspendShares,
};
