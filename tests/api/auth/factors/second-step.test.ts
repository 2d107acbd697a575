import { describe, expect, it } from 'vitest';
import { signToken } from '../../../../shared/auth/tokens.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { detailsOf } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { errorBody } from '../../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import { changePassword, freshPassword, me, refresh } from '../../../support/users/account.ts';
import { changeUser } from '../../../support/users/administration.ts';
import { codeOf, stepMs, wrongCode } from '../../../support/users/authenticator.ts';
import {
  enrolTotp,
  firstStep,
  newTotpUser,
  nextCode,
  reauthenticate,
  removeTotp,
  renewCodes,
  secondStep,
  signInBoth,
} from '../../../support/users/factors.ts';
import { login, newPerson, newUserOf, password } from '../../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const minuteMs = 60_000;

const incorrect = {
  status: 400,
  body: errorBody('VALIDATION_ERROR', 'Invalid code: is incorrect.', [
    { field: 'code', message: 'is incorrect' },
  ]),
};
const expired = {
  status: 401,
  body: errorBody(
    'UNAUTHORIZED',
    'This sign-in took too long, or the account has changed. Sign in again.',
  ),
};

describe('POST /api/auth/login', () => {
  it('returns no session but a second step to a user with an authenticator app', async () => {
    const { id, email } = await newTotpUser();
    const before = await itemsOf(`USER#${id}`);
    const { status, body, cookies } = await login(email);
    expect([status, cookies]).toEqual([200, []]);
    expect(body).toEqual({
      success: true,
      data: { mfaRequired: true, mfaToken: expect.any(String), methods: ['totp', 'recovery'] },
      message: 'Confirm it’s you',
    });
    expect(await itemsOf(`USER#${id}`)).toEqual(before);
  });

  it('says nothing of a second factor to a wrong password', async () => {
    const [{ email }, other] = [await newTotpUser(), await newPerson()];
    const answers = [await login(email, 'wrong horse'), await login(other.email, 'wrong horse')];
    const [mine, theirs] = answers.map(({ status, body: { error } }) => ({
      status,
      error: { ...error, requestId: '' },
    }));
    expect(mine).toEqual(theirs);
    expect(mine?.status).toBe(401);
  });

  it('answers as ever once the last factor is removed', async () => {
    const user = await newTotpUser();
    expect((await removeTotp(user.token)).status).toBe(200);
    const { status, body } = await login(user.email);
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['accessToken', 'data', 'message', 'refreshToken', 'success', 'token', 'user'],
    ]);
  });
});

