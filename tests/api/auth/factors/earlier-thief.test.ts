// What someone with the password alone prepared must be worth nothing once the owner has a second factor, and neither must ways
// around a proof.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { useMail } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';
import { createApiToken, me, refresh } from '../../../support/users/account.ts';
import { codeOf } from '../../../support/users/authenticator.ts';
import {
  confirmTotp,
  enrolTotp,
  newTotpUser,
  readFactors,
  reauthenticate,
  removeTotp,
  renewCodes,
} from '../../../support/users/factors.ts';
import { newRole } from '../../../support/users/roles.ts';
import {
  login,
  newAccount,
  newInvited,
  newUserOf,
  newVerified,
  password,
  setUser,
} from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useMail();
useTable();
afterEach(() => vi.unstubAllEnvs());

const minuteMs = 60_000;
const unproven = { status: 403, body: { error: { code: 'REAUTHENTICATION_REQUIRED' } } };
const forbidden = { status: 403, body: { error: { code: 'FORBIDDEN' } } };

const begin = (token: string) => call('POST /api/auth/totp', { token, body: {} });
const putUser = (token: string, id: number, body: unknown) =>
  call('PUT /api/users/{id}', { token, params: { id: String(id) }, body });
const resetOf = (token: string, id: number) =>
  call('DELETE /api/users/{id}/factors', { token, params: { id: String(id) } });

/** Signs in by the password of a new user, who sets up an authenticator app later. */
const withThief = async (role: 'user' | 'admin' = 'user') => {
  const { email } = await newAccount({ role });
  const [owner, thief] = [(await login(email)).body, (await login(email)).body];
  const id: number = owner.user.id;
  const { accessToken: token, refreshToken } = owner;
  return { owner: { id, email, token, refreshToken }, thief: thief.accessToken as string };
};

describe('a session from before the second factor', () => {
  it('has proven nothing by the password', async () => {
    const { owner, thief } = await withThief();
    expect((await reauthenticate(thief, { currentPassword: password })).status).toBe(200);
    await enrolTotp(owner);
    expect(await renewCodes(thief)).toMatchObject(unproven);
    expect(await removeTotp(thief)).toMatchObject(unproven);
    expect(await begin(thief)).toMatchObject(unproven);
  });

  it('stays held by the role, and can’t replace the owner’s app', async () => {
    vi.stubEnv('MFA_REQUIRED_ROLES', 'admin');
    const { owner, thief } = await withThief('admin');
    expect((await reauthenticate(thief, { currentPassword: password })).status).toBe(200);
    await enrolTotp(owner);
    expect(await begin(thief)).toMatchObject(unproven);
    expect(await call('GET /api/documents', { token: thief })).toMatchObject({
      body: { error: { code: 'ENROLMENT_REQUIRED' } },
    });
  });

  it('can’t complete an app that it began', async () => {
    const { owner, thief } = await withThief();
    await enrolTotp(owner);
    // The first step of it, as stored before the owner had a factor.
    const { secret } = (await begin(owner.token)).body.data;
    expect(await confirmTotp(thief, codeOf(secret))).toMatchObject(unproven);
  });

  it('leaves no address that waits to be confirmed', async () => {
    const { owner, thief } = await withThief();
    const body = { email: `thief-${owner.id}@example.com`, currentPassword: password };
    await call('PUT /api/users/me', { token: thief, body });
    expect((await me(owner.token)).body.data.pendingEmail).toBe(body.email);
    await enrolTotp(owner);
    expect((await me(owner.token)).body.data.pendingEmail).toBeNull();
  });
});

describe('an old proof', () => {
  const lateRoot = async () => {
    const root = await newTotpUser('super_admin');
    pass(16 * minuteMs);
    return (await refresh(root.refreshToken)).body.accessToken as string;
  };

  it('gets no link of an invitation', async () => {
    const token = await lateRoot();
    const { id } = await newInvited({ role: 'super_admin' });
    vi.stubEnv('MAIL_FROM', '');
    const params = { id: String(id) };
    expect(await call('POST /api/users/{id}/invitation', { token, params })).toMatchObject(
      unproven,
    );
  });

  it('brings no one back', async () => {
    const token = await lateRoot();
    const { id } = await newUserOf('admin');
    await setUser(id, { status: 'suspended' });
    expect(await putUser(token, id, { status: 'active' })).toMatchObject(unproven);
    expect((await putUser(token, id, { name: 'Bob Example' })).status).toBe(200);
  });
});

describe('the second factor of someone else', () => {
  it('is not removed by an API token, by way of the address', async () => {
    const root = await newUserOf('super_admin');
    const { token } = (await createApiToken(root.token, { name: 'x', currentPassword: password }))
      .body.data;
    const { id } = await enrolTotp(await newVerified());
    expect(await resetOf(token, id)).toMatchObject(forbidden);
    expect(await putUser(token, id, { email: 'mallory@example.com' })).toMatchObject(forbidden);
    expect((await putUser(root.token, id, { email: 'mallory@example.com' })).status).toBe(200);
  });

  it('is not removed by someone who may do less', async () => {
    const root = await newUserOf('super_admin');
    const desk = await newUserOf(await newRole(root, ['users:view', 'users:update']));
    const victim = await newTotpUser('user', { extraPermissions: ['*'] });
    expect(await resetOf(desk.token, victim.id)).toMatchObject(forbidden);
    expect((await readFactors(victim.token)).body.data.totp).not.toBeNull();
  });
});
