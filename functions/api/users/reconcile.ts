import { userKeys } from '../../../shared/auth/keys.ts';
import { isSuspended, type StoredUser } from '../../../shared/auth/user.ts';
import { batchDelete } from '../../../shared/db/batch-delete.ts';
import type { Key } from '../../../shared/db/key.ts';
import { partitionQuery } from '../../../shared/db/query.ts';
import { withLease } from '../../../shared/jobs/lease.ts';
import { enqueueOrThrow } from '../../../shared/jobs/queue.ts';
import { type Bound, type Deadline, processItems } from '../../../shared/lists/process-items.ts';
import { awaitAll } from '../../../shared/runtime/at-once.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { ReceiverRemoved } from '../../../shared/users/owned-records.ts';
import { ownedRecords } from '../owned-records.ts';
import { userReconciliation } from './record/jobs.ts';
import {
  type Reconciliation,
  reconcileAfterSeconds,
  replaceReconciliation,
  type ScheduledReconciliation,
} from './record/reconcile-job.ts';
import { findReceiver } from './record/transfer.ts';
import * as users from './record/users.ts';

/** How long one request or job works on a user's data. */
const budgetMs = 6_000;

/** How long a job works on a part of it. */
const partBudgetMs = 20_000;

/**
 * The jobs that share the data of a user with more than one job can delete. Each deletes a record after the other, for the
 * totals have as many items.
 */
const parts = 16;

/** The pause of the job that has left the data to these, and ends once nothing is left. */
const partsDelaySeconds = 120;

/** Deletes the user's partition: sessions, tokens, check-ins and lists. Returns whether it is empty. */
const deleteUserPartition = async (userId: number, deadline: Deadline): Promise<boolean> => {
  let isDeleted = true;
  const isAtEnd = await processItems(
    partitionQuery(userKeys.record.partition({ id: userId }), false),
    async (items) => {
      // New messages need their own cleanup, which the next reconciliation does.
      const deletable = items.filter(
        (item) => !ownedRecords.some(({ mustDelete }) => mustDelete?.(item)),
      );
      isDeleted = (await batchDelete(deletable as object as readonly Key[])) && isDeleted;
    },
    deadline,
  );
  return isAtEnd && isDeleted;
};

/**
 * Deletes or transfers what a removed user owns. Returns whether all is done.
 * @throws ReceiverRemoved
 */
const deleteOwned = async (
  { userId, transferTo }: Reconciliation,
  bound: Bound,
): Promise<boolean> => {
  const receiver = await findReceiver(transferTo);
  const cleared = await awaitAll(
    ownedRecords.flatMap(({ deleteOrTransfer, leave }) => [
      deleteOrTransfer(userId, { ...receiver, ...bound }),
      ...(leave ? [leave(userId, bound)] : []),
    ]),
  );
  return cleared.every(Boolean);
};

/**
 * Deletes a removed user's data, or transfers the records to the receiver. Returns whether nothing is left.
 * @throws ReceiverRemoved
 */
const deleteUserData = async (
  reconciliation: Reconciliation,
  deadline: Deadline,
): Promise<boolean> =>
  // The partition holds the lists of the user's shares and messages, so it goes last.
  (await deleteOwned(reconciliation, deadline)) &&
  deleteUserPartition(reconciliation.userId, deadline);

const setSuspended = ownedRecords.find((records) => records.setSuspended)?.setSuspended;

/**
 * Suspends or restores the user's shares, starting after `sharesAfter`. Returns what is left to do: everything if the
 * status changed concurrently, because the other reconciliation may have finished first.
 */
const syncShareSuspension = async (
  user: StoredUser,
  sharesAfter: string | undefined,
  { deadline }: Deadline,
): Promise<Reconciliation | undefined> => {
  const { id } = user;
  const isClosed = isSuspended(user);
  const after = await setSuspended?.(id, isClosed, { deadline, after: sharesAfter });
  const latest = await users.find(id);
  if (latest && isSuspended(latest) !== isClosed) return { userId: id };
  return after === undefined ? undefined : { userId: id, sharesAfter: after };
};

const createDeadline = (): Deadline => ({ deadline: Date.now() + budgetMs });

