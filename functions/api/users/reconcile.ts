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
import { type Bound, walk } from '../../../shared/lists/process-items.ts';
import { backOff } from '../../../shared/runtime/backoff.ts';
import { toLogEntry } from '../../../shared/runtime/error-mapping.ts';
import { log } from '../../../shared/runtime/telemetry.ts';
import { ReceiverRemoved } from '../../../shared/users/owned-records.ts';
import { ownedRecords } from '../owned-records.ts';
import { userSettling } from './record/jobs.ts';
import { type Settling, settleAfterSeconds, settleRest } from './record/reconcile-job.ts';
import { findReceiver } from './record/transfer.ts';
import * as users from './record/users.ts';

/** How long one request works on what a user leaves behind. */
const budgetMs = 6_000;

/** Are they all done? They go on side by side, and none is left to itself where another fails. */
const areAllDone = async (works: readonly Promise<boolean>[]): Promise<boolean> => {
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
const removeRest = async (userId: number, bound: Bound): Promise<boolean> => {
  let areGone = true;
  const isAtEnd = await walk(
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
const removeBelongings = async (
  { userId, transferTo }: Settling,
  bound: Bound,
): Promise<boolean> => {
  const receiver = await findReceiver(transferTo);
  const areCleared = await areAllDone(
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
const settleShares = async (
  { id, status }: StoredUser,
  sharesAfter: string | undefined,
  { deadline }: Bound,
): Promise<Settling | undefined> => {
  const isSuspended = status === 'suspended';
  const after = await setSuspended?.(id, isSuspended, { deadline, after: sharesAfter });
  const now = await users.find(id);
  if (now && (now.status === 'suspended') !== isSuspended) return { userId: id };
  return after === undefined ? undefined : { userId: id, sharesAfter: after };
};

const deadlineFromNow = (): Bound => ({ deadline: Date.now() + budgetMs });

/** What is left to be done, and how many seconds later. */
interface Left {
  readonly rest: Settling;
  readonly delaySeconds: number;
}

/** Works on what a removed user has left, and answers what is left then; also of what the user's last requests may still make. */
const settleRemoved = async (settling: Settling): Promise<Left | undefined> => {
  const bound = deadlineFromNow();
  const isDone = await removeBelongings(settling, bound).catch((error: unknown) => {
    if (error instanceof ReceiverRemoved) return false;
    throw error;
  });
  const { removedAt = 0 } = settling;
  if (isDone && Date.now() >= removedAt + settleAfterSeconds * 1_000) return undefined;
  // Work that stopped before its deadline waits for something else, such as the removal of the receiver.
  const isWaiting = isDone || Date.now() < bound.deadline;
  return { rest: settling, delaySeconds: isWaiting ? settleAfterSeconds : 0 };
};

const settleOne = async (settling: Settling): Promise<Left | undefined> => {
  const { userId, sharesAfter } = settling;
  const user = await users.find(userId);
  if (!user) return settleRemoved(settling);
  const rest = await settleShares(user, sharesAfter, deadlineFromNow());
  return rest && { rest, delaySeconds: 0 };
};

/**
 * Brings what a user owns in line with what the user is now: of one who is removed nothing is left, the shares of one who
 * is suspended are closed, those of any other open. What 6 s are not enough for is left to another job, which goes on from
 * there. It may be asked for at any time and more than once.
 * @throws what the table throws, also where it does not take the other job
 */
export const settleUser = async (settling: Settling): Promise<void> => {
  const left = await settleOne(settling);
  if (left) await enqueueOrThrow(userSettling, { ...left.rest }, left);
};

const logDeferral = (userId: number, error: unknown): void => {
  log().warn('User reconciliation deferred', { userId, error: toLogEntry(error) });
};

/**
 * Closes or opens the shares of a user within the request that changed the status. Where that fails, or takes longer, the
 * job that the change left behind does what is `left`.
 */
export const trySettleShares = async (user: StoredUser, left: Write): Promise<void> => {
  try {
    await settleRest(left, await settleShares(user, undefined, deadlineFromNow()));
  } catch (error) {
    logDeferral(user.id, error);
  }
};

/**
 * Removes or hands over what a removed user owned, within the request that removed the user, and says whether that is all
 * done. The job that the removal left behind looks again for what was on its way; it does the rest, at once if there is too much.
 */
export const tryRemoveBelongings = async (settling: Settling, left: Write): Promise<boolean> => {
  try {
    const isDone = await removeBelongings(settling, deadlineFromNow());
    if (!isDone) await settleRest(left, settling);
    return isDone;
  } catch (error) {
    logDeferral(settling.userId, error);
    return false;
  }
};
