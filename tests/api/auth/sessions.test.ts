import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { changePassword, me, refresh, resetPassword } from '../../support/users/account.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newResetToken } from '../../support/users/links.ts';
import { forgetSignIns, login, newPerson, newUserOf } from '../../support/users/test-users.ts';

useTable();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-11-21T12:00:00Z');

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await forgetSignIns();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const at = (ms: number) => vi.setSystemTime(start + ms);
const status = async (response: Promise<{ readonly status: number }>) => (await response).status;
const meStatus = async (token: string) => (await me(token)).status;
const list = async (token: string) => (await call('GET /api/auth/sessions', { token })).body;
const revoke = (token: string, id: string) =>
  call('DELETE /api/auth/sessions/{id}', { token, params: { id } });
const currentId = async (token: string): Promise<string> =>
  (await list(token)).data.find(({ current }: { current: boolean }) => current).id;

describe('the lifetime of tokens and sessions', () => {
  it('is 15 minutes for an access token', async () => {
    const { token } = await newPerson();
    at(14 * minuteMs + 59_000);
    expect(await meStatus(token)).toBe(200);
    at(15 * minuteMs + 1_000);
    expect(await meStatus(token)).toBe(401);
  });

  it('is 7 days for a refresh token', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    at(7 * dayMs - hourMs);
    expect(await refresh(ann.refreshToken)).toMatchObject({ status: 200 });
    at(7 * dayMs + hourMs);
    expect(await refresh(bob.refreshToken)).toMatchObject({ status: 401 });
  });

  it('follows the settings', async () => {
    vi.stubEnv('JWT_ACCESS_EXPIRES', '2s');
    vi.stubEnv('JWT_REFRESH_EXPIRES', '1m');
    const { email, token } = await newPerson();
    const { body } = await login(email);
    expect(body.data.expiresIn).toBe(2);
    at(1_900);
    expect(await meStatus(token)).toBe(200);
    at(2_000);
    expect(await meStatus(token)).toBe(401);
    at(59_000);
    const refreshed = await refresh(body.refreshToken);
    expect(refreshed.status).toBe(200);
    at(59_000 + minuteMs);
    expect(await refresh(refreshed.body.refreshToken)).toMatchObject({ status: 401 });
  });

  it('is 30 days for a session, however often it is refreshed', async () => {
    let { token, refreshToken } = await newPerson();
    for (let day = 5; day < 30; day += 5) {
      at(day * dayMs);
      ({ accessToken: token, refreshToken } = (await refresh(refreshToken)).body);
    }
    at(30 * dayMs - 1_000);
    ({ accessToken: token, refreshToken } = (await refresh(refreshToken)).body);
    expect(await meStatus(token)).toBe(200);
    at(30 * dayMs);
    expect(await meStatus(token)).toBe(401);
    expect(await refresh(refreshToken)).toMatchObject({ status: 401 });
  });

  it('updates the last use once an hour', async () => {
    vi.stubEnv('JWT_ACCESS_EXPIRES', '1d');
    const { token } = await newPerson();
    const created = await call('POST /api/auth/tokens', { token, body: { name: 'x' } });
    const send = vi.spyOn(documentClient(), 'send');
    const writes = () => send.mock.calls.filter(([one]) => one instanceof UpdateCommand).length;
    for (const used of [token, created.body.data.token]) {
      send.mockClear();
      const counted: number[] = [];
      for (const minutes of [0, 30, 59, 60, 61, 119, 120]) {
        at(minutes * minuteMs);
        await meStatus(used);
        counted.push(writes());
      }
      expect(counted).toEqual([0, 0, 0, 1, 1, 1, 2]);
      at(0);
    }
    send.mockRestore();
    at(2 * hourMs);
    const noted = { lastUsedAt: '2026-11-21T14:00:00.000Z' };
    expect((await list(token)).data).toMatchObject([noted]);
    expect((await call('GET /api/auth/tokens', { token })).body.data).toMatchObject([noted]);
  });
});

describe('GET /api/auth/sessions', () => {
  it('returns device, address and times, most recently used first', async () => {
    const { email, token } = await newPerson();
    at(minuteMs);
    await login(email);
    const session = (fields: object) => ({
      id: expect.stringMatching(/^[\w-]{22}$/),
      device: 'tests',
      address: '192.0.2.1',
      ...fields,
    });
    expect(await list(token)).toEqual({
      success: true,
      data: [
        session({
          current: false,
          createdAt: '2026-11-21T12:01:00.000Z',
          lastUsedAt: '2026-11-21T12:01:00.000Z',
          expiresAt: '2026-11-28T12:01:00.000Z',
        }),
        session({
          current: true,
          createdAt: '2026-11-21T12:00:00.000Z',
          lastUsedAt: '2026-11-21T12:00:00.000Z',
          expiresAt: '2026-11-28T12:00:00.000Z',
        }),
      ],
    });
  });

  it('omits ended, expired and foreign sessions', async () => {
    const { email, token } = await newPerson();
    await newPerson();
    await call('POST /api/auth/logout', { token: (await login(email)).body.token });
    expect((await list(token)).data).toHaveLength(1);
    at(8 * dayMs);
    const later = (await login(email)).body.token;
    expect((await list(later)).data).toMatchObject([{ current: true }]);
  });
});