/** The remaining work, and the delay in seconds before it. */
interface Remaining {
  readonly reconciliation: Reconciliation;
  readonly delaySeconds: number;
}

/** Deletes or transfers a part of a removed user's data, unless another job does. Returns the remaining work. */
const reconcilePart = async (
  reconciliation: Reconciliation,
  part: number,
): Promise<Remaining | undefined> => {
  const bound: Bound = { deadline: Date.now() + partBudgetMs, only: { part, count: parts } };
  await withLease(`reconcile-${reconciliation.userId}-${part}`, () =>
    deleteOwned(reconciliation, bound),
  );
  // Whatever else is left waits for something, and is found by the job that has left it to this one.
  return Date.now() < bound.deadline ? undefined : { reconciliation, delaySeconds: 0 };
};

/** Leaves the data of a removed user to several jobs at once. */
const split = async (reconciliation: Reconciliation): Promise<void> => {
  const all = Array.from({ length: parts }, (_, part) => ({ ...reconciliation, part }));
  await awaitAll(all.map((one) => enqueueOrThrow(userReconciliation, one)));
};

/** Deletes or transfers a removed user's data. Returns the remaining work, also for records of requests still running. */
const reconcileRemoved = async (reconciliation: Reconciliation): Promise<Remaining | undefined> => {
  const deadline = createDeadline();
  const isDone = await deleteUserData(reconciliation, deadline).catch((error: unknown) => {
    if (error instanceof ReceiverRemoved) return false;
    throw error;
  });
  const { removedAt = 0 } = reconciliation;
  if (isDone && Date.now() >= removedAt + reconcileAfterSeconds * 1_000) return undefined;
  // Work that stops before its deadline waits for something else, such as the removal of the receiver.
  if (isDone || Date.now() < deadline.deadline)
    return { reconciliation, delaySeconds: reconcileAfterSeconds };
  // Transferred records change the receiver's own counters, which are one item: several jobs would only wait.
  if (reconciliation.transferTo !== undefined) return { reconciliation, delaySeconds: 0 };
  await split(reconciliation);
  return { reconciliation, delaySeconds: partsDelaySeconds };
};

/** Reconciles a user within the time budget. Returns the remaining work. */
const reconcileWithinBudget = async (
  reconciliation: Reconciliation,
): Promise<Remaining | undefined> => {
  const { userId, sharesAfter, part } = reconciliation;
  const user = await users.find(userId);
  if (!user && part !== undefined) return reconcilePart(reconciliation, part);
  if (!user) return reconcileRemoved(reconciliation);
  const remaining = await syncShareSuspension(user, sharesAfter, createDeadline());
  return remaining && { reconciliation: remaining, delaySeconds: 0 };
};

/**
 * Brings a user's data in line with the user's status: deletes or transfers that of a removed user, suspends or restores
 * shares. Work beyond 6 seconds continues in a new job, that of a removed user in 16 at once. Safe to repeat.
 * @throws the errors of the table, also if the new job can't be enqueued
 */
export const reconcileUser = async (reconciliation: Reconciliation): Promise<void> => {
  const remaining = await reconcileWithinBudget(reconciliation);
  if (remaining) {
    await enqueueOrThrow(userReconciliation, { ...remaining.reconciliation }, remaining);
  }
};

/**
 * Brings a user's data in line within the request that updated or removed the user. Returns whether nothing is left to do.
 * On failure the scheduled job does the rest, as does a new one beyond the time budget. After a removal the scheduled job
 * also covers concurrent writes.
 */
export const tryReconcile = async (
  user: StoredUser,
  scheduled: ScheduledReconciliation,
): Promise<boolean> => {
  try {
    const { reconciliation } = scheduled;
    if (reconciliation.removedAt !== undefined) {
      const isDone = await deleteUserData(reconciliation, createDeadline());
      if (!isDone) await replaceReconciliation(scheduled, reconciliation);
      return isDone;
    }
    const remaining = await syncShareSuspension(user, undefined, createDeadline());
    await replaceReconciliation(scheduled, remaining);
    return remaining === undefined;
  } catch (error) {
    getLogger().warn('User reconciliation deferred', {
      userId: user.id,
      error: serializeError(error),
    });
    return false;
  }
};
