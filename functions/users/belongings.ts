import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { backOff } from '../../shared/backoff.ts';
import { documentClient, tableName } from '../../shared/dynamodb.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { toLogEntry } from '../../shared/failure.ts';
import { keys } from '../../shared/table.ts';
import { log } from '../../shared/telemetry.ts';
import type { Write } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';
import { type Bound, walk } from '../../shared/walk.ts';
import { clearEvents, leaveEvents } from '../calendar/belongings.ts';
import { clearDocuments, leaveDocuments } from '../documents/belongings.ts';
import { clearFiles, leaveFiles } from '../files/belongings.ts';
import { enqueue } from '../jobs/queue.ts';
import { clearMessages, holdsMessage } from '../messages/belongings.ts';
import { clearShares, suspendShares } from '../share/belongings.ts';
import { userSettling } from './jobs.ts';
import { type Settling, settleRest } from './settling.ts';
import * as users from './users.ts';

/** How long one request works on what a user leaves behind. */
const budgetMs = 6_000;

/** Are they all done? They go on side by side, and none is left to itself where another fails. */
const areAllDone = async (works: readonly Promise<boolean>[]): Promise<boolean> => {
  const outcomes = await Promise.allSettled(works);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return outcomes.every((outcome) => outcome.status === 'fulfilled' && outcome.value);
};

/**
 * Hands what a user owns to another, before the user is removed.
 * @throws AppError VALIDATION_ERROR about `transferTo`; SERVICE_UNAVAILABLE when it is too much for one request: what
 *   was handed over stays so, and the next request goes on
 */
export const handOver = async (from: number, to: number): Promise<void> => {
  const receiver = to === from ? undefined : await users.find(to);
  if (!receiver) throw invalidField('transferTo', 'must be the id of another user');
  const bound = { to, deadline: Date.now() + budgetMs };
  const works = [
    clearShares(from, bound),
    clearDocuments(from, bound),
    clearFiles(from, bound),
    clearEvents(from, bound),
  ];
  if (await areAllDone(works)) return;
  throw new AppError('SERVICE_UNAVAILABLE', 'There is more to hand over: send the request again');
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
      const others = items.filter((item) => !holdsMessage(item));
      areGone = (others.length === 0 || (await removeBatch(others))) && areGone;
    },
    bound,
  );
  return isAtEnd && areGone;
};

/** Removes what a removed user has left: shares, documents, files, events, messages, sessions, check-ins. Says whether all is done. */
const removeBelongings = async (
  userId: number,
  to: number | undefined,
  bound: Bound,
): Promise<boolean> => {
  // What was made after the rest was handed over follows it.
  const areCleared = await areAllDone([
    clearShares(userId, { to, ...bound }),
    clearDocuments(userId, { to, ...bound }),
    leaveDocuments(userId, bound),
    clearFiles(userId, { to, ...bound }),
    leaveFiles(userId, bound),
    clearEvents(userId, { to, ...bound }),
    leaveEvents(userId, bound),
    clearMessages(userId, bound),
  ]);
  // The lists that lead to the user's shares and messages are part of the rest.
  return areCleared && removeRest(userId, bound);
};

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
  const after = await suspendShares(id, isSuspended, { deadline, after: sharesAfter });
  const now = await users.find(id);
  if (now && (now.status === 'suspended') !== isSuspended) return { userId: id };
  return after === undefined ? undefined : { userId: id, sharesAfter: after };
};

/** Settles a user for 6 s, and answers what is left of it. */
const settle = async ({
  userId,
  transferTo,
  sharesAfter,
}: Settling): Promise<Settling | undefined> => {
  const deadline = Date.now() + budgetMs;
  const user = await users.find(userId);
  if (user) return settleShares(user, sharesAfter, { deadline });
  const isDone = await removeBelongings(userId, transferTo, { deadline });
  return isDone ? undefined : { userId, transferTo };
};

/**
 * Brings what a user owns in line with what the user is now: of one who is removed nothing is left, the shares of one who
 * is suspended are closed, those of any other open. What 6 s are not enough for is left to a job, which goes on from
 * there. It may be asked for at any time and more than once.
 */
export const settleUser = async (settling: Settling): Promise<void> => {
  const rest = await settle(settling);
  if (rest) await enqueue(userSettling, { ...rest });
};

/**
 * Settles a user within the request that changed it. Where that fails, or takes longer, the job that the change left
 * behind does it: `left` only does what is left. Without `left` the job looks at all of it again, for what was on its way.
 */
export const trySettleUser = async (change: Settling, left?: Write): Promise<void> => {
  try {
    const rest = await settle(change);
    if (left) await settleRest(left, rest);
  } catch (error) {
    log().warn('A user is settled later', { userId: change.userId, failure: toLogEntry(error) });
  }
};
