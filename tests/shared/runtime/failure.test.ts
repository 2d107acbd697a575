import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { authenticate } from '../../../shared/auth/actor.ts';

import { userKeys } from '../../../shared/auth/keys.ts';
import { createHandler } from '../../../shared/http/create-handler.ts';
import type { Event } from '../../../shared/http/http.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { toAppError } from '../../../shared/runtime/error-mapping.ts';
import { AppError, type ErrorCode, httpStatusByCode } from '../../../shared/runtime/errors.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import {
  accessDenied,
  answerReads,
  broken,
  busy,
  mockTable,
  passingErrors,
  secretWords,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';

// The log line itself is looked at, so it has to be written, and to this console.
Object.assign(process.env, { POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_DEV: 'true' });

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const aText = expect.any(String);
const commonHeaders = {
  'x-request-id': 'the-request',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=63072000',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

let fail: unknown;

const routes = [
  route({
    endpoint: 'GET /failing',
    access: 'public',
    summary: 'Fails as the test wants it to',
    output: z.object({}),
    handle: async () => {
      throw fail;
    },
  }),
  route({
    endpoint: 'GET /failing/page',
    access: 'public',
    summary: 'Fails with a page',
    produces: 'html',
    output: z.string(),
    failurePage: ({ status, code, message, requestId }) =>
      new Reply(`<p>${status} ${code} ${message} ${requestId}</p>`, { headers: { 'x-own': '1' } }),
    handle: async () => {
      throw fail;
    },
  }),
  route({
    endpoint: 'POST /echo',
    access: 'public',
    summary: 'Answers what it was sent, and a secret beside it',
    body: z.object({ name: z.string().min(2, 'is short'), tags: z.array(z.int()).optional() }),
    output: z.object({ name: z.string(), received: z.array(z.string()) }),
    auditAction: 'none',
    handle: async ({ body }) => ({
      name: body.name,
      received: Object.keys(body),
      pk: 'USER#7',
      passwordHash: 'a hash',
    }),
  }),
  route({
    endpoint: 'GET /misfit',
    access: 'public',
    summary: 'Answers what its schema does not allow',
    output: z.object({ count: z.int() }),
    handle: async () => ({ count: 'a stored secret' as never }),
  }),
  route({
    endpoint: 'GET /mine',
    access: 'signed-in',
    scope: 'none',
    summary: 'Answers who asks',
    output: z.object({ id: z.int() }),
    handle: async ({ actor }) => ({ id: actor.user.id }),
  }),
];

const handler = createHandler(routes, { authenticate });

const send = async (routeKey: string, fields: Partial<Event> = {}) => {
  const [method = '', path = ''] = routeKey.split(' ');
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'tests' };
  const event = {
    routeKey,
    rawPath: path,
    headers: {},
    isBase64Encoded: false,
    requestContext: { http, requestId: 'the-request' },
    ...fields,
  } as Event;
  const result = await handler(event, { awsRequestId: 'the-invocation' } as Context);
  const headers = result.headers as Record<string, string>;
  const text = result.body ?? '';
  const isJson = headers['content-type'] === 'application/json; charset=utf-8';
  return { status: result.statusCode ?? 0, headers, body: isJson ? JSON.parse(text) : text };
};

const post = (body: string | undefined, fields: Partial<Event> = {}) =>
  send('POST /echo', { ...(body !== undefined && { body }), ...fields });

let written: string[];

beforeEach(() => {
  table.reset();
  written = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void written.push(parts.join(' ')));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

const envelope = (code: string, message: string, details: unknown[] = []) => ({
  success: false,
  error: { code, message, details, requestId: 'the-request' },
});

const syntaxErrorOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
};

describe('a request that the table throttles', () => {
  it('is counted, for an alarm', async () => {
    const count = vi.spyOn(getMetrics(), 'addMetric').mockImplementation(() => getMetrics());
    const errors = passingErrors();
    for (const [, error] of errors) {
      fail = error;
      expect((await send('GET /failing')).status).toBe(503);
    }
    fail = new Error('Broken');
    await send('GET /failing');
    expect(Object.entries(Object.groupBy(count.mock.calls, ([name]) => name))).toEqual([
      ['ServerErrors', expect.toSatisfy((calls) => calls.length === errors.length + 1)],
      ['TableThrottled', expect.toSatisfy((calls) => calls.length === 3)],
    ]);
  });
});

