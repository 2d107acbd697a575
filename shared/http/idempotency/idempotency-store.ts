import { createHash, createHmac } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { Context } from 'aws-lambda';
import { batchGet, dynamoDbClient, tableName } from '../../db/dynamodb.ts';
import { schema } from '../../db/key.ts';
import type { Step } from '../../db/transaction.ts';
import { serializeError } from '../../runtime/error-mapping.ts';
import { AppError } from '../../runtime/errors.ts';
import { getCurrentKey, listKeysInUse, type SigningKey } from '../../runtime/signing-keys.ts';
import { getLogger } from '../../runtime/telemetry.ts';
import type { RequestContext } from '../http.ts';
import { Reply } from '../reply.ts';
import {
  type IdempotencyStore,
  type IdempotentOperation,
  type IdempotentRequest,
  idempotencyTtlSeconds,
} from './idempotency-key.ts';
import { idempotencyKeys } from './keys.ts';

/** A request as stored. */
interface StoredRequest extends Omit<IdempotentRequest, 'body'> {
  readonly bodyHash: string;
}

/** A stored response. */
interface StoredResponse {
  readonly status: number;
  /** JSON. Absent if too long; then the response is created again from the record. */
  readonly body?: string;
}

/** An item holds up to 400 KB, and each KB written costs. */
const maxStoredBytes = 64 * 1024;

/** Hashes a body with a key, because a plain hash would allow guessing a password in it. */
const hashRequest = (body: unknown, { secret }: SigningKey): string =>
  createHmac('sha256', secret)
    .update(`repeat ${JSON.stringify(body)}`)
    .digest('base64url');

const markerKey = ({ userId, endpoint, key }: StoredRequest) =>
  idempotencyKeys.marker.at({
    userId,
    hash: createHash('sha256').update(`${endpoint}\n${key}`).digest('base64url'),
  });

const nowSeconds = (): number => Date.now() / 1_000;

/**
 * Creates the write that marks the key as used. Expired markers may still exist, because the table deletes them late.
 */
const markerWrite =
  (request: StoredRequest) =>
  (subject: string): Step => ({
    // The record exists: a repetition of the request returns it.
    refused: inProgressError,
    write: {
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
    },
  });

/** The Idempotency-Key was used with a different body, or its hash was made with another signing key. */
class IdempotencyKeyReused extends Error {
  override readonly name = 'IdempotencyKeyReused';
}

const keyReusedError = () =>
  new AppError('UNPROCESSABLE', 'This Idempotency-Key was used with a different body.', {
    details: [{ field: 'idempotency-key', message: 'must be new for a different body' }],
  });

const inProgressError = (cause?: unknown) =>
  new AppError('CONFLICT', 'A request with this Idempotency-Key is in progress.', {
    cause,
    headers: { 'retry-after': '1' },
  });

/** The caller has already waited for the failed attempt. If this times out too, the next attempt finds the marker. */
const findCreatedTimeoutMs = 2_000;

/**
 * Finds the subject already created for this key by an earlier or concurrent attempt.
 * @throws IdempotencyKeyReused
 */
const findCreated = async (request: StoredRequest): Promise<string | undefined> => {
  const [marker] = await batchGet([markerKey(request)], { timeoutMs: findCreatedTimeoutMs });
  if (!marker || Number(marker[schema.ttl]) <= nowSeconds()) return undefined;
  if (marker['bodyHash'] !== request.bodyHash) throw new IdempotencyKeyReused();
  return marker['subject'] as string;
};

