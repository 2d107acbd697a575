import { SignJWT } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { getSettings } from '../../../shared/auth/notification-settings.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { profile, refresh } from '../../support/users/account.ts';
import {
  login,
  newEmail,
  newPerson,
  password,
  register,
  setUser,
} from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.useRealTimers());

const statuses = (responses: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const atTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe('POST /api/auth/register', () => {
  it('returns 201 with the user and the tokens, in both forms', async () => {
    const email = newEmail();
    const { status, body } = await register(email);
    expect(status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const user = {
      id: expect.any(Number),
      email,
      emailVerified: false,
      pendingEmail: null,
      emailProblem: null,
      username: email.slice(0, email.indexOf('@')).slice(0, 32),
      name: 'Ann Example',
      role: 'user',
      permissions: ['documents:view', 'files:view', 'messages:view', 'calendar:view'],
      status: 'active',
      deletesAt: null,
      invited: false,
      avatar: null,
      phone: null,
      timezone: null,
      created_at: time,
      updated_at: time,
      createdAt: time,
      updatedAt: time,
      lastLoginAt: time,
      version: 1,
      notificationSettings: getSettings(),
    };
    const { accessToken, refreshToken } = body;
    expect(body).toEqual({
      success: true,
      data: { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: 900, user },
      message: 'Welcome',
      accessToken,
      refreshToken,
      token: accessToken,
      user,
    });
    expect(Number.isSafeInteger(body.user.id)).toBe(true);
    expect((await profile(accessToken)).body).toEqual({ success: true, data: user });
  });

  it('names every invalid field', async () => {
    const body = { email: 'nobody', name: 'A', password: '12345', confirmPassword: '1234' };
    const response = await call('POST /api/auth/register', { body });
    expect(response.status).toBe(400);
    expect(response.body.error.code).toBe('VALIDATION_ERROR');
    expect(response.body.error.details).toEqual([
      { field: 'email', message: 'must be a valid email address' },
      { field: 'name', message: 'must be at least 2 characters' },
      { field: 'password', message: 'must be at least 6 characters' },
      { field: 'confirmPassword', message: 'must equal password' },
    ]);
  });

  it('names every missing field', async () => {
    const { status, body } = await call('POST /api/auth/register', {});
    expect(status).toBe(400);
    expect(body.error.details).toEqual(
      ['email', 'name', 'password', 'confirmPassword'].map((field) => ({
        field,
        message: 'is required',
      })),
    );
  });

  it('accepts passwords of up to 72 bytes', async () => {
    const attempt = (text: string) =>
      call('POST /api/auth/register', {
        body: { email: newEmail(), name: 'Ann', password: text, confirmPassword: text },
      });
    expect((await attempt('é'.repeat(36))).status).toBe(201);
    expect((await attempt(`${'é'.repeat(36)}x`)).status).toBe(400);
  });

  it('ignores fields that the service sets', async () => {
    const body = {
      email: newEmail(),
      name: 'Ann',
      password,
      confirmPassword: password,
      role: 'super_admin',
      permissions: ['*'],
      id: 1,
      status: 'suspended',
    };
    const { body: response } = await call('POST /api/auth/register', { body });
    expect(response.user).toMatchObject({ role: 'user', status: 'active' });
    expect(response.user.permissions).not.toContain('*');
    expect(response.user.id).not.toBe(1);
  });

  it('registers an address once of 30 concurrent requests, ignoring case', async () => {
    const email = newEmail();
    const spellings = Array.from({ length: 30 }, (_, at) =>
      at % 2 ? email.toUpperCase() : email.replace('ann', 'Ann'),
    );
    const responses = await Promise.all(spellings.map((spelling) => register(spelling)));
    expect(statuses(responses)).toEqual({ 201: 1, 409: 29 });
    const refused = responses.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({
      code: 'CONFLICT',
      details: [
        {
          field: 'email',
          message: expect.stringMatching(/^is already registered: if it’s yours, /),
        },
      ],
    });
  });

  it('derives 30 usernames for the same local part at 30 hosts', async () => {
    const local = newEmail().split('@')[0];
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => register(`${local}@host${at}.example.com`)),
    );
    expect(statuses(responses)).toEqual({ 201: 30 });
    expect(new Set(responses.map(({ body }) => body.user.username)).size).toBe(30);
    expect(new Set(responses.map(({ body }) => body.user.id)).size).toBe(30);
  });
});

