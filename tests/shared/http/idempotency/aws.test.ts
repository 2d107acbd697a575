import { createHmac } from 'node:crypto';
import {
  BatchGetCommand,
  DeleteCommand,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { RequestContext } from '../../../../shared/http/http.ts';
import { replyIdempotently } from '../../../../shared/http/idempotency/idempotency.ts';
import type { IdempotentOperation } from '../../../../shared/http/idempotency/idempotency-key.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { route } from '../../../../shared/http/route.ts';
import { toAppError } from '../../../../shared/runtime/error-mapping.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import {
  accessDenied,
  conditionFailed,
  mockTable,
  passingErrors,
  secretWords,
  sent,
} from '../../../support/aws/errors.ts';

const table = mockTable();
const TableName = 'handbill-test';
const remainingMs = 20_000;
const now = Date.UTC(2026, 10, 21, 12);

const Thing = z.object({ id: z.int(), name: z.string(), secret: z.string().optional() });
const things = route({
  endpoint: 'POST /api/things',
  access: 'signed-in',
  scope: 'none',
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
const hashOf = (body: unknown) =>
  createHmac('sha256', process.env['JWT_SECRET'] ?? '')
    .update(`repeat ${JSON.stringify(body)}`)
    .digest('base64url');
const hash = hashOf(repeatable.body);
const otherHash = hashOf({ ...repeatable.body, password: 'another' });

const made = new Reply({ id: 1, name: 'made', secret: 'shown once', passwordHash: 'stripped' });
const replayed = (name: string) =>
  new Reply({ id: 1, name }, { status: 201, headers: { 'idempotency-replayed': 'true' } });
const run = vi.fn<IdempotentOperation['run']>();
const replay = vi.fn<IdempotentOperation['replay']>();
const answer = () => replyIdempotently(repeatable, context, { run, replay });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  table.reset();
  table.resolves({});
  run.mockReset().mockResolvedValue(made);
  replay.mockReset().mockResolvedValue({ id: 1, name: 'recalled' });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets the claim find what is in the table. */
const found = (claim: object) =>
  table.on(PutCommand).rejects(conditionFailed({ token: 'other', hash, ...claim }));
/** Lets the release of the claim find what is in the table. */
const kept = (claim: object) =>
  table.on(DeleteCommand).rejects(conditionFailed({ token: 'mine', hash, ...claim }));
const failureOf = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.unreachable(),
    (error) => toAppError(error),
  );

describe('a first request', () => {
  it('claims its key and stores its response without fields shown once', async () => {
    expect(await answer()).toBe(made);
    const [put] = sent(table, PutCommand) as [PutCommandInput];
    const key = { pk: 'IDEMPOTENCY#7', sk: expect.stringMatching(/^REQUEST#[\w-]{43}$/) };
    expect(put.Item).toEqual({
      ...key,
      token: expect.stringMatching(/^[\w-]{22}$/),
      claimedUntil: now + remainingMs,
      hash,
      ttl: now / 1_000 + 86_400,
    });
    const [update] = sent(table, UpdateCommand);
    expect(update).toMatchObject({
      Key: key,
      ExpressionAttributeValues: {
        ':token': put.Item?.['token'],
        ':result': '{"status":201,"body":{"id":1,"name":"made"}}',
      },
    });
    expect(table.calls()).toHaveLength(2);
    expect(JSON.stringify([put, update])).not.toMatch(/correct horse|shown once|stripped|key-1/);
  });

  it('names what it creates in its claim, unless it has lost it', async () => {
    await answer();
    const [{ Item: { token } = {} }] = sent(table, PutCommand) as [PutCommandInput];
    const { write, refused } = run.mock.calls[0]?.[0]('thing:1') ?? expect.unreachable();
    expect(write?.Update).toMatchObject({
      TableName,
      UpdateExpression: 'SET subject = :subject',
      ConditionExpression: '#token = :token AND attribute_not_exists(subject)',
      ExpressionAttributeValues: { ':token': token, ':subject': 'thing:1' },
    });
    expect(refused).toBeTypeOf('function');
    expect((refused as () => Error)()).toMatchObject({ code: 'CONFLICT' });
  });

  it('responds even if its response cannot be stored', async () => {
    table.on(UpdateCommand).rejects(passingErrors()[0]?.[1]);
    expect(await answer()).toBe(made);
  });

  it('throws its own error, whether its claim can be released or not', async () => {
    const failure = new AppError('FORBIDDEN', 'Not for you');
    run.mockRejectedValue(failure);
    expect(await failureOf(answer())).toBe(failure);
    table.on(DeleteCommand).rejects(accessDenied());
    expect(await failureOf(answer())).toBe(failure);
    kept({ token: 'another attempt' });
    expect(await failureOf(answer())).toBe(failure);
    expect(sent(table, DeleteCommand)).toHaveLength(3);
    expect(sent(table, UpdateCommand)).toEqual([]);
  });

  it.each(passingErrors())('does nothing and returns 503 after %s', async (_, error) => {
    table.on(PutCommand).rejects(error);
    expect(await failureOf(answer())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(run).not.toHaveBeenCalled();
  });

  it('does not reveal messages of AWS', async () => {
    table.on(PutCommand).rejects(accessDenied());
    const { code, message } = await failureOf(answer());
    expect(code).toBe('INTERNAL_ERROR');
    for (const word of secretWords) expect(message).not.toContain(word);
  });
});

describe('a failed request whose record exists', () => {
  it.each(passingErrors())('replays it and stores that response after %s', async (_, error) => {
    run.mockRejectedValue(error);
    kept({ subject: 'thing:1' });
    expect(await answer()).toEqual(replayed('recalled'));
    expect(replay).toHaveBeenCalledExactlyOnceWith('thing:1');
    expect(sent(table, UpdateCommand)).toMatchObject([
      { ExpressionAttributeValues: { ':token': 'mine' } },
    ]);
  });

  it('rejects another body, of a later attempt', async () => {
    run.mockRejectedValue(new Error('too slow'));
    kept({ subject: 'thing:1', hash: otherHash });
    expect(await failureOf(answer())).toMatchObject({ code: 'UNPROCESSABLE' });
    expect(replay).not.toHaveBeenCalled();
  });
});

describe('a repeated request', () => {
  it('returns the stored response and reads nothing else', async () => {
    found({ result: '{"status":201,"body":{"id":1,"name":"made"}}' });
    expect(await answer()).toEqual(replayed('made'));
    expect(run).not.toHaveBeenCalled();
    expect(table.calls()).toHaveLength(1);
  });

  it('replays a record whose response was too long to store', async () => {
    found({ subject: 'thing:1', result: '{"status":200}' });
    expect(await answer()).toMatchObject({ status: 200, body: { name: 'recalled' } });
    expect(sent(table, UpdateCommand)).toEqual([]);
  });

  it('replays the record of a request that has not stored its response', async () => {
    found({ subject: 'thing:1', claimedUntil: now + 1_000 });
    expect(await answer()).toEqual(replayed('recalled'));
    expect(sent(table, UpdateCommand)).toHaveLength(1);
  });

  it('returns 409 while the first one runs', async () => {
    found({ claimedUntil: now + 1_000 });
    expect(await failureOf(answer())).toMatchObject({
      ...{ code: 'CONFLICT', headers: { 'retry-after': '1' } },
      message: 'A request with this Idempotency-Key is in progress.',
    });
    expect(run).not.toHaveBeenCalled();
  });

  it.each([
    ['is stored', { result: '{"status":201,"body":{}}' }],
    ['is running', { claimedUntil: now + 1_000 }],
    ['has created its record', { claimedUntil: now + 1_000, subject: 'thing:1' }],
  ])('rejects another body if the first one %s', async (_, claim) => {
    found({ ...claim, hash: otherHash });
    expect(await failureOf(answer())).toMatchObject({
      code: 'UNPROCESSABLE',
      details: [{ field: 'idempotency-key', message: 'must be new for a different body' }],
    });
    expect(run).not.toHaveBeenCalled();
    expect(sent(table, BatchGetCommand)).toEqual([]);
  });
});
