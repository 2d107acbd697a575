import { createHash, createHmac } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { Context } from 'aws-lambda';
import { batchGet, dynamoDbClient, tableName } from '../../db/dynamodb.ts';
import { keys, schema } from '../../db/table.ts';
import type { Write } from '../../db/transaction.ts';
import { serializeError } from '../../runtime/error-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import { getCurrentKey, listKeysInUse, type SigningKey } from '../../runtime/signing-keys.ts';
import { getLogger } from '../../runtime/telemetry.ts';
import type { RequestContext } from '../http.ts';
import { Reply } from '../reply.ts';
import {
  type IdempotencyStore,
  type IdempotentRequest,
  idempotencyTtlSeconds,
  type Work,
} from './idempotency-key.ts';

/** A request as the table may know it. */
interface Known extends Omit<IdempotentRequest, 'body'> {
  readonly bodyHash: string;
}

/** An answer as it is kept for repeats. */
interface Kept {
  readonly status: number;
  /** JSON; absent where it is too long: then it is told anew of what was made. */
  readonly body?: string;
}

/** An item holds 400 KB, and each KB of a write is paid for. */
const maxKeptBytes = 64 * 1024;

/** A body may hold a password, which its bare hash would let guess: so the hash is keyed. */
const hashRequest = (body: unknown, { secret }: SigningKey): string =>
  createHmac('sha256', secret)
    .update(`repeat ${JSON.stringify(body)}`)
    .digest('base64url');

const markerKey = ({ userId, endpoint, key }: Known) =>
  keys.idempotencyMarker(
    userId,
    createHash('sha256').update(`${endpoint}\n${key}`).digest('base64url'),
  );

const nowSeconds = (): number => Date.now() / 1_000;

/** The write that marks the key as used. What has expired may still be there: the table deletes it late. */
const markerWrite =
  (request: Known) =>
  (subject: string): Write => ({
    Put: {
      TableName: tableName(),
      Item: {
        ...markerKey(request),
        subject,
        bodyHash: request.bodyHash,
        ttl: Math.ceil(nowSeconds()) + idempotencyTtlSeconds,
      },
      ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
      ExpressionAttributeNames: { '#ttl': schema.ttl },
      ExpressionAttributeValues: { ':now': nowSeconds() },
    },
  });

/** The Idempotency-Key came with another body before, or with the same one while another key signed. */
class IdempotencyKeyReused extends Error {
  override readonly name = 'IdempotencyKeyReused';
}

const keyReusedError = () =>
  new AppError('UNPROCESSABLE', 'This Idempotency-Key was used with a different body.', {
    details: [{ field: 'idempotency-key', message: 'must be new for a different body' }],
  });

const inProgressError = (cause: unknown) =>
  new AppError('CONFLICT', 'A request with this Idempotency-Key is in progress.', {
    cause,
    headers: { 'retry-after': '1' },
  });

/** Whoever asks has waited for what failed: where the table doesn't answer at all, the next try finds the marker. */
const madeBeforeMs = 2_000;

/**
 * The subject that was made for this key, by an attempt that could not note its answer or by a twin of this one.
 * @throws IdempotencyKeyReused
 */
const madeBefore = async (request: Known): Promise<string | undefined> => {
  const [marker] = await batchGet([markerKey(request)], { timeoutMs: madeBeforeMs });
  if (!marker || Number(marker[schema.ttl]) <= nowSeconds()) return undefined;
  if (marker['bodyHash'] !== request.bodyHash) throw new IdempotencyKeyReused();
  return marker['subject'] as string;
};

/**
 * The library's store. The SDK sends a write again whose answer was lost, and then meets its own record: that is not a
 * request which is still running.
 */
class Store extends DynamoDBPersistenceLayer {
  protected override async _putRecord(record: IdempotencyRecord): Promise<void> {
    try {
      await super._putRecord(record);
    } catch (error) {
      const { existingRecord } = error as { readonly existingRecord?: IdempotencyRecord };
      const isOwn =
        existingRecord?.getStatus() === 'INPROGRESS' &&
        existingRecord.inProgressExpiryTimestamp === record.inProgressExpiryTimestamp;
      if (!isOwn) throw error;
    }
  }
}

const storeFor = (userId: number): Store =>
  new Store({
    tableName: tableName(),
    keyAttr: schema.partitionKey,
    sortKeyAttr: schema.sortKey,
    staticPkValue: keys.idempotency(userId),
    expiryAttr: schema.ttl,
    awsSdkV3Client: dynamoDbClient(),
  });