describe('an unexpected error', () => {
  it('returns a 500 without its message', async () => {
    fail = new TypeError('user.secret is not a function', { cause: new Error('inside') });
    expect(await send('GET /failing')).toEqual({
      status: 500,
      headers: { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' },
      body: envelope('INTERNAL_ERROR', 'Internal server error.'),
    });
  });

  it('is logged in one line with location and reason, without a stack', async () => {
    fail = new TypeError('it broke', { cause: new Error('inside') });
    await send('GET /failing', { headers: { authorization: 'Bearer a.secret.token' } });
    expect(written).toHaveLength(1);
    const line = JSON.parse(written[0] ?? '');
    expect(line).toMatchObject({
      level: 'ERROR',
      message: 'Request failed',
      requestId: 'the-request',
      route: 'GET /failing',
    });
    expect(line.error).toEqual({
      name: 'TypeError',
      reason: 'it broke',
      at: expect.stringMatching(/^failure\.test\.ts:\d+$/),
      cause: { name: 'Error', reason: 'inside', at: aText },
    });
    expect(written[0]).not.toMatch(/stack|node_modules|secret/);
  });

  it.each(['a thrown text', 42, undefined, null])(
    'may be %j, which is no error at all',
    async (thrown) => {
      fail = thrown;
      expect(await send('GET /failing')).toMatchObject({
        status: 500,
        body: envelope('INTERNAL_ERROR', 'Internal server error.'),
      });
      expect(JSON.parse(written[0] ?? '').error).toEqual({ name: typeof thrown });
    },
  );

  it('of AWS is logged by name and status, without ARN and table', async () => {
    fail = new Error('The list could not be read', { cause: accessDenied() });
    const response = await send('GET /failing');
    expect(told(response)).toEqual(broken('the-request'));
    expect(JSON.parse(written[0] ?? '').error).toMatchObject({
      reason: 'The list could not be read',
      cause: { name: 'AccessDeniedException', status: 400 },
    });
    const text = JSON.stringify([response, written]);
    for (const word of secretWords) expect(text).not.toContain(word);
  });

  it('of parsing is logged without the input', async () => {
    fail = syntaxErrorOf('{"email": ann@example.com}');
    await send('GET /failing');
    expect(JSON.parse(written[0] ?? '').error).toEqual({ name: 'SyntaxError', at: aText });
    expect(written[0]).not.toContain('ann');
  });

  it.each(passingErrors())('returns a 503 to retry after %s', async (_, error) => {
    fail = error;
    const response = await send('GET /failing');
    expect(told(response)).toEqual(busy('the-request'));
    expect(written).toHaveLength(1);
    const text = JSON.stringify([response, written]);
    for (const word of secretWords) expect(text).not.toContain(word);
  });

  it('includes a response that violates its schema, without revealing it', async () => {
    const response = await send('GET /misfit');
    expect(told(response)).toEqual(broken('the-request'));
    expect(JSON.stringify([response, written])).not.toContain('a stored secret');
  });
});

describe('a public error', () => {
  it.each(Object.entries(httpStatusByCode))(
    'with code %s has the status %i',
    async (code, status) => {
      const details = [{ field: 'name', message: 'is wrong' }];
      fail = new AppError(code as ErrorCode, 'What is wrong', {
        cause: new Error('inside'),
        details,
        headers: { 'retry-after': '7' },
        extra: { points: 0 },
      });
      expect(await send('GET /failing')).toEqual({
        status,
        headers: {
          ...commonHeaders,
          'content-type': 'application/json; charset=utf-8',
          'retry-after': '7',
        },
        body: { ...envelope(code, 'What is wrong', details), points: 0 },
      });
      expect(written).toHaveLength(status < 500 ? 0 : 1);
    },
  );

  it('is rendered by the route’s error page, if it has one', async () => {
    fail = new AppError('GONE', 'It has ended', { headers: { 'x-more': '2' } });
    expect(await send('GET /failing/page')).toEqual({
      status: 410,
      headers: {
        ...commonHeaders,
        'content-type': 'text/html; charset=utf-8',
        'x-own': '1',
        'x-more': '2',
      },
      body: '<p>410 GONE It has ended the-request</p>',
    });
  });

  it('is a 404 for an unknown route', async () => {
    expect(await send('GET /nowhere')).toMatchObject({
      status: 404,
      body: envelope('NOT_FOUND', 'Not found.'),
    });
  });
});

describe('a body', () => {
  const success = { name: 'Ann', received: ['name'] };

  it('returns only fields of the schema', async () => {
    expect(await post('{"name":"Ann"}')).toEqual({
      status: 200,
      headers: { ...commonHeaders, 'content-type': 'application/json; charset=utf-8' },
      body: success,
    });
    expect(written).toEqual([]);
  });

  it('ignores unknown fields', async () => {
    const body = '{"name":"Ann","role":"super_admin","__proto__":{"tags":[1]},"constructor":1}';
    expect(await post(body)).toMatchObject({ status: 200, body: success });
  });

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', ''])(
    'is JSON whatever the content type says: %j',
    async (type) => {
      const headers = { 'content-type': type };
      expect(await post('{"name":"Ann"}', { headers })).toMatchObject({ body: success });
    },
  );

  it('may be base64', async () => {
    const body = Buffer.from('{"name":"Änn ☂"}').toString('base64');
    expect(await post(body, { isBase64Encoded: true })).toMatchObject({
      status: 200,
      body: { name: 'Änn ☂' },
    });
  });

  it.each(['{', '{"name":"Ann"', 'name=Ann', '{"name":"Ann"} x', "{'name':'Ann'}"])(
    'that is not JSON is a 400: %s',
    async (body) => {
      const { status, body: response } = await post(body);
      expect({ status, answer: response }).toEqual({
        status: 400,
        answer: envelope('VALIDATION_ERROR', 'Invalid body: must be valid JSON.', [
          { field: 'body', message: 'must be valid JSON' },
        ]),
      });
      expect(written).toEqual([]);
    },
  );

  it.each([undefined, '', ' \n', '{}'])(
    'that is empty (%j) returns the missing fields',
    async (body) => {
      expect(await post(body)).toMatchObject({
        status: 400,
        body: envelope('VALIDATION_ERROR', 'Invalid name: is required.', [
          { field: 'name', message: 'is required' },
        ]),
      });
    },
  );

  it.each(['null', '[]', '"Ann"', '7'])('that is not an object is a 400: %s', async (body) => {
    const { status, body: response } = await post(body);
    expect(status).toBe(400);
    expect(response.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'body', message: aText }],
    });
  });

  it('returns all invalid fields, also within a list', async () => {
    const { status, body } = await post('{"name":"A","tags":[1,"two"]}');
    expect({ status, body }).toEqual({
      status: 400,
      body: envelope('VALIDATION_ERROR', 'Invalid name: is short.', [
        { field: 'name', message: 'is short' },
        { field: 'tags.1', message: aText },
      ]),
    });
  });
});

