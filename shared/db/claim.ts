import { conditionalDelete, conditionalPut, conditionalUpdate } from './conditional-write.ts';
import { tableName } from './dynamodb.ts';
import { createRandomId } from './ids.ts';
import { itemParser } from './item-parser.ts';
import type { Key } from './key.ts';
import type { Write } from './transaction.ts';

/** A claim as stored: of several attempts at something, the one with its token may do it. */
export interface StoredClaim {
  /** Identifies the attempt, also after a lost response to its own put. */
  readonly token: string;
  /** Until when the attempt can run (ms since 1970). Absent once it is settled. */
  readonly claimedUntil?: number;
  readonly hash?: string;
  /** What the attempt created. No other attempt can claim it then. */
  readonly subject?: string;
  readonly result?: string;
}

/** `mine`: this attempt may run. `running`: another one may be. `settled`: another one is done. */
export interface Claim extends StoredClaim {
  readonly state: 'mine' | 'running' | 'settled';
}

const parseClaim = itemParser<StoredClaim>('claim', ['token']);

/**
 * Claims a key in one conditional put, unless another attempt holds or has settled it. A claim that was not settled in time
 * is free again, because its holder has died.
 */
export const claim = async (
  key: Key,
  {
    hash,
    until,
    ttl,
  }: {
    /** Stored with the claim, for the caller to compare. */
    readonly hash?: string;
    /** Until when the caller can run (ms since 1970). */
    readonly until: number;
    /** When the claim is forgotten (seconds since 1970). */
    readonly ttl: number;
  },
): Promise<Claim> => {
  const mine: StoredClaim = {
    token: createRandomId(),
    claimedUntil: until,
    ...(hash !== undefined && { hash }),
  };
  const { written, item } = await conditionalPut({
    Item: { ...key, ...mine, ttl },
    // Expired claims may still exist, because the table deletes them late.
    ConditionExpression:
      'attribute_not_exists(pk) OR #ttl <= :seconds OR (claimedUntil <= :now AND attribute_not_exists(subject))',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':now': Date.now(), ':seconds': Math.floor(Date.now() / 1_000) },
  });
  if (written) return { ...mine, state: 'mine' };
  const found = parseClaim(item ?? {});
  if (found.token === mine.token) return { ...found, state: 'mine' };
  return { ...found, state: found.claimedUntil === undefined ? 'settled' : 'running' };
};

const holderCondition = (token: string) => ({
  ExpressionAttributeNames: { '#token': 'token' },
  ExpressionAttributeValues: { ':token': token },
});

const isUnused = '#token = :token AND attribute_not_exists(subject)';

/**
 * Creates the write that names what the claim's holder creates, for the transaction that creates it. It is refused if the
 * holder has lost the claim or has created something already, so nothing is created twice.
 */
export const claimSubjectWrite = (key: Key, token: string, subject: string): Write => {
  const { ExpressionAttributeNames, ExpressionAttributeValues } = holderCondition(token);
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: 'SET subject = :subject',
      ConditionExpression: isUnused,
      ExpressionAttributeNames,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':subject': subject },
    },
  };
};

/** Settles a claim for good, with a result for later attempts. Does nothing if another attempt holds it by now. */
export const settleClaim = async (key: Key, token: string, result?: string): Promise<void> => {
  const { ExpressionAttributeNames, ExpressionAttributeValues } = holderCondition(token);
  const hasResult = result !== undefined;
  await conditionalUpdate({
    Key: key,
    UpdateExpression: `${hasResult ? 'SET #result = :result ' : ''}REMOVE claimedUntil`,
    ConditionExpression: '#token = :token',
    ExpressionAttributeNames: {
      ...ExpressionAttributeNames,
      ...(hasResult && { '#result': 'result' }),
    },
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ...(hasResult && { ':result': result }),
    },
  });
};

/** The caller has already waited for the failed attempt. */
const releaseTimeoutMs = 2_000;

/**
 * Releases the claim of a failed attempt for the next one. A transaction of the attempt that is still on its way is refused
 * from then on. Returns the stored claim if it stays: something was created, or another attempt holds it.
 */
export const releaseClaim = async (key: Key, token: string): Promise<StoredClaim | undefined> => {
  const { written, item } = await conditionalDelete(
    { Key: key, ConditionExpression: isUnused, ...holderCondition(token) },
    { timeoutMs: releaseTimeoutMs },
  );
  return written ? undefined : parseClaim(item);
};
