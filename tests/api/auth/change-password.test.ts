import { describe, expect, it } from 'vitest';
import { changePassword } from '../../../functions/api/auth/change-password.ts';
import { endAll } from '../../../functions/api/auth/sessions.ts';
import { createResetLink } from '../../../functions/api/users/account/password-link.ts';
import { find } from '../../../functions/api/users/record/users.ts';
import { systemAudit } from '../../../shared/audit/audit-log.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson, password } from '../../support/users/test-users.ts';

useTable();

const fresh = 'battery staple';
const change = (token: string, body: Record<string, unknown> = {}) =>
  call('PUT /api/auth/password', {
    token,
    body: { currentPassword: password, password: fresh, ...body },
  });
const signIn = (email: string, given = password) =>
  call('POST /api/auth/login', { body: { email, password: given } });
const me = async (token: string) => (await call('GET /api/auth/me', { token })).status;
const refresh = async (refreshToken: string) =>
  (await call('POST /api/auth/refresh', { body: { refreshToken } })).status;
const sessionIdOf = async (token: string): Promise<string> =>
  (await call('GET /api/auth/sessions', { token })).body.data.find(
    ({ current }: { current: boolean }) => current,
  ).id;
const wrong = (field: string, message: string) =>
  errorBody('VALIDATION_ERROR', `Invalid ${field}: ${message}.`, [{ field, message }]);

describe('PUT /api/auth/password', () => {
  it('changes the password and ends all other sessions, but no API tokens', async () => {
    const { email, token, refreshToken } = await newPerson();
    const other = (await signIn(email)).body;
    const apiToken = (await call('POST /api/auth/tokens', { token, body: { name: 'x' } })).body;
    const { status, body } = await change(token, { confirmPassword: fresh });
    expect([status, body]).toEqual([200, { success: true, data: {}, message: 'Password changed' }]);
    expect(await me(token)).toBe(200);
    expect(await refresh(refreshToken)).toBe(200);
    expect(await me(other.token)).toBe(401);
    expect(await refresh(other.refreshToken)).toBe(401);
    expect(await me(apiToken.data.token)).toBe(200);
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, fresh)).status).toBe(200);
  });

  it('ends the API tokens of the user with the scope all', async () => {
    const { id, email, token, refreshToken } = await newPerson();
    const other = (await signIn(email)).body;
    const stranger = await newPerson();
    const newToken = async (by: string) =>
      (await call('POST /api/auth/tokens', { token: by, body: { name: 'x' } })).body.data.token;
    const [apiToken, strange] = [await newToken(token), await newToken(stranger.token)];
    expect((await change(token, { scope: 'all' })).status).toBe(200);
    expect([await me(token), await refresh(refreshToken)]).toEqual([200, 200]);
    expect([await me(other.token), await me(apiToken), await me(strange)]).toEqual([401, 401, 200]);
    expect((await call('GET /api/auth/tokens', { token })).body.data).toEqual([]);
    expect(await me(await newToken(token))).toBe(200);
    expect((await entriesAbout(`user:${id}`)).at(-1)).toMatchObject({
      action: 'password.change',
      after: { password: 'changed', apiTokens: 'ended' },
    });
  });

  it.each([[null], ['sessions']])('keeps the API tokens with the scope %o', async (scope) => {
    const { token } = await newPerson();
    const made = await call('POST /api/auth/tokens', { token, body: { name: 'x' } });
    expect((await change(token, { scope })).status).toBe(200);
    expect(await me(made.body.data.token)).toBe(200);
  });

  it('names an incorrect currentPassword and changes nothing', async () => {
    const { email, token } = await newPerson();
    const other = (await signIn(email)).body.token;
    for (const currentPassword of ['', 'wrong', `${password} `, 'x'.repeat(256)]) {
      const { status, body } = await change(token, { currentPassword });
      expect([status, body]).toEqual([400, wrong('currentPassword', 'is incorrect')]);
    }
    expect(await me(other)).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  it.each([
    ['currentPassword', { currentPassword: undefined }],
    ['currentPassword', { currentPassword: null }],
    ['currentPassword', { currentPassword: 'x'.repeat(257) }],
    ['password', { password: undefined }],
    ['password', { password: '12345' }],
    ['password', { password: 'é'.repeat(37) }],
    ['confirmPassword', { confirmPassword: 'another' }],
    ['scope', { scope: 'session' }],
  ])('names an invalid %s', async (field, body) => {
    const { token } = await newPerson();
    expect(await change(token, body)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field }] } },
    });
  });

  it('rejects a current password that only matches the first 72 bytes', async () => {
    const { email, token } = await newPerson();
    const long = 'x'.repeat(72);
    await change(token, { password: long });
    expect(await change(token, { currentPassword: `${long}y` })).toMatchObject({ status: 400 });
    expect((await signIn(email, long)).status).toBe(200);
  });

  it('succeeds for one of two concurrent requests', async () => {
    const { email, token } = await newPerson();
    const other = (await signIn(email)).body.token;
    const wanted = ['first password', 'second password'];
    const responses = await Promise.all([
      change(token, { password: wanted[0] }),
      change(other, { password: wanted[1] }),
    ]);
    const won = responses.findIndex(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([400, 401]).toContain(responses[1 - won]?.status);
    expect((await signIn(email, wanted[won])).status).toBe(200);
    expect((await signIn(email, wanted[1 - won])).status).toBe(401);
    expect([await me(token), await me(other)]).toEqual(won === 0 ? [200, 401] : [401, 200]);
  });

  it('invalidates a password reset link', async () => {
    const { id, token } = await newPerson();
    const link = new URL((await createResetLink(id)) ?? '').searchParams.get('token');
    await change(token);
    const body = { token: link, password: 'third password' };
    expect((await call('POST /api/auth/reset-password', { body })).status).toBe(400);
  });

  it('stores neither password', async () => {
    const { id, token } = await newPerson();
    await change(token);
    const stored = JSON.stringify(await itemsOf(`USER#${id}`));
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(fresh);
  });
});

describe('a concurrent change', () => {
  const actorOf = async (id: number, token: string): Promise<SessionActor> => ({
    user: (await find(id)) ?? expect.unreachable(),
    sessionId: await sessionIdOf(token),
    isLimited: false,
    permissions: [],
  });

  it.each([
    ['this session has', {}],
    ['all sessions have', { body: { scope: 'all' } }],
  ])('is rejected, but not for the password, if %s ended since', async (_, ended) => {
    const { id, email, token } = await newPerson();
    const actor = await actorOf(id, token);
    await call('POST /api/auth/logout', { token, ...ended });
    const input = { currentPassword: password, password: fresh };
    await expect(
      changePassword(actor, input, systemAudit('password.change')),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await signIn(email)).status).toBe(200);
  });

  it('keeps no session that signs out everywhere at the same time', async () => {
    const { id, email, token } = await newPerson();
    await signIn(email);
    const seen = (await find(id)) ?? expect.unreachable();
    await change(token);
    await endAll(seen, systemAudit('session.end'));
    expect(await me(token)).toBe(401);
  });
});