describe('authenticating a request', () => {
  const mine = async () => {
    const ann = await signedIn();
    const headers = { authorization: `Bearer ${ann.token}` };
    return { ann, answer: () => send('GET /mine', { headers }) };
  };

  it('reads user and session in one strongly consistent batch', async () => {
    const { ann, answer: response } = await mine();
    answerReads(table, ann.items);
    expect(await response()).toMatchObject({ status: 200, body: { id: ann.user.id } });
    const Keys = [
      userKeys.record.at({ id: ann.user.id }),
      userKeys.session.at({ userId: ann.user.id, id: ann.session.id }),
    ];
    expect(sent(table, BatchGetCommand)).toEqual([
      { RequestItems: { 'handbill-test': { Keys, ConsistentRead: true } } },
    ]);
  });

  it('reads only unprocessed keys again', async () => {
    const { ann, answer: response } = await mine();
    const [user, session] = ann.items;
    const left = {
      'handbill-test': {
        Keys: [userKeys.session.at({ userId: 7, id: ann.session.id })],
        ConsistentRead: true,
      },
    };
    table
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { 'handbill-test': [user ?? {}] }, UnprocessedKeys: left })
      .resolves({ Responses: { 'handbill-test': [session ?? {}] } });
    expect(await response()).toMatchObject({ status: 200, body: { id: ann.user.id } });
    expect(sent(table, BatchGetCommand)[1]).toEqual({ RequestItems: left });
  });

  it('returns a 503, never a 401, when keys remain unprocessed', async () => {
    const { ann, answer: response } = await mine();
    const left = {
      'handbill-test': { Keys: [userKeys.record.at({ id: ann.user.id })], ConsistentRead: true },
    };
    table.on(BatchGetCommand).resolves({ UnprocessedKeys: left });
    expect(told(await response())).toEqual(busy('the-request'));
    expect(sent(table, BatchGetCommand)).toHaveLength(6);
    for (const word of [ann.token, ...secretWords]) expect(written.join()).not.toContain(word);
  });

  it.each(passingErrors())('returns a 503, never a 401, after %s', async (_, error) => {
    const { answer: response } = await mine();
    table.on(BatchGetCommand).rejects(error);
    expect(told(await response())).toEqual(busy('the-request'));
  });
});

it('treats an unreadable 502 of a dependency as transient', () => {
  const error = Object.assign(new SyntaxError('Unexpected token <'), {
    $metadata: { httpStatusCode: 502, attempts: 3 },
  });
  expect(toAppError(error).status).toBe(503);
});
