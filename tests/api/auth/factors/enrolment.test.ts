import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { detailsOf, entriesAbout } from '../../../support/service/audit.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { createApiToken, me, refresh } from '../../../support/users/account.ts';
import { removeUser } from '../../../support/users/administration.ts';
import { codeOf, stepMs, wrongCode } from '../../../support/users/authenticator.ts';
import {
  beginTotp,
  confirmTotp,
  enrolTotp,
  firstStep,
  newTotpUser,
  nextCode,
  readFactors,
  removeTotp,
  renewCodes,
  secondStep,
  signInBoth,
} from '../../../support/users/factors.ts';
import { login, newUserOf, type Person } from '../../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const minuteMs = 60_000;
const none = { totp: null, passkeys: [], recoveryCodes: null };
const factorsOf = async ({ token }: Pick<Person, 'token'>) => (await readFactors(token)).body.data;
const actionsOf = async ({ id }: Pick<Person, 'id'>) =>
  (await entriesAbout(`user:${id}`)).map(({ action }) => String(action)).sort();

describe('POST /api/auth/totp', () => {
  it('returns a key and its address, and changes nothing that is asked', async () => {
    const user = await newUserOf('user');
    const { status, body } = await beginTotp(user.token);
    expect(status).toBe(200);
    const { secret, uri } = body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(uri);
    expect(address.searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(address.pathname)).toContain(`:${user.email}`);
    expect(await factorsOf(user)).toEqual(none);
    expect((await login(user.email)).body.data.mfaRequired).toBeUndefined();
    expect(await actionsOf(user)).toEqual(['session.create', 'session.create', 'user.create']);
  });

  it('keeps the app before, open second steps and trusted devices, until a code is entered', async () => {
    const user = await newTotpUser();
    const { cookies = [] } = await signInBoth(user, { body: { remember: true } });
    const mfaToken = await firstStep(user.email);
    expect((await beginTotp(user.token)).status).toBe(200);
    expect((await secondStep(mfaToken, nextCode(user.secret))).status).toBe(200);
    const trusted = await login(user.email, undefined, {
      cookies: cookies.map((one) => one.split(';')[0] ?? ''),
    });
    expect(trusted.body.data.accessToken).toEqual(expect.any(String));
  });
});

