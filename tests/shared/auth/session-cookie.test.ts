import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hosts, listRoutes } from '../../../functions/routes.ts';
import { assertSameSite } from '../../../shared/auth/session-cookie.ts';
import type { Host } from '../../../shared/http/host.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useTable } from '../../support/table/table.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  password,
  register,
} from '../../support/users/test-users.ts';

useTable();
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const host = 'handbill.test';
const dayMs = 86_400_000;
const cookieOf = ({ cookies }: Answer) => cookies?.[0]?.split(';')[0] ?? '';
const signIn = async () => {
  const response = await register(newEmail());
  return { id: response.body.user.id, email: response.body.user.email, cookie: cookieOf(response) };
};
const me = (cookie: string) => call('GET /api/auth/me', { cookies: [cookie] });

describe('the session cookie', () => {
  const attributes = (maxAge: number) => [
    expect.stringMatching(
      new RegExp(
        `^__Host-session=[\\w-]+\\.[\\w-]+\\.[\\w-]+; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=${maxAge}$`,
      ),
    ),
  ];

  it('is set at registration and sign-in until the session ends, but not by a refresh token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const email = newEmail();
    const registered = await register(email);
    const signedIn = await login(email);
    vi.setSystemTime(Date.now() + 5 * dayMs);
    const { refreshToken } = signedIn.body;
    const refreshed = await call('POST /api/auth/refresh', { body: { refreshToken } });
    expect([registered, signedIn, refreshed].map(({ cookies }) => cookies)).toEqual([
      attributes((30 * dayMs) / 1_000),
      attributes((30 * dayMs) / 1_000),
      [],
    ]);
  });

  it('is deleted at sign-out and no longer valid', async () => {
    const { cookie } = await signIn();
    const { status, cookies } = await call('POST /api/auth/logout', { cookies: [cookie] });
    expect({ status, cookies }).toEqual({
      status: 200,
      cookies: ['__Host-session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0'],
    });
    expect(await me(cookie)).toMatchObject({ status: 401, cookies: [] });
  });

  it('is not set by errors', async () => {
    const body = { email: newEmail(), password: 'wrong password' };
    expect((await call('POST /api/auth/login', { body })).cookies).toEqual([]);
  });

  it('is found among other cookies, but not by a similar name', async () => {
    const { id, cookie } = await signIn();
    const cookies = ['a=b', 'session=x', 'x__Host-session=x', ` ${cookie}`, 'c=d'];
    expect(await call('GET /api/auth/me', { cookies })).toMatchObject({ body: { data: { id } } });
    expect(await me(cookie.replace('__Host-', ''))).toMatchObject({ status: 401 });
    expect(await me(cookie.replace('__Host-', '__host-'))).toMatchObject({ status: 401 });
  });

  it('is ignored with an Authorization header, even an invalid one', async () => {
    const [ann, { cookie }] = [await newPerson(), await signIn()];
    const ask = (authorization: string) =>
      call('GET /api/auth/me', { cookies: [cookie], headers: { authorization } });
    expect(await ask(`Bearer ${ann.token}`)).toMatchObject({ body: { data: { id: ann.id } } });
    for (const wrong of ['', 'Bearer', 'Bearer x', 'Basic x']) {
      expect(await ask(wrong)).toMatchObject({ status: 401 });
    }
  });

  describe('is accepted on all routes that require sign-in', () => {
    const guarded = (Object.keys(hosts) as Host[])
      .flatMap(listRoutes)
      // Assistants send a token: by a cookie, any page could call tools.
      .filter(({ authenticate }) => authenticate === undefined)
      .filter(({ access }) => access !== 'public' && access !== 'optional')
      // Signing out comes last: it ends the session.
      .toSorted((a, b) => Number(a.path.endsWith('logout')) - Number(b.path.endsWith('logout')));
    let cookie: string;

    beforeAll(async () => {
      const { email } = await newUserOf('super_admin');
      cookie = cookieOf(await login(email));
    });

    it.each(guarded)('$method $path', async ({ method, path }) => {
      const headers = { 'content-type': 'application/json', host, origin: `https://${host}` };
      const options = { params: { id: 'garbage' }, headers, cookies: [cookie], body: '{"gar' };
      const { status } = await call(`${method} ${path}`, options);
      expect([401, 403]).not.toContain(status);
    });
  });
});

