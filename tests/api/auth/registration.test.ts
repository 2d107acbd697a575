import { afterEach, describe, expect, it, vi } from 'vitest';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { form } from '../../support/service/form.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { me, refresh } from '../../support/users/account.ts';
import { newInvitationToken, newResetToken } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newInvited,
  newPerson,
  newUserOf,
  password,
  register,
  setUser,
} from '../../support/users/test-users.ts';

useTable();
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const registerIs = (mode: 'open' | 'invite' | 'closed') => vi.stubEnv('REGISTRATION', mode);
const statusOfLogin = async (email: string) => (await login(email)).status;
const invited = () =>
  newInvited({ role: 'admin', extraPermissions: ['sales:view'], phone: '030 123' });
const badToken = errorBody(
  'VALIDATION_ERROR',
  'This link is invalid or expired. Request a new one.',
  [{ field: 'token', message: 'is invalid or expired; request a new link' }],
);

describe('closed registration', () => {
  it('rejects everyone, with or without a token, and stores nothing', async () => {
    registerIs('closed');
    const bob = await invited();
    const token = await newInvitationToken(bob.id);
    const email = newEmail();
    for (const response of [
      await register(email),
      await register(email, { token: 'x' }),
      await register(bob.email, { token }),
      await register((await newUserOf('user')).email),
    ]) {
      expect([response.status, response.body, response.cookies]).toEqual([
        403,
        errorBody('FORBIDDEN', 'Registration is closed.'),
        [],
      ]);
    }
    expect(await itemsOf(`EMAIL#${email}`)).toEqual([]);
  });

  it('still allows an invited user to set a password', async () => {
    registerIs('closed');
    const bob = await invited();
    const fields = { token: await newInvitationToken(bob.id), password, confirmPassword: password };
    expect((await call('POST /invite', form(fields))).status).toBe(303);
    expect(await statusOfLogin(bob.email)).toBe(200);
  });
});