describe('POST /api/auth/totp/confirm', () => {
  it('sets the app up, and returns ten recovery codes with the first factor', async () => {
    const user = await newUserOf('user');
    const { secret } = (await beginTotp(user.token)).body.data;
    const { status, body } = await confirmTotp(user.token, codeOf(secret));
    expect(status).toBe(200);
    const { factors, codes } = body.data;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/);
    const createdAt = new Date().toISOString();
    expect(factors).toEqual({
      totp: { createdAt },
      passkeys: [],
      recoveryCodes: { left: 10, createdAt },
    });
    expect(await factorsOf(user)).toEqual(factors);
    expect(await actionsOf(user)).toEqual(['factor.create', 'session.create', 'user.create']);
    expect(await detailsOf(user, 'factor.create')).toEqual([{ factor: 'totp', codes: 10 }]);
  });

  it('stores no recovery code', async () => {
    const user = await newTotpUser();
    const stored = JSON.stringify(await itemsOf(`USER#${user.id}`));
    for (const code of user.codes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replace('-', ''));
    }
  });

  it('refuses a wrong code, and takes the right one then', async () => {
    const { token } = await newUserOf('user');
    const { secret } = (await beginTotp(token)).body.data;
    const { status, body } = await confirmTotp(token, wrongCode(secret));
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'code', message: expect.stringMatching(/^is incorrect/) }],
    ]);
    expect((await confirmTotp(token, codeOf(secret))).status).toBe(200);
  });

  it('refuses the code of an app that was begun before another', async () => {
    const { token } = await newUserOf('user');
    const { secret: first } = (await beginTotp(token)).body.data;
    const { secret: second } = (await beginTotp(token)).body.data;
    expect((await confirmTotp(token, codeOf(first))).status).toBe(400);
    expect((await confirmTotp(token, codeOf(second))).status).toBe(200);
  });

  it('returns 409 if none was begun, or 10 minutes ago, or twice', async () => {
    const nothing = errorBody('CONFLICT', 'No authenticator app is being set up. Start again.');
    const { token, refreshToken } = await newUserOf('user');
    expect(await confirmTotp(token, '123456')).toMatchObject({ status: 409, body: nothing });
    const { secret } = (await beginTotp(token)).body.data;
    pass(10 * minuteMs);
    expect(await confirmTotp(token, codeOf(secret))).toMatchObject({ status: 409 });
    const again = (await beginTotp(token)).body.data;
    pass(10 * minuteMs - 1);
    const renewed = (await refresh(refreshToken)).body.token;
    expect((await confirmTotp(renewed, codeOf(again.secret))).status).toBe(200);
    expect(await confirmTotp(renewed, nextCode(again.secret))).toMatchObject({ status: 409 });
  });

  it('keeps the recovery codes when the app is replaced', async () => {
    const user = await newTotpUser();
    const before = await factorsOf(user);
    pass(minuteMs);
    const replaced = await enrolTotp(user);
    expect(replaced.codes).toEqual([]);
    expect(await factorsOf(user)).toEqual({
      ...before,
      totp: { createdAt: new Date().toISOString() },
    });
    const mfaToken = await firstStep(user.email);
    expect((await secondStep(mfaToken, user.codes[0])).status).toBe(200);
  });

  it('succeeds for one of two concurrent requests', async () => {
    const { token } = await newUserOf('user');
    const { secret } = (await beginTotp(token)).body.data;
    const answers = await Promise.all([1, 2].map(() => confirmTotp(token, codeOf(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('keeps other sessions', async () => {
    const user = await newUserOf('user');
    const other = (await login(user.email)).body.token;
    await enrolTotp(user);
    expect((await me(other)).status).toBe(200);
  });
});

describe('DELETE /api/auth/totp', () => {
  it('removes the app, and with the last factor the recovery codes', async () => {
    const user = await newTotpUser();
    const { status, body } = await removeTotp(user.token);
    expect([status, body.data]).toEqual([200, none]);
    expect(await factorsOf(user)).toEqual(none);
    expect(await actionsOf(user)).toContain('factor.delete');
    expect((await login(user.email)).body.accessToken).toEqual(expect.any(String));
    expect((await removeTotp(user.token)).status).toBe(404);
  });

  it('lets nothing of before in once another app is set up', async () => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    const { cookies = [] } = await signInBoth(user, { body: { remember: true } });
    await removeTotp(user.token);
    const renewed = await enrolTotp(user);
    expect(renewed.codes).toHaveLength(10);
    expect((await secondStep(mfaToken, nextCode(renewed.secret))).status).toBe(401);
    const { body } = await login(user.email, undefined, {
      cookies: cookies.map((one) => one.split(';')[0] ?? ''),
    });
    expect(body.data.mfaRequired).toBe(true);
    expect((await secondStep(body.data.mfaToken, user.codes[0])).status).toBe(400);
  });

  it('succeeds for one of two concurrent requests', async () => {
    const { token } = await newTotpUser();
    const answers = await Promise.all([1, 2].map(() => removeTotp(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('POST /api/auth/recovery-codes', () => {
  it('replaces the codes', async () => {
    const user = await newTotpUser();
    pass(stepMs);
    const { status, body } = await renewCodes(user.token);
    expect([status, body.data.codes.length]).toEqual([200, 10]);
    const createdAt = new Date().toISOString();
    expect((await factorsOf(user)).recoveryCodes).toEqual({ left: 10, createdAt });
    const mfaToken = await firstStep(user.email);
    expect((await secondStep(mfaToken, user.codes[0])).status).toBe(400);
    expect((await secondStep(mfaToken, body.data.codes[0])).status).toBe(200);
    expect(await actionsOf(user)).toContain('codes.create');
  });

  it('returns 409 without a second factor', async () => {
    const { token } = await newUserOf('user');
    expect((await renewCodes(token)).status).toBe(409);
  });
});

describe('the routes of second factors', () => {
  it('refuse API tokens', async () => {
    const user = await newTotpUser();
    const { token } = (await createApiToken(user.token)).body.data;
    for (const answer of [
      await readFactors(token),
      await beginTotp(token),
      await confirmTotp(token, nextCode(user.secret)),
      await removeTotp(token),
      await renewCodes(token),
    ]) {
      expect(answer.status).toBe(403);
    }
  });

  it('leave nothing of a deleted user', async () => {
    const [user, admin] = [await newTotpUser(), await newUserOf('super_admin')];
    await beginTotp(user.token);
    await removeUser(admin, user.id);
    expect(await itemsOf(`USER#${user.id}`)).toEqual([]);
  });
});