describe('the same-site rule', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  const origins = {
    same: `https://${host}`,
    'other host': 'https://evil.test',
    subdomain: `https://evil.${host}`,
    'other port': `https://${host}:8443`,
    'host as a prefix': `https://${host}.evil.test`,
    'host as a user name': `https://${host}@evil.test`,
    null: 'null',
    malformed: 'handbill',
    empty: '',
    absent: undefined,
  };
  const sites = ['same-origin', 'same-site', 'cross-site', 'none', '', undefined];
  const types = [
    'application/json',
    'APPLICATION/JSON; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'text/plain; application/json',
    '',
    undefined,
  ];

  const judge = (method: string, headers: Record<string, string | undefined>, hasBody: boolean) => {
    try {
      assertSameSite({ method, headers: { host, ...headers }, hasBody });
      return 'passes';
    } catch (error) {
      return error instanceof AppError ? error.code : error;
    }
  };

  describe.each(methods)('%s', (method) => {
    const isSafe = method === 'GET' || method === 'HEAD';

    it.each(Object.entries(origins))('from the origin: %s', (name, origin) => {
      for (const site of sites) {
        const isOwn =
          (name === 'same' || name === 'absent') && (site === 'same-origin' || site === undefined);
        for (const type of types) {
          const headers = { origin, 'sec-fetch-site': site, 'content-type': type };
          const isJson = type?.toLowerCase().split(';')[0] === 'application/json';
          const expected = (passes: boolean) => (isSafe || passes ? 'passes' : 'FORBIDDEN');
          expect(judge(method, headers, false), `${site} ${type}`).toBe(expected(isOwn));
          expect(judge(method, headers, true), `${site} ${type}`).toBe(expected(isOwn && isJson));
        }
      }
    });
  });

  it('applies to all routes: a rejected request changes nothing and gives the reason', async () => {
    const { cookie } = await signIn();
    const put = (headers: Record<string, string>) =>
      call('PUT /api/users/me', {
        cookies: [cookie],
        headers: { host, 'content-type': 'application/json', ...headers },
        body: { name: 'Eve' },
      });
    const foreign = await put({ origin: 'https://evil.test' });
    expect({ status: foreign.status, body: foreign.body }).toEqual({
      status: 403,
      body: errorBody('FORBIDDEN', 'Cross-site requests are not allowed.'),
    });
    expect(await put({ 'content-type': 'text/plain' })).toMatchObject({
      status: 403,
      body: { error: { message: 'Requests with a session cookie must use application/json.' } },
    });
    expect((await me(cookie)).body.data.name).toBe('Ann Example');
    expect(await put({ origin: `https://${host}`, 'sec-fetch-site': 'same-origin' })).toMatchObject(
      {
        status: 200,
        body: { data: { name: 'Eve' } },
      },
    );
    expect(await put({})).toMatchObject({ status: 200 });
  });

  it('does not sign out by a cross-site request', async () => {
    const { cookie } = await signIn();
    const headers = { host, 'sec-fetch-site': 'cross-site' };
    const response = await call('POST /api/auth/logout', { cookies: [cookie], headers });
    expect(response).toMatchObject({ status: 403, cookies: [] });
    expect(await me(cookie)).toMatchObject({ status: 200 });
  });

  it.each([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: `https://app.${host}` },
  ])(
    'returns tokens but no cookie for %j, so that no form can sign someone in',
    async (headers) => {
      const email = newEmail();
      const send = (endpoint: string, body: object) =>
        call(endpoint, { headers: { host, 'content-type': 'text/plain', ...headers }, body });
      const name = 'Eve Example';
      const registration = { email, name, password, confirmPassword: password };
      const registered = await send('POST /api/auth/register', registration);
      const { refreshToken } = registered.body;
      const signedIn = await send('POST /api/auth/login', { email, password });
      const refreshed = await send('POST /api/auth/refresh', { refreshToken });
      for (const { body, cookies } of [registered, signedIn, refreshed]) {
        expect(cookies).toEqual([]);
        expect(await call('GET /api/auth/me', { token: body.token })).toMatchObject({
          status: 200,
        });
      }
    },
  );

  it('sets the cookie for same-site pages', async () => {
    const { email } = await newPerson();
    const headers = { host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin' };
    const response = await call('POST /api/auth/login', { headers, body: { email, password } });
    expect(await me(cookieOf(response))).toMatchObject({ status: 200 });
  });

  it('allows cross-site reads, which the browser withholds from the page', async () => {
    const { cookie } = await signIn();
    const headers = { host, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    for (const method of ['GET', 'HEAD']) {
      const response = await call(`${method} /api/auth/me`, { cookies: [cookie], headers });
      expect(response).toMatchObject({ status: 200 });
    }
  });

  it('does not apply to bearer tokens, even with a cookie', async () => {
    const [{ token }, { cookie }] = [await newPerson(), await signIn()];
    const headers = {
      host,
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
      'content-type': 'text/plain',
    };
    const body = { name: 'Eve' };
    for (const cookies of [[], [cookie]]) {
      const response = await call('PUT /api/users/me', { token, headers, cookies, body });
      expect(response).toMatchObject({ status: 200 });
    }
  });
});

describe('using the cookie', () => {
  const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

  it('extends the session up to its maximum age', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { cookie } = await signIn();
    for (let day = 6; day < 30; day += 6) {
      advance(6 * dayMs);
      expect(await me(cookie), `day ${day}`).toMatchObject({ status: 200 });
    }
    advance(6 * dayMs - 1_000);
    expect(await me(cookie)).toMatchObject({ status: 200 });
    advance(1_000);
    expect(await me(cookie)).toMatchObject({ status: 401 });
  });

  it('fails after 7 days without use', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { cookie } = await signIn();
    advance(7 * dayMs);
    expect(await me(cookie)).toMatchObject({ status: 401 });
  });

  it('extends a session that ends within an hour', async () => {
    vi.stubEnv('JWT_REFRESH_EXPIRES', '30m');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { cookie } = await signIn();
    for (let minute = 20; minute <= 100; minute += 20) {
      advance(20 * 60_000);
      expect(await me(cookie), `minute ${minute}`).toMatchObject({ status: 200 });
    }
  });

  it('extends the session even right after a use of the access token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    vi.stubEnv('JWT_ACCESS_EXPIRES', '30d');
    const response = await register(newEmail());
    const cookie = cookieOf(response);
    advance(6 * dayMs);
    await call('GET /api/auth/me', { token: response.body.token });
    expect(await me(cookie)).toMatchObject({ status: 200 });
    advance(2 * dayMs);
    expect(await me(cookie)).toMatchObject({ status: 200 });
  });
});
