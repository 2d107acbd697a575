import { createHash } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { Context } from 'aws-lambda';
import { AppError } from './errors.ts';
import type { Memory, Repeatable } from './repeat.ts';
import { Reply } from './reply.ts';
import { batchGet, dynamoDbClient, keys, schema, tableName } from './table.ts';
import { putNew, RepeatedRequest } from './transaction.ts';

/** How long a repeat gets the first answer (decisions §1, Idempotency). */
const keepSeconds = 86_400;

/** An answer as it is kept for repeats. */
interface Kept {
  readonly status: number;
  readonly body: unknown;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const markerKey = ({ userId, route, key }: Repeatable) =>
  keys.repeatMarker(userId, sha256(`${route}\n${key}`));

const otherBody = (cause?: unknown) =>
  new AppError('UNPROCESSABLE', 'This Idempotency-Key came with another body before', {
    cause,
    details: [{ field: 'idempotency-key', message: 'must be a new one for another body' }],
  });

const stillRunning = (cause: unknown) =>
  new AppError('CONFLICT', 'The first request with this Idempotency-Key is still running', {
    cause,
    headers: { 'retry-after': '1' },
  });

/** The write that marks the key as used, for the transaction that makes the record it was used for. */
export const markerWrite: Memory['markerWrite'] = (request) => (subject) =>
  putNew(markerKey(request), {
    subject,
    bodyHash: sha256(JSON.stringify(request.body)),
    ttl: Math.ceil(Date.now() / 1_000) + keepSeconds,
  });

/**
 * What was made for this key, where an attempt made it and died before it could note its answer.
 * @throws AppError UNPROCESSABLE when that was for another body
 */
const madeBefore = async (request: Repeatable): Promise<string | undefined> => {
  const [marker] = await batchGet([markerKey(request)]);
  if (!marker || Number(marker['ttl']) <= Date.now() / 1_000) return undefined;
  if (marker['bodyHash'] !== sha256(JSON.stringify(request.body))) throw otherBody();
  return marker['subject'] as string;
};

const storeFor = (userId: number): DynamoDBPersistenceLayer =>
  new DynamoDBPersistenceLayer({
    tableName: tableName(),
    keyAttr: schema.partitionKey,
    sortKeyAttr: schema.sortKey,
    staticPkValue: keys.repeats(userId),
    expiryAttr: schema.ttl,
    awsSdkV3Client: dynamoDbClient(),
  });

const configFor = (lambdaContext: Context): IdempotencyConfig =>
  new IdempotencyConfig({
    eventKeyJmesPath: '[route, key]',
    payloadValidationJmesPath: 'body',
    expiresAfterSeconds: keepSeconds,
    hashFunction: 'sha256',
    throwOnNoIdempotencyKey: true,
    lambdaContext,
  });

const without = (body: unknown, fields: readonly string[] = []): unknown =>
  Object.fromEntries(Object.entries(body as object).filter(([name]) => !fields.includes(name)));

/** What the library's errors mean to the caller. */
const translate = (error: unknown): unknown => {
  const { name, cause } = error as Error;
  if (name === 'IdempotencyValidationError') return otherBody(error);
  if (name === 'IdempotencyAlreadyInProgressError') return stillRunning(error);
  // The table could not be asked: what the cause says decides what the caller is told.
  if (name === 'IdempotencyPersistenceLayerError') return cause;
  return error;
};

/**
 * Answers a request once: the same request again gets the same answer for 24 h, also one that comes after the first
 * attempt made its record and died. What `work` throws is not kept.
 * @throws AppError UNPROCESSABLE for another body; CONFLICT while the first request is running
 */
export const replyOnce: Memory['replyOnce'] = async (repeatable, context, request, work) => {
  const { route } = context;
  const { repeats } = route;
  let first: Reply<unknown> | undefined;
  const recall = async (subject: string): Promise<Kept> => ({
    status: route.status,
    body: without(await repeats?.recall(request, subject), repeats?.withoutFields),
  });
  const answerIt = async (): Promise<Kept> => {
    const made = await madeBefore(repeatable);
    if (made !== undefined) return recall(made);
    try {
      const reply = await work();
      const shown = route.output.parse(reply.body);
      first = reply;
      return { status: reply.status ?? route.status, body: without(shown, repeats?.withoutFields) };
    } catch (error) {
      // A twin that ran beside this one was faster.
      const twins = error instanceof RepeatedRequest ? await madeBefore(repeatable) : undefined;
      if (twins === undefined) throw error;
      return recall(twins);
    }
  };
  const once = makeIdempotent(async (_: Repeatable) => (await answerIt()) as never, {
    persistenceStore: storeFor(repeatable.userId),
    config: configFor(context),
  });
  try {
    const { status, body }: Kept = await once(repeatable);
    return first ?? new Reply(body, { status, headers: { 'idempotency-replayed': 'true' } });
  } catch (error) {
    throw translate(error);
  }
};