describe('POST /api/auth/mfa', () => {
  it('signs in by the code of the app, as a login without a second factor does', async () => {
    const [user, plain] = [await newTotpUser(), await newPerson()];
    const { status, body, cookies = [] } = await signInBoth(user);
    const usual = await login(plain.email);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(Object.keys(usual.body));
    expect(Object.keys(body.data)).toEqual(Object.keys(usual.body.data));
    expect(body.message).toBe(usual.body.message);
    expect(cookies.map((one) => one.replace(/=.*?;/, ';'))).toEqual(
      usual.cookies?.map((one) => one.replace(/=.*?;/, ';')),
    );
    expect((await me(body.token)).body.data.id).toBe(user.id);
    expect((await refresh(body.refreshToken)).status).toBe(200);
    expect(await detailsOf(user, 'session.create')).toContainEqual({
      session: expect.any(String),
      factor: 'totp',
    });
  });

  it('takes a code with spaces', async () => {
    const { email, secret } = await newTotpUser();
    const mfaToken = await firstStep(email);
    const code = nextCode(secret);
    const typed = ` ${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await secondStep(mfaToken, typed)).status).toBe(200);
  });

  it('refuses a code that was used, also of an earlier step, and in another sign-in', async () => {
    const { email, secret } = await newTotpUser();
    const mfaToken = await firstStep(email);
    const before = nextCode(secret);
    const code = codeOf(secret, Date.now() + stepMs);
    expect((await secondStep(mfaToken, code)).status).toBe(200);
    expect(await secondStep(mfaToken, code)).toMatchObject(incorrect);
    expect(await secondStep(await firstStep(email), code)).toMatchObject(incorrect);
    expect(await secondStep(await firstStep(email), before)).toMatchObject(incorrect);
    pass(2 * stepMs);
    expect((await secondStep(mfaToken, codeOf(secret))).status).toBe(200);
  });

  it('refuses the code that set the app up', async () => {
    const { email, secret } = await newTotpUser();
    expect(await secondStep(await firstStep(email), codeOf(secret))).toMatchObject(incorrect);
  });

  it('accepts a code for one of many concurrent sign-ins', async () => {
    const { email, secret } = await newTotpUser();
    const tokens = await Promise.all(Array.from({ length: 4 }, () => firstStep(email)));
    const code = nextCode(secret);
    const answers = await Promise.all(
      [...tokens, ...tokens].map((mfaToken) => secondStep(mfaToken, code)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  it('accepts a code for one of a sign-in and a proof at the same time', async () => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    const code = nextCode(user.secret);
    const answers = await Promise.all([
      secondStep(mfaToken, code),
      reauthenticate(user.token, { code }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('refuses the code of another user', async () => {
    const [ann, bob] = [await newTotpUser(), await newTotpUser()];
    const code = nextCode(bob.secret);
    expect(await secondStep(await firstStep(ann.email), code)).toMatchObject(incorrect);
    expect((await secondStep(await firstStep(bob.email), code)).status).toBe(200);
  });

  it.each([
    [-1, 200],
    [1, 200],
    [-2, 400],
    [2, 400],
  ])('answers a clock %d time steps off with %d', async (steps, status) => {
    const { email, secret } = await newTotpUser();
    pass(10 * minuteMs);
    const code = codeOf(secret, Date.now() + steps * stepMs);
    expect((await secondStep(await firstStep(email), code)).status).toBe(status);
  });

  it.each(['', '000', 'x'.repeat(32), '٠٠٠٠٠٠', '-00000', '1e5', '0000000'])(
    'refuses %j as a code',
    async (code) => {
      const { email } = await newTotpUser();
      expect(await secondStep(await firstStep(email), code)).toMatchObject(incorrect);
    },
  );

  it('audits a wrong code and leaves everything as it was', async () => {
    const user = await newTotpUser();
    const { id, email, secret } = user;
    const mfaToken = await firstStep(email);
    const before = await itemsOf(`USER#${id}`);
    expect(await secondStep(mfaToken, wrongCode(secret))).toMatchObject(incorrect);
    expect(await itemsOf(`USER#${id}`)).toEqual(before);
    expect(await detailsOf(user, 'session.fail')).toEqual([{ reason: 'wrong code' }]);
  });

  it('refuses a token after 5 minutes', async () => {
    const { email, secret } = await newTotpUser();
    const mfaToken = await firstStep(email);
    pass(5 * minuteMs - 1_000);
    const code = codeOf(secret);
    pass(1_000);
    expect(await secondStep(mfaToken, code)).toMatchObject(expired);
    const again = await firstStep(email);
    pass(5 * minuteMs - 1_000);
    expect((await secondStep(again, codeOf(secret))).status).toBe(200);
  });

  it.each([
    ['the password', (token: string) => changePassword(token), freshPassword],
    ['the factors', (token: string) => renewCodes(token), password],
    [
      'the sessions',
      (token: string) => call('POST /api/auth/logout', { token, body: { scope: 'all' } }),
      password,
    ],
  ])('refuses a token from before a change of %s', async (_, change, given) => {
    const { email, secret, token } = await newTotpUser();
    const mfaToken = await firstStep(email);
    expect((await change(token)).status).toBe(200);
    expect(await secondStep(mfaToken, nextCode(secret))).toMatchObject(expired);
    const { body } = await login(email, given);
    expect((await secondStep(body.data.mfaToken, codeOf(secret))).status).toBe(200);
  });

  it('refuses a token from before the app was replaced, by either app', async () => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    const replaced = await enrolTotp(user);
    expect(replaced.codes).toEqual([]);
    pass(stepMs);
    for (const { secret } of [user, replaced]) {
      expect(await secondStep(mfaToken, codeOf(secret))).toMatchObject(expired);
    }
    const again = await firstStep(user.email);
    expect(await secondStep(again, codeOf(user.secret))).toMatchObject(incorrect);
    expect((await secondStep(again, codeOf(replaced.secret))).status).toBe(200);
  });

  it('refuses a suspended user', async () => {
    const [user, admin] = [await newTotpUser(), await newUserOf('super_admin')];
    const mfaToken = await firstStep(user.email);
    expect((await changeUser(admin, user.id, { status: 'suspended' })).status).toBe(200);
    expect(await secondStep(mfaToken, nextCode(user.secret))).toMatchObject(expired);
  });

  it('takes no other kind of token, forged ones, or one of a user who is gone', async () => {
    const user = await newTotpUser();
    const signedIn = (await signInBoth(user)).body;
    const epochs = { sub: String(user.id), se: 0, fe: 1 };
    const device = await signToken('device', epochs, minuteMs);
    const gone = await signToken('mfa', { sub: '1', se: 0, fe: 0 }, minuteMs);
    const code = nextCode(user.secret);
    const given = [signedIn.token, signedIn.refreshToken, device, gone, '', 'x', `${device}x`];
    for (const mfaToken of given) {
      expect(await secondStep(mfaToken, code), mfaToken).toMatchObject(expired);
    }
    expect((await secondStep(await firstStep(user.email), code)).status).toBe(200);
  });

  it('gives a token that is good for nothing else', async () => {
    const { email } = await newTotpUser();
    const mfaToken = await firstStep(email);
    expect((await me(mfaToken)).status).toBe(401);
    expect((await refresh(mfaToken)).status).toBe(401);
    const cookies = [`__Host-session=${mfaToken}`];
    expect((await call('GET /api/auth/me', { cookies })).status).toBe(401);
    expect(await login(email, undefined, { cookies: [`__Host-device=${mfaToken}`] })).toMatchObject(
      { status: 200, body: { data: { mfaRequired: true } } },
    );
  });

  it('names missing fields', async () => {
    const { body } = await call('POST /api/auth/mfa', { body: {} });
    expect(body.error.details.map(({ field }: { field: string }) => field)).toContain('mfaToken');
  });
});