/**
 * The library's store. When the SDK retries a write after a lost response, it finds its own record, which does not mean
 * that another request is in progress.
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

const createStore = (userId: number): Store =>
  new Store({
    tableName: tableName(),
    keyAttr: schema.partitionKey,
    sortKeyAttr: schema.sortKey,
    staticPkValue: idempotencyKeys.request.partition({ userId }).pk,
    expiryAttr: schema.ttl,
    awsSdkV3Client: dynamoDbClient(),
  });

const createConfig = (context: Context): IdempotencyConfig =>
  new IdempotencyConfig({
    eventKeyJmesPath: '[endpoint, key]',
    payloadValidationJmesPath: 'bodyHash',
    expiresAfterSeconds: idempotencyTtlSeconds,
    hashFunction: 'sha256',
    throwOnNoIdempotencyKey: true,
    lambdaContext: {
      ...context,
      // The random fraction distinguishes records of concurrent requests in the same millisecond.
      getRemainingTimeInMillis: () => context.getRemainingTimeInMillis() + Math.random(),
    },
  });

const omit = (body: unknown, fields: readonly string[] = []): unknown =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !fields.includes(name)));

/** Translates the library's errors. */
const translateError = (error: unknown): unknown => {
  const { name, cause } = error as Error;
  if (name === 'IdempotencyValidationError') return new IdempotencyKeyReused();
  if (name === 'IdempotencyAlreadyInProgressError') return inProgressError(error);
  // The table failed: its error determines the response.
  if (name === 'IdempotencyPersistenceLayerError') return cause;
  return error;
};

/**
 * Runs a request at most once, as identified by its key and body hash.
 * @throws IdempotencyKeyReused; AppError CONFLICT while the first request is in progress
 */
const runOnce = async (
  request: StoredRequest,
  context: RequestContext & Context,
  operation: IdempotentOperation,
): Promise<Reply<unknown>> => {
  const { route } = context;
  let first: Reply<unknown> | undefined;
  let failure: unknown;

  const toStored = (status: number, body: unknown): StoredResponse => {
    const text = JSON.stringify(omit(body, route.idempotency?.withoutFields));
    return { status, ...(Buffer.byteLength(text) <= maxStoredBytes && { body: text }) };
  };
  const replay = async (subject: string) =>
    omit(route.output.parse(await operation.replay(subject)), route.idempotency?.withoutFields);
  const replayUnstored = async () => {
    const subject = await findCreated(request);
    if (subject === undefined) throw new Error('A response is stored, but its record is missing');
    return replay(subject);
  };
  const run = async (): Promise<StoredResponse> => {
    try {
      const reply = await operation.run(markerWrite(request));
      const stored = toStored(reply.status ?? route.status, route.output.parse(reply.body));
      first = reply;
      return stored;
    } catch (error) {
      failure = error;
      // An earlier, a concurrent or this attempt may have created the record despite the error.
      const subject = await findCreated(request).catch((reason) => {
        if (reason instanceof IdempotencyKeyReused) failure = reason;
        return undefined;
      });
      if (subject === undefined) throw failure;
      failure = undefined;
      return toStored(route.status, await replay(subject));
    }
  };

  const once = makeIdempotent(async (_: StoredRequest) => (await run()) as never, {
    persistenceStore: createStore(request.userId),
    config: createConfig(context),
    keyPrefix: 'REPLY',
  });
  try {
    const stored: StoredResponse = await once(request);
    const headers = { 'idempotency-replayed': 'true' };
    if (first) return first;
    const body = stored.body === undefined ? await replayUnstored() : JSON.parse(stored.body);
    return new Reply(body, { status: stored.status, headers });
  } catch (error) {
    // The record exists; if the response was not stored, the marker allows recreating it.
    if (first) {
      getLogger().warn('Idempotent response not stored', { error: serializeError(error) });
      return first;
    }
    throw failure ?? translateError(error);
  }
};

/**
 * Runs a request at most once. Repeating it with the same key and body returns the same response for 24 hours, even if
 * the first attempt stopped after creating its record. Errors are not stored, so a repeated request tries again.
 * @throws AppError UNPROCESSABLE for a different body; CONFLICT while the first request is in progress
 */
export const replyIdempotently: IdempotencyStore['replyIdempotently'] = async (
  { body, ...request },
  context,
  operation,
) => {
  /** Returns `undefined` if the body differs, as hashed with this key. */
  const replyWith = (key: SigningKey) =>
    runOnce({ ...request, bodyHash: hashRequest(body, key) }, context, operation).catch((error) => {
      if (error instanceof IdempotencyKeyReused) return undefined;
      throw error;
    });
  const key = await getCurrentKey();
  let reply = await replyWith(key);
  if (reply) return reply;
  // The first request may have been hashed with the previous secret, or with a newer one not yet known here.
  for (const other of await listKeysInUse()) {
    reply = other.kid === key.kid ? undefined : await replyWith(other);
    if (reply) return reply;
  }
  throw keyReusedError();
};