const configFor = (context: Context): IdempotencyConfig =>
  new IdempotencyConfig({
    eventKeyJmesPath: '[endpoint, key]',
    payloadValidationJmesPath: 'bodyHash',
    expiresAfterSeconds: idempotencyTtlSeconds,
    hashFunction: 'sha256',
    throwOnNoIdempotencyKey: true,
    lambdaContext: {
      ...context,
      // The fraction tells the records of twins apart that come in the same millisecond.
      getRemainingTimeInMillis: () => context.getRemainingTimeInMillis() + Math.random(),
    },
  });

const without = (body: unknown, fields: readonly string[] = []): unknown =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !fields.includes(name)));

/** What the library's errors mean to the caller. */
const translate = (error: unknown): unknown => {
  const { name, cause } = error as Error;
  if (name === 'IdempotencyValidationError') return new IdempotencyKeyReused();
  if (name === 'IdempotencyAlreadyInProgressError') return inProgressError(error);
  // The table could not be asked: what the cause says decides what the caller is told.
  if (name === 'IdempotencyPersistenceLayerError') return cause;
  return error;
};

/**
 * Answers a request once, as far as the hash of its body tells.
 * @throws IdempotencyKeyReused; AppError CONFLICT while the first request is running
 */
const answerOnce = async (
  request: Known,
  context: RequestContext & Context,
  work: Work,
): Promise<Reply<unknown>> => {
  const { route } = context;
  let first: Reply<unknown> | undefined;
  let failure: unknown;

  const keep = (status: number, shown: unknown): Kept => {
    const text = JSON.stringify(without(shown, route.idempotency?.withoutFields));
    return { status, ...(Buffer.byteLength(text) <= maxKeptBytes && { body: text }) };
  };
  const recall = async (subject: string) =>
    without(route.output.parse(await work.recall(subject)), route.idempotency?.withoutFields);
  const recallUnkept = async () => {
    const subject = await madeBefore(request);
    if (subject === undefined) throw new Error('An answer is kept of what was not made');
    return recall(subject);
  };
  const make = async (): Promise<Kept> => {
    try {
      const reply = await work.make(markerWrite(request));
      const kept = keep(reply.status ?? route.status, route.output.parse(reply.body));
      first = reply;
      return kept;
    } catch (error) {
      failure = error;
      // Whatever failed: an attempt before, a twin or this very one may have made it.
      const subject = await madeBefore(request).catch((reason) => {
        if (reason instanceof IdempotencyKeyReused) failure = reason;
        return undefined;
      });
      if (subject === undefined) throw failure;
      failure = undefined;
      return keep(route.status, await recall(subject));
    }
  };

  const once = makeIdempotent(async (_: Known) => (await make()) as never, {
    persistenceStore: storeFor(request.userId),
    config: configFor(context),
    keyPrefix: 'REPLY',
  });
  try {
    const kept: Kept = await once(request);
    const headers = { 'idempotency-replayed': 'true' };
    if (first) return first;
    const told = kept.body === undefined ? await recallUnkept() : JSON.parse(kept.body);
    return new Reply(told, { status: kept.status, headers });
  } catch (error) {
    // It is made: what is lost is only the note of it, and the marker makes up for that.
    if (first) {
      getLogger().warn('An answer is not kept for its repeats', { failure: serializeError(error) });
      return first;
    }
    throw failure ?? translate(error);
  }
};

/**
 * Answers a request once: the same request again gets the same answer for 24 h, also one that comes after the first
 * attempt made its record and died. A failure is not kept: the same request again tries again.
 * @throws AppError UNPROCESSABLE for another body; CONFLICT while the first request is running
 */
export const replyIdempotently: IdempotencyStore['replyIdempotently'] = async (
  { body, ...known },
  context,
  work,
) => {
  /** Answers `undefined` for another body, as this key tells bodies apart. */
  const replyBy = (key: SigningKey) =>
    answerOnce({ ...known, bodyHash: hashRequest(body, key) }, context, work).catch((error) => {
      if (error instanceof IdempotencyKeyReused) return undefined;
      throw error;
    });
  const key = await getCurrentKey();
  let reply = await replyBy(key);
  if (reply) return reply;
  // The first request may have come before the secret was rotated, or to a function that has noticed that already.
  for (const other of await listKeysInUse()) {
    reply = other.kid === key.kid ? undefined : await replyBy(other);
    if (reply) return reply;
  }
  throw keyReusedError();
};
