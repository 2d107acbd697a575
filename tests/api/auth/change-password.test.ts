import { describe, expect, it } from 'vitest';
import { changePassword as changeAsActor } from '../../../functions/api/auth/change-password.ts';
import { endAll } from '../../../functions/api/auth/sessions.ts';
import { find } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  changePassword,
  createApiToken,
  freshPassword,
  me,
  refresh,
  resetPassword,
} from '../../support/users/account.ts';
import { newResetToken } from '../../support/users/links.ts';
import { login, newPerson, password } from '../../support/users/test-users.ts';

useTable();

const meStatus = async (token: string) => (await me(token)).status;
const sessionIdOf = async (token: string): Promise<string> =>
  (await call('GET /api/auth/sessions', { token })).body.data.find(
    ({ current }: { current: boolean }) => current,
  ).id;
const wrong = (field: string, message: string) =>
  errorBody('VALIDATION_ERROR', `Invalid ${field}: ${message}.`, [{ field, message }]);

describe('PUT /api/auth/password', () => {
  it('changes the password and ends all other sessions, but no API tokens', async () => {
    const { email, token, refreshToken } = await newPerson();
    const other = (await login(email)).body;
    const apiToken = (await createApiToken(token)).body;
    const { status, body } = await changePassword(token, { confirmPassword: freshPassword });
    expect([status, body]).toEqual([200, { success: true, data: {}, message: 'Password changed' }]);
    expect(await meStatus(token)).toBe(200);
    expect((await refresh(refreshToken)).status).toBe(200);
    expect(await meStatus(other.token)).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(401);
    expect(await meStatus(apiToken.data.token)).toBe(200);
    expect((await login(email)).status).toBe(401);
    expect((await login(email, freshPassword)).status).toBe(200);
  });

  it('ends the API tokens of the user with the scope all', async () => {
    const { id, email, token, refreshToken } = await newPerson();
    const other = (await login(email)).body;
    const stranger = await newPerson();
    const newToken = async (by: string) => (await createApiToken(by)).body.data.token;
    const [apiToken, strange] = [await newToken(token), await newToken(stranger.token)];
    expect((await changePassword(token, { scope: 'all' })).status).toBe(200);
    expect([await meStatus(token), (await refresh(refreshToken)).status]).toEqual([200, 200]);
    expect([
      await meStatus(other.token),
      await meStatus(apiToken),
      await meStatus(strange),
    ]).toEqual([401, 401, 200]);
    expect((await call('GET /api/auth/tokens', { token })).body.data).toEqual([]);
    expect(await meStatus(await newToken(token))).toBe(200);
    expect(await entriesAbout(`user:${id}`)).toContainEqual(
      expect.objectContaining({
        action: 'password.change',
        after: { password: 'changed', apiTokens: 'ended' },
      }),
    );
  });

  it.each([[null], ['sessions']])('keeps the API tokens with the scope %o', async (scope) => {
    const { token } = await newPerson();
    const made = await createApiToken(token);
    expect((await changePassword(token, { scope })).status).toBe(200);
    expect(await meStatus(made.body.data.token)).toBe(200);
  });

  it('names an incorrect currentPassword and changes nothing', async () => {
    const { email, token } = await newPerson();
    const other = (await login(email)).body.token;
    for (const currentPassword of ['', 'wrong', `${password} `, 'x'.repeat(256)]) {
      const { status, body } = await changePassword(token, { currentPassword });
      expect([status, body]).toEqual([400, wrong('currentPassword', 'is incorrect')]);
    }
    expect(await meStatus(other)).toBe(200);
    expect((await login(email)).status).toBe(200);
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
    expect(await changePassword(token, body)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field }] } },
    });
  });

  it('rejects a current password that only matches the first 72 bytes', async () => {
    const { email, token } = await newPerson();
    const long = 'x'.repeat(72);
    await changePassword(token, { password: long });
    expect(await changePassword(token, { currentPassword: `${long}y` })).toMatchObject({
      status: 400,
    });
    expect((await login(email, long)).status).toBe(200);
  });

  it('succeeds for one of two concurrent requests', async () => {
    const { email, token } = await newPerson();
    const other = (await login(email)).body.token;
    const wanted = ['first password', 'second password'];
    const responses = await Promise.all([
      changePassword(token, { password: wanted[0] }),
      changePassword(other, { password: wanted[1] }),
    ]);
    const won = responses.findIndex(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([400, 401]).toContain(responses[1 - won]?.status);
    expect((await login(email, wanted[won])).status).toBe(200);
    expect((await login(email, wanted[1 - won])).status).toBe(401);
    expect([await meStatus(token), await meStatus(other)]).toEqual(
      won === 0 ? [200, 401] : [401, 200],
    );
  });

  it('invalidates a password reset link', async () => {
    const { id, token } = await newPerson();
    const link = await newResetToken(id);
    await changePassword(token);
    expect((await resetPassword(link, { password: 'third password' })).status).toBe(400);
  });

  it('stores neither password', async () => {
    const { id, token } = await newPerson();
    await changePassword(token);
    const stored = JSON.stringify(await itemsOf(`USER#${id}`));
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(freshPassword);
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
    const input = { currentPassword: password, password: freshPassword };
    await expect(
      changeAsActor(actor, input, systemRecorder('password.change')),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await login(email)).status).toBe(200);
  });

  it('keeps no session that signs out everywhere at the same time', async () => {
    const { id, email, token } = await newPerson();
    await login(email);
    const seen = (await find(id)) ?? expect.unreachable();
    await changePassword(token);
    await endAll(seen, systemRecorder('session.end'), 'device');
    expect(await meStatus(token)).toBe(401);
  });
});
