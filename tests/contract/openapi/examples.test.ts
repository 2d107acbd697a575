import { afterEach, describe, expect, it, vi } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { toAppError } from '../../../shared/runtime/error-mapping.ts';
import { document, examplesOf, operationOf } from '../../support/openapi/document.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { allTypicalCalls } from '../../support/service/all-sample-requests.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useMail } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
useMail();

const routes = listRoutes('service').filter(({ produces }) => produces === 'json');
const requests = await allTypicalCalls();

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Optional response fields. */
const optional = new Set(['message', 'password', 'html', 'link', 'pending', 'fileTotals']);

/** Fields with the variable properties of a record, a form or a method. */
const open = new Set(['before', 'after', 'fields', 'result']);

/** Returns the paths of fields in only one of two values. Does not compare null or empty values. */
const differences = (example: unknown, reply: unknown, path = ''): string[] => {
  if (Array.isArray(example) && Array.isArray(reply)) {
    if (example.length === 0 || reply.length === 0) return [];
    return differences(example[0], reply[0], `${path}[]`);
  }
  if (!isObject(example) || !isObject(reply)) return [];
  const names = [...new Set([...Object.keys(example), ...Object.keys(reply)])];
  return names.flatMap((name) => {
    if (open.has(name)) return [];
    const [one, other] = [example[name], reply[name]];
    if (optional.has(name) && (one === undefined || other === undefined)) return [];
    if (one === undefined || other === undefined) return [`${path}.${name}`];
    return differences(one, other, `${path}.${name}`);
  });
};

describe('the examples', () => {
  const samples = Object.entries(requests).flatMap(([name, prepare]) => {
    const endpoint = name.replace(/ \(.*\)$/, '');
    const route = routes.find(({ method, path }) => `${method} ${path}` === endpoint);
    return route && route.path !== '/api/openapi.json' ? [{ name, route, prepare }] : [];
  });

  it.each(samples)('have the fields of the response to $name', async ({ route, prepare }) => {
    const { method, path, status } = route;
    const send = await prepare();
    const { body } = await send();
    const media = operationOf(method, path)?.responses[String(status)]?.content?.[
      'application/json'
    ];
    const found = examplesOf(media ?? {}).map((example) => differences(example, body));
    expect(found.find((one) => one.length === 0) ?? found).toEqual([]);
  });
});

type Try = () => Promise<Answer>;

/** Replaces values that differ per request. */
const withoutChance = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/"requestId":"[^"]*"/, '"requestId":"…"')
      .replace(/in (a|\d+) (second|minute)s?/, 'in …'),
  );

const body = (error: Error) => {
  const { code, message, details } = toAppError(error);
  return { success: false, error: { code, message, details, requestId: '' } };
};

const createDocument = (token: string, title: string) =>
  call('POST /api/documents', { token, headers: { 'idempotency-key': 'one' }, body: { title } });

const failures: Readonly<Record<string, Try>> = {
  ValidationError: async () => {
    const { token } = await newUserOf('admin');
    return call('GET /api/users', { token, query: { page: '0' } });
  },
  Unauthorized: () => call('GET /api/users'),
  Forbidden: async () => {
    const { token } = await newUserOf('user');
    return call('GET /api/users', { token });
  },
  NotFound: async () => {
    const { token } = await newUserOf('admin');
    return call('GET /api/users/{id}', { token, params: { id: 'none' } });
  },
  PreconditionFailed: async () => {
    const { token } = await newUserOf('user');
    const headers = { 'if-match': '"none"' };
    return call('PUT /api/users/me', { token, headers, body: { name: 'Ann' } });
  },
  PayloadTooLarge: () =>
    call('POST /api/markdown', { body: { markdown: 'x'.repeat(256 * 1_024 + 1) } }),
  Unprocessable: async () => {
    const { token } = await newUserOf('admin');
    await createDocument(token, 'One');
    return createDocument(token, 'Another');
  },
  RateLimited: async () => {
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const ask = () => call('POST /api/auth/forgot-password', { body: { email: 'a@example.com' } });
    for (let at = 0; at < 20; at++) await ask();
    return ask();
  },
  Gone: async () => {
    const { token } = await newUserOf('user');
    const { id } = (await call('POST /api/share', { token, body: { content: 'Hi' } })).body;
    await call('POST /api/share/{id}/end', { token, params: { id } });
    return call('GET /api/share', { query: { id } });
  },
};

describe('the examples of errors', () => {
  afterEach(() => vi.unstubAllEnvs());

  const shown = (name: string): unknown =>
    document.components.responses[name].content['application/json'].example;

  it.each(Object.entries(failures))('match the response for %s', async (name, fail) => {
    expect(withoutChance((await fail()).body)).toEqual(withoutChance(shown(name)));
  });

  it('match the responses for an internal error and an unavailable service', () => {
    expect(withoutChance(body(new Error()))).toEqual(withoutChance(shown('InternalError')));
    const throttled = Object.assign(new Error(), { name: 'ThrottlingException' });
    expect(withoutChance(body(throttled))).toEqual(withoutChance(shown('ServiceUnavailable')));
  });
});