describe('registration by invitation', () => {
  it.each([{}, { token: null }])('requires an invitation for %j', async (fields) => {
    registerIs('invite');
    const email = newEmail();
    const taken = (await invited()).email;
    for (const address of [email, taken]) {
      const { status, body } = await register(address, fields);
      expect([status, body]).toEqual([
        400,
        errorBody('VALIDATION_ERROR', 'Registration requires an invitation.', [
          { field: 'token', message: 'is required; registration requires an invitation' },
        ]),
      ]);
    }
    expect(await itemsOf(`EMAIL#${email}`)).toEqual([]);
  });

  it('completes the invited account and signs in', async () => {
    registerIs('invite');
    const bob = await invited();
    const token = await newInvitationToken(bob.id);
    const response = await register(bob.email.toUpperCase(), { token, name: 'Robert Roe' });
    expect([response.status, response.body.message]).toEqual([201, 'Welcome']);
    expect(response.cookies?.[0]).toMatch(/^__Host-session=/);
    expect(response.body.user).toMatchObject({
      id: bob.id,
      email: bob.email,
      username: bob.username,
      name: 'Robert Roe',
      role: 'admin',
      phone: '030 123',
      version: 2,
    });
    expect(response.body.user.permissions).toContain('sales:view');
    const { accessToken, refreshToken } = response.body;
    const signedIn = await me(accessToken);
    expect(signedIn.body.data).toEqual(response.body.user);
    expect((await refresh(refreshToken)).status).toBe(200);
    expect(await statusOfLogin(bob.email)).toBe(200);
    expect((await register(bob.email, { token })).body).toEqual(badToken);
    const stored = (await itemsOf(`USER#${bob.id}`)).find(({ sk }) => sk === 'USER');
    expect(stored).not.toHaveProperty('passwordTokenHash');
    expect(stored).not.toHaveProperty('passwordTokenExpiresAt');
  });

  it('lists and finds the account by its new name', async () => {
    registerIs('invite');
    const root = await newUserOf('super_admin');
    const bob = await invited();
    await register(bob.email, {
      token: await newInvitationToken(bob.id),
      name: 'Zacharias Quibble',
    });
    const idsBy = async (query: Record<string, string>) => {
      const { body } = await call('GET /api/users', { token: root.token, query });
      return body.data.map(({ id }: { id: number }) => id);
    };
    expect(await idsBy({ search: 'zach quib' })).toEqual([bob.id]);
    const local = bob.email.split('@')[0] ?? '';
    expect(await idsBy({ search: `bob ${local}` })).toEqual([]);
  });

  it('reveals nothing for an invalid token or another address', async () => {
    registerIs('invite');
    const [bob, eve] = [await invited(), await invited()];
    const token = await newInvitationToken(bob.id);
    const ofEve = await newInvitationToken(eve.id);
    const ann = await newPersonWhileOpen();
    for (const [email, wrong] of [
      [newEmail(), token],
      [eve.email, token],
      [ann.email, token],
      [bob.email, ofEve],
      [bob.email, `${bob.id}.${ofEve.split('.')[1]}`],
      [bob.email, 'x'],
      [ann.email, await newResetToken(ann.id)],
    ] as const) {
      const { status, body, cookies } = await register(email, { token: wrong });
      expect([status, body, cookies]).toEqual([400, badToken, []]);
    }
    // A blank token counts as missing.
    const blank = await register(bob.email, { token: '' });
    expect(blank.body.error.details).toEqual([
      { field: 'token', message: 'is required; registration requires an invitation' },
    ]);
    expect((await register(bob.email, { token })).status).toBe(201);
  });

  const newPersonWhileOpen = async () => {
    registerIs('open');
    const person = await newPerson();
    registerIs('invite');
    return person;
  };

  it('rejects a superseded or expired token and that of an inactive account', async () => {
    registerIs('invite');
    const [bob, eve] = [await invited(), await invited()];
    const older = await newInvitationToken(bob.id);
    const newer = await newInvitationToken(bob.id);
    const ofEve = await newInvitationToken(eve.id);
    await setUser(eve.id, { status: 'suspended' });
    expect((await register(bob.email, { token: older })).body).toEqual(badToken);
    expect((await register(eve.email, { token: ofEve })).body).toEqual(badToken);
    const byReset = await newResetToken(eve.id);
    expect((await register(eve.email, { token: byReset })).body).toEqual(badToken);
    // The link is created in the past; attempts in the future would exhaust the rate limit for the other tests.
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now - 7 * 86_400_000 });
    const expired = await newInvitationToken(bob.id);
    vi.setSystemTime(now);
    expect((await register(bob.email, { token: newer })).body).toEqual(badToken);
    expect((await register(bob.email, { token: expired })).body).toEqual(badToken);
  });

  it.each([[7], [{}], [[]], [true], ['x'.repeat(257)]])(
    'rejects the malformed token %j',
    async (token) => {
      registerIs('invite');
      const { status, body } = await register(newEmail(), { token });
      expect([status, body.error.details[0].field]).toEqual([400, 'token']);
    },
  );

  it('keeps the invitation valid after invalid input', async () => {
    registerIs('invite');
    const bob = await invited();
    const token = await newInvitationToken(bob.id);
    for (const wrong of [{ name: 'B' }, { password: 'short' }, { confirmPassword: 'another' }]) {
      expect((await register(bob.email, { token, ...wrong })).status).toBe(400);
    }
    expect((await register(bob.email, { token })).status).toBe(201);
  });

  it('succeeds for one of 10 concurrent requests, which gets the account', async () => {
    registerIs('invite');
    const bob = await invited();
    const token = await newInvitationToken(bob.id);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const own = `${password} ${n}`;
        const fields = { password: own, confirmPassword: own, name: `Bob ${n}` };
        return register(bob.email, { token, ...fields });
      }),
    );
    const won = responses.filter(({ status }) => status === 201);
    expect([won.length, responses.filter(({ status }) => status === 400).length]).toEqual([1, 9]);
    const sessions = (await itemsOf(`USER#${bob.id}`)).filter(({ sk }) =>
      String(sk).startsWith('SESSION#'),
    );
    expect(sessions).toHaveLength(1);
    const signedIn = await me(won[0]?.body.token);
    expect(signedIn.body.data.name).toBe(won[0]?.body.user.name);
  });
});

describe('open registration', () => {
  it('accepts anyone without a token, and an invited user with one', async () => {
    registerIs('open');
    expect((await register(newEmail(), { token: null })).status).toBe(201);
    const bob = await invited();
    expect((await register(bob.email)).status).toBe(409);
    expect((await register(newEmail(), { token: 'x' })).body).toEqual(badToken);
    const { status, body } = await register(bob.email, { token: await newInvitationToken(bob.id) });
    expect([status, body.user.id, body.user.role]).toEqual([201, bob.id, 'admin']);
  });
});
