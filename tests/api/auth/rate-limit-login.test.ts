import { describe, expect, it, vi } from 'vitest';
import { loginLimits } from '../../../functions/api/auth/limits.ts';
import { consumeToken } from '../../../shared/http/rate-limit.ts';
import { getMetrics } from '../../../shared/runtime/telemetry.ts';
import { entries } from '../../support/service/audit.ts';
import { errorBody } from '../../support/service/error-body.ts';
import {
  type Answered,
  statusesOf,
  times,
  useLimitedService,
} from '../../support/service/limited-service.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail, newUserOf, password } from '../../support/users/test-users.ts';

useTable();
const { start, moveTo, send } = useLimitedService();

const login = (email: string, given = password) =>
  send('POST /api/auth/login', { body: { email, password: given } });

/** Consumes n tokens of one bucket. */
const drain = async (name: string, who: string, tokens: number) => {
  const limit = loginLimits.find((one) => one.name === name);
  if (!limit) throw new Error(`There is no limit ${name}`);
  for (let taken = 0; taken < tokens; taken++)
    await consumeToken(limit, who, AbortSignal.timeout(10_000));
};

describe('POST /api/auth/login', () => {
  /** Variants of a failed login to one account, each with a different request. */
  const spellings = (email: string): readonly (readonly [string, () => Promise<Answered>])[] => {
    const wrong = (body: unknown, headers = {}) => send('POST /api/auth/login', { body, headers });
    const plain = { email, password: 'wrong horse' };
    return [
      ['X-Forwarded-For', () => wrong(plain, { 'x-forwarded-for': '203.0.113.9' })],
      ['Forwarded', () => wrong(plain, { forwarded: 'for="[2001:db8::1]"' })],
      ['X-Real-IP', () => wrong(plain, { 'x-real-ip': '203.0.113.10' })],
      ['User-Agent', () => wrong(plain, { 'user-agent': 'another browser' })],
      ['upper case', () => wrong({ ...plain, email: email.toUpperCase() })],
      ['mixed case', () => wrong({ ...plain, email: email.replace('a', 'A') })],
      ['extra fields', () => wrong({ ...plain, ip: '203.0.113.9', network: 'x', id: 1 })],
      ['a key twice', () => wrong(`{"email":"x@example.com",${JSON.stringify(plain).slice(1)}`)],
      ['escapes', () => wrong(JSON.stringify(plain).replace('@', '\\u0040'))],
      ['base64', () => wrong(plain, { 'content-type': 'application/octet-stream' })],
      ['a query', () => send('POST /api/auth/login?email=x@example.com', { body: plain })],
      ['a fragment of a query', () => send('POST /api/auth/login?', { body: plain })],
      ['a dot segment', () => send('POST /api/x/../auth/./login', { body: plain })],
    ];
  };

  it('accepts 10 of 30 incorrect attempts, however they are spelled', async () => {
    const { email } = await newUserOf('user');
    const all = spellings(email);
    const statuses = await statusesOf(
      30,
      (index) => (all[index % all.length]?.[1] ?? all[0]?.[1])?.() as Promise<Answered>,
    );
    expect(statuses).toEqual([...times(10, 401), ...times(20, 429)]);
  });

  it('uses the same bucket or returns 404, however its path is spelled', async () => {
    const { email } = await newUserOf('user');
    expect(await statusesOf(10, () => login(email, 'wrong horse'))).toEqual(times(10, 401));
    for (const path of [
      '/api/auth/login/',
      '/api//auth/login',
      '/api/auth/Login',
      '/api/auth/log%69n',
      '/api%2fauth/login',
      '/api/auth/login;x=1',
      '/api/auth/login%20',
    ]) {
      const { status } = await send(`POST ${path}`, { body: { email, password } });
      expect([404, 405, 429], path).toContain(status);
    }
  });

  it.each([
    'ann@exampl\u212Ae.com',
    'a\u0130n@example.com',
    'an\u017Fn@example.com',
    'ann@example.com\u0000',
    'ann@e\uFF58ample.com',
  ])('rejects an address that could normalize to another: %j', async (email) => {
    const { status, headers } = await login(email);
    expect([status, headers.ratelimit]).toEqual([400, undefined]);
  });

  it('counts an address with a tag as a separate account', async () => {
    const email = newEmail();
    await newUserOf('user', { email });
    expect(await statusesOf(11, () => login(email, 'wrong horse'))).toContain(429);
    expect((await login(email.replace('@', '+tag@'))).status).toBe(401);
  });

  it('does not affect sessions, other addresses and other users', async () => {
    const [ann, bob] = [await newUserOf('user'), await newUserOf('user')];
    expect(await statusesOf(12, () => login(ann.email, 'wrong horse'))).toEqual([
      ...times(10, 401),
      ...times(2, 429),
    ]);
    expect((await login(ann.email)).status).toBe(429);
    expect((await send('GET /api/auth/me', { token: ann.token })).status).toBe(200);
    const { refreshToken } = ann;
    expect((await send('POST /api/auth/refresh', { body: { refreshToken } })).status).toBe(200);
    expect((await login(bob.email)).status).toBe(200);
    moveTo();
    expect((await login(ann.email)).status).toBe(200);
  });

  it('counts the addresses of an IPv6 /64 as one', async () => {
    const { email } = await newUserOf('user');
    const statuses = await statusesOf(11, (index) => {
      moveTo(`2001:db8:0:1::${index.toString(16)}`);
      return login(email, 'wrong horse');
    });
    expect(statuses).toEqual([...times(10, 401), 429]);
    moveTo('2001:db8:0:2::1');
    expect((await login(email)).status).toBe(200);
  });

  it('returns the remaining attempts and Retry-After', async () => {
    const { email } = await newUserOf('user');
    const policy = '"login";q=10;w=900';
    const first = await login(email, 'wrong horse');
    expect(first.headers).toMatchObject({
      'ratelimit-policy': policy,
      ratelimit: '"login";r=9;t=90',
    });
    expect(first.headers['retry-after']).toBeUndefined();
    await statusesOf(9, () => login(email, 'wrong horse'));
    vi.setSystemTime(start + 29_500);
    const { status, headers, text } = await login(email);
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'ratelimit-policy': policy,
      ratelimit: '"login";r=0;t=61',
      'retry-after': '61',
    });
    expect(JSON.parse(text)).toEqual(
      errorBody('RATE_LIMITED', 'Too many requests. Try again in 61 seconds.'),
    );
    vi.setSystemTime(start + 29_500 + 61_000);
    expect((await login(email)).status).toBe(200);
  });

  it('consumes no token of the caller if only the bucket across addresses rejects', async () => {
    const { email } = await newUserOf('user');
    await drain('login-email', email, 99);
    const refused = await login(email);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"login";q=10;w=900, "login-email";q=100;w=900',
      ratelimit: '"login";r=10;t=0, "login-email";r=0;t=9',
      'retry-after': '9',
    });
    vi.setSystemTime(start + 9_000);
    const { status, headers } = await login(email);
    expect([status, headers.ratelimit]).toEqual([200, '"login";r=9;t=90, "login-email";r=0;t=9']);
  });

  it('accepts 100 attempts from an address across accounts and audits none beyond', async () => {
    const address = '203.0.113.7';
    moveTo(address);
    await drain('login-address', address, 97);
    const before = await entries();
    expect(await statusesOf(5, () => login(newEmail()))).toEqual([...times(3, 401), 429, 429]);
    const refused = await login(newEmail());
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"login-address";q=100;w=900',
      ratelimit: '"login-address";r=0;t=9',
      'retry-after': '9',
    });
    expect(await entries()).toHaveLength(before.length + 3);
    const { email } = await newUserOf('user');
    expect((await login(email)).status).toBe(429);
    moveTo();
    expect((await login(email)).status).toBe(200);
  });

  it('consumes nothing for an invalid request', async () => {
    const { email } = await newUserOf('user');
    expect(await statusesOf(11, () => login(email, 'short'))).toEqual(times(11, 400));
    expect((await login(email)).headers.ratelimit).toBe('"login";r=9;t=90');
  });

  it('counts rejected requests as a metric', async () => {
    const { email } = await newUserOf('user');
    const metric = vi.spyOn(getMetrics(), 'addMetric');
    await statusesOf(12, () => login(email, 'wrong horse'));
    const counted = metric.mock.calls.map(([name]) => name);
    expect(counted).toEqual([...Array(10).fill('LoginFailures'), 'RateLimited', 'RateLimited']);
  });
});

describe('POST /api/auth/forgot-password', () => {
  it('accepts 20 requests an hour from an address across accounts', async () => {
    const forgotten = () => forgot(newEmail());
    expect(await statusesOf(22, forgotten)).toEqual([...times(20, 200), 429, 429]);
    expect((await forgotten()).headers).toMatchObject({
      ratelimit: '"forgot-address";r=0;t=180',
      'retry-after': '180',
    });
    moveTo();
    expect((await forgotten()).status).toBe(200);
  });

  const forgot = (email: string) => send('POST /api/auth/forgot-password', { body: { email } });
});