describe('POST /api/auth/login', () => {
  it('ignores the case of the address and stores the time', async () => {
    const { email } = await newPerson();
    const { status, body } = await login(email.toUpperCase());
    expect(status).toBe(200);
    expect(body.user.lastLoginAt).toMatch(/Z$/);
    expect((await profile(body.token)).body.data.lastLoginAt).toBe(body.user.lastLoginAt);
  });

  it('returns the same for an unknown address, a wrong password and a suspended account', async () => {
    const { email } = await newPerson();
    const suspended = await newPerson();
    await setUser(suspended.id, { status: 'suspended' });
    const responses = await Promise.all([
      login(newEmail()),
      login(email, 'wrong password'),
      login(suspended.email),
    ]);
    const [first] = responses;
    for (const { status, body } of responses) {
      expect(status).toBe(401);
      expect({ ...body.error, requestId: '' }).toEqual({ ...first?.body.error, requestId: '' });
    }
  });

  it('returns 400 for a short password or a malformed address', async () => {
    expect((await login(newEmail(), '12345')).status).toBe(400);
    expect((await login('nobody')).status).toBe(400);
  });

  it('succeeds while all other sessions are being ended', async () => {
    const { email } = await newPerson();
    for (let round = 0; round < 10; round++) {
      const { token } = (await login(email)).body;
      const [response] = await Promise.all([
        login(email),
        call('POST /api/auth/logout', { token, body: { scope: 'all' } }),
      ]);
      expect(response?.status).toBe(200);
    }
  });

  it('creates a session for each of 10 concurrent requests', async () => {
    const { id, email } = await newPerson();
    const responses = await Promise.all(Array.from({ length: 10 }, () => login(email)));
    expect(statuses(responses)).toEqual({ 200: 10 });
    const items = await itemsOf(`USER#${id}`);
    expect(items.filter(({ sk }) => String(sk).startsWith('SESSION#'))).toHaveLength(11);
  });
});

describe('an access token', () => {
  it('expires after 15 minutes', async () => {
    const { token } = await newPerson();
    atTime(14 * 60_000);
    expect((await profile(token)).status).toBe(200);
    atTime(15 * 60_000);
    expect((await profile(token)).status).toBe(401);
  });

  it('is not accepted as a refresh token, nor vice versa', async () => {
    const { token, refreshToken } = await newPerson();
    expect((await profile(refreshToken)).status).toBe(401);
    expect((await refresh(token)).status).toBe(401);
  });

  it('is rejected with another signature', async () => {
    const { id, token } = await newPerson();
    const [head = '', payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${payload}.`;
    const sign = (alg: string, secret: string) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(new TextEncoder().encode(secret));
    const secret = process.env['JWT_SECRET'] ?? '';
    expect(claims).toMatchObject({ sub: String(id), typ: 'access' });
    expect((await profile(await sign('HS256', secret))).status).toBe(200);
    for (const forged of [none, await sign('HS512', secret), await sign('HS256', 'x'.repeat(40))]) {
      expect((await profile(forged)).status).toBe(401);
    }
  });

  it('ends with the suspension or the role of its user at the next request', async () => {
    const { id, token } = await newPerson();
    await setUser(id, { role: 'guest' });
    expect((await profile(token)).body.data.permissions).toEqual(['dashboard:view']);
    await setUser(id, { status: 'suspended' });
    expect((await profile(token)).status).toBe(401);
  });
});

describe('POST /api/auth/logout', () => {
  it('ends this session only, immediately', async () => {
    const { email, token, refreshToken } = await newPerson();
    const other = (await login(email)).body.token;
    const { status, body } = await call('POST /api/auth/logout', { token });
    expect([status, body]).toEqual([200, { success: true, data: {}, message: 'Signed out' }]);
    expect((await profile(token)).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await call('POST /api/auth/logout', { token })).status).toBe(401);
    expect((await profile(other)).status).toBe(200);
  });

  it('ends all sessions with the scope all, and allows signing in again', async () => {
    const { email, token } = await newPerson();
    const other = (await login(email)).body.token;
    await call('POST /api/auth/logout', { token, body: { scope: 'all' } });
    expect((await profile(token)).status).toBe(401);
    expect((await profile(other)).status).toBe(401);
    expect((await profile((await login(email)).body.token)).status).toBe(200);
  });
});

it('returns the same from /api/auth/me and /api/users/me', async () => {
  const { token } = await newPerson();
  expect((await call('GET /api/auth/me', { token })).body).toEqual((await profile(token)).body);
});

it('stores no password and returns no hash', async () => {
  const { id, email } = await newPerson();
  const response = JSON.stringify(await login(email));
  expect(response).not.toMatch(/\$2[aby]\$|hash/i);
  expect(JSON.stringify(await itemsOf(`USER#${id}`))).not.toContain(password);
});