describe('DELETE /api/auth/sessions/{id}', () => {
  it('ends another session immediately: access token, refresh token and cookie', async () => {
    const { email, token } = await newPerson();
    const other = await login(email);
    const id = await currentId(other.body.token);
    const { status: ended, body } = await revoke(token, id);
    expect([ended, body]).toEqual([200, { success: true, data: { id }, message: 'Session ended' }]);
    const cookies = [other.cookies?.[0]?.split(';')[0] ?? ''];
    expect(await meStatus(other.body.token)).toBe(401);
    expect(await refresh(other.body.refreshToken)).toMatchObject({ status: 401 });
    expect(await status(call('GET /api/auth/me', { cookies }))).toBe(401);
    expect(await meStatus(token)).toBe(200);
    expect((await list(token)).data).toHaveLength(1);
  });

  it('ends this session too, if it is asked for', async () => {
    const { token } = await newPerson();
    expect(await revoke(token, await currentId(token))).toMatchObject({ status: 200 });
    expect(await meStatus(token)).toBe(401);
  });

  it('returns 404 for a foreign, ended or malformed id', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const gone = (await login(ann.email)).body.token;
    const ended = await currentId(gone);
    await call('POST /api/auth/logout', { token: gone });
    const foreign = await currentId(bob.token);
    for (const id of [foreign, ended, 'unknown', 'x'.repeat(64), 'x'.repeat(65), '../x', 'é']) {
      const response = await revoke(ann.token, id);
      expect(response).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    }
    expect(await meStatus(bob.token)).toBe(200);
  });
});

describe('the next request of a session', () => {
  const threeSessions = async () => {
    const { id, email, token } = await newUserOf('user');
    const others = [await login(email), await login(email)].map(({ body }) => body.token);
    return { id, email, tokens: [token, ...others] };
  };
  const statuses = (tokens: string[]) => Promise.all(tokens.map(meStatus));
  const setUser = async (id: number, body: object) => {
    const { token } = await newUserOf('super_admin');
    return call('PUT /api/users/{id}', { token, params: { id: String(id) }, body });
  };

  it('is rejected after signing out of all sessions', async () => {
    const { tokens } = await threeSessions();
    await call('POST /api/auth/logout', { token: tokens[1], body: { scope: 'all' } });
    expect(await statuses(tokens)).toEqual([401, 401, 401]);
  });

  it.each(['suspended', 'inactive'])(
    'is rejected after the user is %s, also if reactivated',
    async (to) => {
      const { id, email, tokens } = await threeSessions();
      await setUser(id, { status: to });
      expect(await statuses(tokens)).toEqual([401, 401, 401]);
      expect(await login(email)).toMatchObject({ status: 401 });
      await setUser(id, { status: 'active' });
      expect(await statuses(tokens)).toEqual([401, 401, 401]);
      expect(await login(email)).toMatchObject({ status: 200 });
    },
  );

  it('applies another role and ends no session', async () => {
    const { id, tokens } = await threeSessions();
    const users = () => status(call('GET /api/users', { token: tokens[0] }));
    expect(await users()).toBe(403);
    await setUser(id, { role: 'admin' });
    expect(await users()).toBe(200);
    await setUser(id, { role: 'guest' });
    expect(await users()).toBe(403);
    expect(await statuses(tokens)).toEqual([200, 200, 200]);
  });

  it('is rejected after a deletion, which leaves no session', async () => {
    const { id, tokens } = await threeSessions();
    await removeUser(await newUserOf('super_admin'), id);
    expect(await statuses(tokens)).toEqual([401, 401, 401]);
    expect(await itemsOf(`USER#${id}`)).toEqual([]);
  });

  it('is rejected after a change of the password by another session', async () => {
    const { tokens } = await threeSessions();
    await changePassword(tokens[1]);
    expect(await statuses(tokens)).toEqual([401, 200, 401]);
  });

  it('is rejected after a reset of the password', async () => {
    const { id, tokens } = await threeSessions();
    await resetPassword(await newResetToken(id));
    expect(await statuses(tokens)).toEqual([401, 401, 401]);
  });
});
