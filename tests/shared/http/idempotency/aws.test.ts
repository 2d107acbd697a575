// What a request decides about its key that a real table does not bring about; `failures.test.ts` has the rest.
import { createHmac } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
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
import { accessDenied, conditionFailed, mockTable } from '../../../support/aws/errors.ts';

const table = mockTable();
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

describe('a failed request', () => {
  it('throws its own error, whether its claim can be released or not', async () => {
    const failure = new AppError('FORBIDDEN', 'Not for you');
    run.mockRejectedValue(failure);
    expect(await failureOf(answer())).toBe(failure);
    table.on(DeleteCommand).rejects(accessDenied());
    expect(await failureOf(answer())).toBe(failure);
    kept({ token: 'another attempt' });
    expect(await failureOf(answer())).toBe(failure);
  });

  it('rejects another body, of a later attempt that has created the record', async () => {
    run.mockRejectedValue(new Error('too slow'));
    kept({ subject: 'thing:1', hash: otherHash });
    expect(await failureOf(answer())).toMatchObject({ code: 'UNPROCESSABLE' });
    expect(replay).not.toHaveBeenCalled();
  });
});

describe('a repeated request', () => {
  it('replays a record whose response was too long to store', async () => {
    found({ subject: 'thing:1', result: '{"status":200}' });
    expect(await answer()).toMatchObject({ status: 200, body: { name: 'recalled' } });
  });
});
