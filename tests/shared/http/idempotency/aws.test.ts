import { createHmac } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Step } from '../../../../shared/db/transaction.ts';
import type { RequestContext } from '../../../../shared/http/http.ts';
import { replyIdempotently } from '../../../../shared/http/idempotency/idempotency.ts';
import type { IdempotentOperation } from '../../../../shared/http/idempotency/idempotency-key.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { route } from '../../../../shared/http/route.ts';
import { toAppError } from '../../../../shared/runtime/error-mapping.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import {
  accessDenied,
  mockTable,
  passingErrors,
  secretWords,
  sent,
} from '../../../support/aws/errors.ts';

/** The client that the library sends its own commands by, and that of ours. */
const store = mockClient(DynamoDBClient);
const table = mockTable();
const TableName = 'handbill-test';
const remainingMs = 20_000;

const Thing = z.object({ id: z.int(), name: z.string(), secret: z.string().optional() });
const things = route({
  endpoint: 'POST /api/things',
  access: 'signed-in',
  summary: 'Make a thing',
  status: 201,
  body: z.object({ name: z.string() }),
  output: Thing,
  auditAction: 'thing.create',
  idempotency: { withoutFields: ['secret'], replay: async () => ({ id: 1, name: 'recalled' }) },
  handle: async () => ({ id: 1, name: 'made' }),
});
const context = {
  route: things,
  getRemainingTimeInMillis: () => remainingMs,
} as unknown as RequestContext & Context;
const repeatable = {
  userId: 7,
  endpoint: 'POST /api/things',
  key: 'key-1',
  body: { name: 'a thing', password: 'correct horse' },
};
const keyedHash = (body: unknown) =>
  createHmac('sha256', process.env['JWT_SECRET'] ?? '')
    .update(`repeat ${JSON.stringify(body)}`)
    .digest('base64url');

const made = new Reply({ id: 1, name: 'made', secret: 'shown once', passwordHash: 'stripped' });
const run = vi.fn<IdempotentOperation['run']>();
const replay = vi.fn<IdempotentOperation['replay']>();
const answer = () => replyIdempotently(repeatable, context, { run, replay });

beforeEach(() => {
  store.reset();
  table.reset();
  store.resolves({});
  table.resolves({});
  run.mockReset().mockResolvedValue(made);
  replay.mockReset().mockResolvedValue({ id: 1, name: 'recalled' });
});

const putOf = (at = 0) =>
  store.commandCalls(PutItemCommand)[at]?.args[0].input as PutItemCommandInput;

/** Lets the first put meet a record: as it is in the table then. */
const meet = (existing: (input: PutItemCommandInput) => PutItemCommandInput['Item']) =>
  store.on(PutItemCommand).callsFake(async (input: PutItemCommandInput) => {
    const Item = existing(input);
    throw new ConditionalCheckFailedException({
      message: 'The conditional request failed',
      $metadata: {},
      ...(Item && { Item }),
    });
  });
const marked = (bodyHash: string, ttl = Date.now()) =>
  table.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
    const [{ pk, sk }] = RequestItems[TableName].Keys;
    return { Responses: { [TableName]: [{ pk, sk, subject: 'thing:1', bodyHash, ttl }] } };
  });
const failureOf = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.unreachable(),
    (error) => toAppError(error),
  );

describe('a first request', () => {
  it('reserves its key conditionally and stores its response without fields shown once', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 12) });
    expect(await answer()).toBe(made);
    const seconds = Date.now() / 1_000;
    const put = putOf();
    expect(unmarshall(put.Item ?? {})).toEqual({
      pk: 'IDEMPOTENCY#7',
      sk: expect.stringMatching(/^REPLY#[\w+/]{43}=$/),
      status: 'INPROGRESS',
      ttl: seconds + 86_400,
      in_progress_expiration: expect.any(Number),
      validation: expect.any(String),
    });
    const until = Number(put.Item?.['in_progress_expiration']?.N) - Date.now();
    expect(Math.floor(until)).toBe(remainingMs);
    expect(put).toMatchObject({
      TableName,
      ConditionExpression:
        'attribute_not_exists(#id) OR #expiry < :now OR (#status = :inprogress AND attribute_exists(#in_progress_expiry) AND #in_progress_expiry < :now_in_millis)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const [update] = store.commandCalls(UpdateItemCommand);
    const { Key, ExpressionAttributeValues: values = {} } = update?.args[0].input ?? {};
    expect(unmarshall(Key ?? {})).toEqual({ pk: 'IDEMPOTENCY#7', sk: put.Item?.['sk']?.S });
    expect(unmarshall(values)).toMatchObject({
      ':status': 'COMPLETED',
      ':expiry': seconds + 86_400,
      ':response_data': { status: 201, body: '{"id":1,"name":"made"}' },
    });
    expect(JSON.stringify(store.calls().map(({ args }) => args[0].input))).not.toMatch(
      /correct horse|shown once|stripped|key-1/,
    );
    expect(table.calls()).toEqual([]);
    vi.useRealTimers();
  });

  it('writes a marker, which may replace an expired one', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 12) });
    await answer();
    const step = run.mock.calls[0]?.[0]('thing:1') as Step;
    const seconds = Date.now() / 1_000;
    vi.useRealTimers();
    expect(step.write).toEqual({
      Put: {
        TableName,
        Item: {
          pk: 'IDEMPOTENCY#7',
          sk: expect.stringMatching(/^CREATED#[\w-]{43}$/),
          subject: 'thing:1',
          bodyHash: keyedHash(repeatable.body),
          ttl: seconds + 86_400,
        },
        ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': seconds },
      },
    });
  });

  it('continues after finding its own record, when the response to the first put was lost', async () => {
    meet(({ Item }) => Item);
    expect(await answer()).toBe(made);
    expect(run).toHaveBeenCalledOnce();
  });

  it('waits for a concurrent request of the same millisecond', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0.25);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await answer();
    const ofTwin = putOf().Item;
    random.mockReturnValueOnce(0.75);
    meet(() => ofTwin);
    expect(await failureOf(answer())).toMatchObject({
      ...{ code: 'CONFLICT', headers: { 'retry-after': '1' } },
      message: 'A request with this Idempotency-Key is in progress.',
    });
    expect(run).toHaveBeenCalledOnce();
    random.mockRestore();
    vi.useRealTimers();
  });

  it('responds even if its response cannot be stored', async () => {
    store.on(UpdateItemCommand).rejects(passingErrors()[0]?.[1]);
    expect(await answer()).toBe(made);
    expect(run).toHaveBeenCalledOnce();
  });

  it('throws its own error even if its record cannot be deleted', async () => {
    const failure = new AppError('FORBIDDEN', 'Not for you');
    run.mockRejectedValue(failure);
    store.on(DeleteItemCommand).rejects(passingErrors()[0]?.[1]);
    expect(await failureOf(answer())).toBe(failure);
    expect(store.commandCalls(UpdateItemCommand)).toEqual([]);
  });

  it.each(passingErrors())(
    'does nothing and returns 503 after %s on its record',
    async (_, error) => {
      store.on(PutItemCommand).rejects(error);
      expect(await failureOf(answer())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(run).not.toHaveBeenCalled();
    },
  );

  it('does not reveal messages of AWS', async () => {
    store.on(PutItemCommand).rejects(accessDenied());
    const { code, message } = await failureOf(answer());
    expect(code).toBe('INTERNAL_ERROR');
    for (const word of secretWords) expect(message).not.toContain(word);
  });
});

