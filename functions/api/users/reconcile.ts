import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { enqueueOrThrow } from '../../../shared/jobs/queue.ts';
import { type Deadline, processItems } from '../../../shared/lists/process-items.ts';
import { backOff } from '../../../shared/runtime/backoff.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { ReceiverRemoved } from '../../../shared/users/owned-records.ts';
import { ownedRecords } from '../owned-records.ts';
import { userReconciliation } from './record/jobs.ts';
import {
  type Reconciliation,
  reconcileAfterSeconds,
  replaceReconciliation,
} from './record/reconcile-job.ts';
import { findReceiver } from './record/transfer.ts';
import * as users from './record/users.ts';

/** How long one request works on what a user leaves behind. */
const budgetMs = 6_000;

/** Are they all done? They go on side by side, and none is left to itself where another fails. */
const awaitAll = async (works: readonly Promise<boolean>[]): Promise<boolean> => {
  const outcomes = await Promise.allSettled(works);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value);
};

const maxTries = 6;

/**
 * Removes up to 25 items; says whether all of them are gone.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
const removeBatch = async (batch: readonly Record<string, unknown>[]): Promise<boolean> => {
  let RequestItems: BatchWriteCommandInput['RequestItems'] = {
    [tableName()]: batch.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  };
  for (let attempt = 1; Object.keys(RequestItems ?? {}).length > 0; attempt++) {
    if (attempt > maxTries) return false;
    if (attempt > 1) await backOff(attempt - 1);
    const { UnprocessedItems }: BatchWriteCommandOutput = await documentClient().send(
      new BatchWriteCommand({ RequestItems }),
    );
    RequestItems = UnprocessedItems;
  }
  return true;
};

/** Removes what lies with the user's own record: sessions, tokens, check-ins. Says whether all of it is gone. */
const removeRest = async (userId: number, bound: Deadline): Promise<boolean> => {
  let areGone = true;
  const isAtEnd = await processItems(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.user(userId).pk },
      ConsistentRead: true,
    },
    async (items) => {
      // A message that was sent just now is let go of when the user is settled again.
      const others = items.filter(
        (item) => !ownedRecords.some(({ mustDelete }) => mustDelete?.(item)),
      );
      areGone = (others.length === 0 || (await removeBatch(others))) && areGone;
    },
    bound,
  );
  return isAtEnd && areGone;
};

/**
 * Removes what a removed user has left: shares, documents, files, events, messages, sessions, check-ins; or hands what the
 * user owned to the receiver. Says whether all is done.
 * @throws ReceiverRemoved
 */
const deleteUserData = async (
  { userId, transferTo }: Reconciliation,
  bound: Deadline,
): Promise<boolean> => {
  const receiver = await findReceiver(transferTo);
  const areCleared = await awaitAll(
    ownedRecords.flatMap(({ deleteOrTransfer, leave }) => [
      deleteOrTransfer(userId, { ...receiver, ...bound }),
      ...(leave ? [leave(userId, bound)] : []),
    ]),
  );
  // The lists that lead to the user's shares and messages are part of the rest.
  return areCleared && removeRest(userId, bound);
};

const setSuspended = ownedRecords.find((records) => records.setSuspended)?.setSuspended;

/**
 * Closes or opens a user's shares from behind `sharesAfter` on, and answers what is left of it. Who was suspended meanwhile,
 * or is active again, may have been settled faster: then it is all done again, so that none stays as it was to be before.
 */
const reconcileShares = async (
  { id, status }: StoredUser,
  sharesAfter: string | undefined,
  { deadline }: Deadline,
): Promise<Reconciliation | undefined> => {
  const isSuspended = status === 'suspended';
  const after = await setSuspended?.(id, isSuspended, { deadline, after: sharesAfter });
  const now = await users.find(id);
  if (now && (now.status === 'suspended') !== isSuspended) return { userId: id };
  return after === undefined ? undefined : { userId: id, sharesAfter: after };
};

const createDeadline = (): Deadline => ({ deadline: Date.now() + budgetMs });

/** What is left to be done, and how many seconds later. */
interface Left {
  readonly rest: Reconciliation;
  readonly delaySeconds: number;
}

/** Works on what a removed user has left, and answers what is left then; also of what the user's last requests may still make. */
const reconcileRemoved = async (reconciliation: Reconciliation): Promise<Left | undefined> => {
  const bound = createDeadline();
  const isDone = await deleteUserData(reconciliation, bound).catch((error: unknown) => {
    if (error instanceof ReceiverRemoved) return false;
    throw error;
  });
  const { removedAt = 0 } = reconciliation;
  if (isDone && Date.now() >= removedAt + reconcileAfterSeconds * 1_000) return undefined;
  // Work that stopped before its deadline waits for something else, such as the removal of the receiver.
  const isWaiting = isDone || Date.now() < bound.deadline;
  return { rest: reconciliation, delaySeconds: isWaiting ? reconcileAfterSeconds : 0 };
};

const reconcileOne = async (reconciliation: Reconciliation): Promise<Left | undefined> => {
  const { userId, sharesAfter } = reconciliation;
  const user = await users.find(userId);
  if (!user) return reconcileRemoved(reconciliation);
  const rest = await reconcileShares(user, sharesAfter, createDeadline());
  return rest && { rest, delaySeconds: 0 };
};

/**
 * Brings what a user owns in line with what the user is now: of one who is removed nothing is left, the shares of one who
 * is suspended are closed, those of any other open. What 6 s are not enough for is left to another job, which goes on from
 * there. It may be asked for at any time and more than once.
 * @throws what the table throws, also where it does not take the other job
 */
export const reconcileUser = async (reconciliation: Reconciliation): Promise<void> => {
  const left = await reconcileOne(reconciliation);
  if (left) await enqueueOrThrow(userReconciliation, { ...left.rest }, left);
};

const logDeferral = (userId: number, error: unknown): void => {
  getLogger().warn('User reconciliation deferred', { userId, error: serializeError(error) });
};

/**
 * Closes or opens the shares of a user within the request that changed the status. Where that fails, or takes longer, the
 * job that the change left behind does what is `left`.
 */
export const tryReconcileShares = async (user: StoredUser, left: Write): Promise<void> => {
  try {
    await replaceReconciliation(left, await reconcileShares(user, undefined, createDeadline()));
  } catch (error) {
    logDeferral(user.id, error);
  }
};

/**
 * Removes or hands over what a removed user owned, within the request that removed the user, and says whether that is all
 * done. The job that the removal left behind looks again for what was on its way; it does the rest, at once if there is too much.
 */
export const tryDeleteUserData = async (
  reconciliation: Reconciliation,
  left: Write,
): Promise<boolean> => {
  try {
    const isDone = await deleteUserData(reconciliation, createDeadline());
    if (!isDone) await replaceReconciliation(left, reconciliation);
    return isDone;
  } catch (error) {
    logDeferral(reconciliation.userId, error);
    return false;
  }
};
