import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { backOff } from '../../shared/backoff.ts';
import { documentClient, tableName } from '../../shared/dynamodb.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { toLogEntry } from '../../shared/failure.ts';
import { readMatches } from '../../shared/page.ts';
import { keys } from '../../shared/table.ts';
import { log } from '../../shared/telemetry.ts';
import { clearDocuments, leaveDocuments } from '../documents/belongings.ts';
import { enqueue } from '../jobs/queue.ts';
import { clearShares, suspendShares } from '../share/belongings.ts';
import * as users from './users.ts';

/** How long one request works on what a user leaves behind. */
const budgetMs = 6_000;
/** A batch takes 25 writes. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchLimit = 25;
const maxRounds = 200;

/**
 * Hands what a user owns to another, before the user is removed.
 * @throws AppError VALIDATION_ERROR about `transferTo`; SERVICE_UNAVAILABLE when it is too much for one request: what
 *   was handed over stays so, and the next request goes on
 */
export const handOver = async (from: number, to: number): Promise<void> => {
  const receiver = to === from ? undefined : await users.find(to);
  if (!receiver) throw invalidField('transferTo', 'must be the id of another user');
  const bound = { to, deadline: Date.now() + budgetMs };
  if ((await clearShares(from, bound)) && (await clearDocuments(from, bound))) return;
  throw new AppError('SERVICE_UNAVAILABLE', 'There is more to hand over: send the request again');
};

const removeBatch = async (batch: readonly Record<string, unknown>[]): Promise<void> => {
  let RequestItems: BatchWriteCommandInput['RequestItems'] = {
    [tableName()]: batch.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  };
  for (let attempt = 1; Object.keys(RequestItems ?? {}).length > 0; attempt++) {
    const { UnprocessedItems }: BatchWriteCommandOutput = await documentClient().send(
      new BatchWriteCommand({ RequestItems }),
    );
    RequestItems = UnprocessedItems;
    if (attempt === 6) return;
    if (Object.keys(RequestItems ?? {}).length > 0) await backOff(attempt);
  }
};

/** Removes what a removed user has left: shares, documents, sessions, check-ins. Says whether all is done. */
const removeBelongings = async (
  userId: number,
  to: number | undefined,
  deadline: number,
): Promise<boolean> => {
  // What was made after the rest was handed over follows it.
  if (!(await clearShares(userId, { to, deadline }))) return false;
  if (!(await clearDocuments(userId, { to, deadline }))) return false;
  if (!(await leaveDocuments(userId, { deadline }))) return false;
  for (let round = 0; round < maxRounds && Date.now() < deadline; round++) {
    const { items } = await readMatches(
      {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keys.user(userId).pk },
        ConsistentRead: true,
      },
      { matches: batchLimit, scanned: batchLimit },
    );
    if (items.length === 0) return true;
    await removeBatch(items);
  }
  return false;
};

/**
 * Brings what a user owns in line with what the user is now: of one who is removed nothing is left, the shares of one who
 * is suspended are closed, those of any other open. What 6 s are not enough for is left to a job, which goes on in the
 * same way. It may be asked for at any time and more than once.
 */
export const settleUser = async ({
  userId,
  transferTo,
}: {
  readonly userId: number;
  readonly transferTo?: number | undefined;
}): Promise<void> => {
  const deadline = Date.now() + budgetMs;
  const user = await users.find(userId);
  const isDone = user
    ? await suspendShares(userId, user.status === 'suspended', { deadline })
    : await removeBelongings(userId, transferTo, deadline);
  if (!isDone) await enqueue('settle-user', { userId, transferTo });
};

/** Settles a user within the request that changed it. Where that fails, the job that the change left behind does it. */
export const trySettleUser = async (change: Parameters<typeof settleUser>[0]): Promise<void> => {
  try {
    await settleUser(change);
  } catch (error) {
    log().warn('A user is settled later', { userId: change.userId, failure: toLogEntry(error) });
  }
};