describe('a request that ran before', () => {
  const repeated = new AppError('CONFLICT', 'A request with this Idempotency-Key is in progress.');

  it('replays it and stores that response', async () => {
    run.mockRejectedValue(repeated);
    marked(keyedHash(repeatable.body));
    expect(await answer()).toEqual(
      new Reply(
        { id: 1, name: 'recalled' },
        { status: 201, headers: { 'idempotency-replayed': 'true' } },
      ),
    );
    expect(replay).toHaveBeenCalledExactlyOnceWith('thing:1');
    const [read] = sent(table, BatchGetCommand);
    expect(read?.RequestItems?.[TableName]).toMatchObject({
      ConsistentRead: true,
      Keys: [{ pk: 'IDEMPOTENCY#7', sk: expect.stringMatching(/^CREATED#/) }],
    });
    expect(store.commandCalls(UpdateItemCommand)).toHaveLength(1);
  });

  it.each(passingErrors())('replays it after %s', async (_, error) => {
    run.mockRejectedValue(error);
    marked(keyedHash(repeatable.body));
    expect(await answer()).toMatchObject({ status: 201, body: { name: 'recalled' } });
  });

  it('rejects another body', async () => {
    run.mockRejectedValue(repeated);
    marked(keyedHash({ ...repeatable.body, password: 'another' }));
    expect(await failureOf(answer())).toMatchObject({ code: 'UNPROCESSABLE' });
    expect(replay).not.toHaveBeenCalled();
  });

  it('throws its error if nothing was created, or the marker is expired or unreadable', async () => {
    const failure = new AppError('CONFLICT', 'Taken');
    run.mockRejectedValue(failure);
    expect(await failureOf(answer())).toBe(failure);
    marked(keyedHash(repeatable.body), Math.floor(Date.now() / 1_000) - 1);
    expect(await failureOf(answer())).toBe(failure);
    table.on(BatchGetCommand).rejects(accessDenied());
    expect(await failureOf(answer())).toBe(failure);
    expect(store.commandCalls(DeleteItemCommand)).toHaveLength(3);
  });
});

describe('a repeated request', () => {
  const completed = (input: PutItemCommandInput): PutItemCommandInput['Item'] => ({
    ...input.Item,
    status: { S: 'COMPLETED' },
    data: { M: { status: { N: '201' }, body: { S: '{"id":1,"name":"made"}' } } },
  });

  it('returns the stored response and reads nothing else', async () => {
    meet(completed);
    expect(await answer()).toEqual(
      new Reply(
        { id: 1, name: 'made' },
        { status: 201, headers: { 'idempotency-replayed': 'true' } },
      ),
    );
    expect(run).not.toHaveBeenCalled();
    expect([store.calls().length, table.calls().length]).toEqual([1, 0]);
  });

  it('rejects another body, whether the first request is complete or in progress', async () => {
    for (const status of ['COMPLETED', 'INPROGRESS']) {
      meet((input) => ({
        ...input.Item,
        ...{ status: { S: status }, validation: { S: 'other' } },
        in_progress_expiration: { N: String(Date.now() + 1_000) },
      }));
      expect(await failureOf(answer())).toMatchObject({
        code: 'UNPROCESSABLE',
        details: [{ field: 'idempotency-key', message: 'must be new for a different body' }],
      });
    }
    expect(run).not.toHaveBeenCalled();
  });
});
