import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { detailsOf } from '../../../support/service/audit.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import {
  changePassword,
  freshPassword,
  me,
  resetPassword,
} from '../../../support/users/account.ts';
import {
  beginTotp,
  firstStep,
  newTotpUser,
  nextCode,
  renewCodes,
  secondStep,
  signInBoth,
  type WithTotp,
} from '../../../support/users/factors.ts';
import { newResetToken } from '../../../support/users/links.ts';
import { login, newPerson, password } from '../../../support/users/test-users.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const dayMs = 86_400_000;

const pairOf = ({ cookies = [] }: Answer, name: string): string =>
  cookies.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? expect.unreachable();

/** Signs in and has the device remembered. Returns its cookie. */
const remember = async (user: WithTotp): Promise<string> =>
  pairOf(await signInBoth(user, { body: { remember: true } }), '__Host-device');

const signInWith = (user: WithTotp, cookie: string, given = password): Promise<Answer> =>
  login(user.email, given, { cookies: ['theme=dark', cookie] });

const isAsked = ({ status, body }: Answer): boolean => {
  expect(status).toBe(200);
  return body.data.mfaRequired === true;
};

describe('a remembered device', () => {
  it('is a cookie for this host only, for 30 days', async () => {
    const { cookies = [] } = await signInBoth(await newTotpUser(), { body: { remember: true } });
    expect(cookies.map((one) => one.replace(/=[^;]*/, ''))).toEqual([
      expect.stringMatching(/^__Host-session;/),
      '__Host-device; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000',
    ]);
  });

  it.each([undefined, null, false])('isn’t made with remember: %o', async (value) => {
    const { cookies } = await signInBoth(await newTotpUser(), { body: { remember: value } });
    expect(cookies).toHaveLength(1);
  });

  it('isn’t made for a request from another site', async () => {
    const { email, secret } = await newTotpUser();
    const mfaToken = await firstStep(email);
    const { status, cookies } = await secondStep(mfaToken, nextCode(secret), {
      body: { remember: true },
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect([status, cookies]).toEqual([200, []]);
  });

  it('isn’t asked for a second factor, which proves nothing', async () => {
    const user = await newTotpUser();
    const cookie = await remember(user);
    const answer = await signInWith(user, cookie);
    expect(isAsked(answer)).toBe(false);
    expect((await me(answer.body.token)).status).toBe(200);
    expect(await detailsOf(user, 'session.create')).toContainEqual({
      session: expect.any(String),
      factor: 'device',
    });
    expect(await beginTotp(answer.body.token)).toMatchObject({
      status: 403,
      body: { error: { code: 'REAUTHENTICATION_REQUIRED' } },
    });
  });

  it('needs the password', async () => {
    const user = await newTotpUser();
    const cookie = await remember(user);
    expect((await signInWith(user, cookie, 'wrong horse')).status).toBe(401);
  });

  it('is asked again after 30 days', async () => {
    const user = await newTotpUser();
    const cookie = await remember(user);
    pass(30 * dayMs - 1_000);
    expect(isAsked(await signInWith(user, cookie))).toBe(false);
    pass(1_000);
    expect(isAsked(await signInWith(user, cookie))).toBe(true);
  });

  it('of another user is asked', async () => {
    const [ann, bob] = [await newTotpUser(), await newTotpUser()];
    expect(isAsked(await signInWith(ann, await remember(bob)))).toBe(true);
  });

  it.each([
    ['a changed password', (user: WithTotp) => changePassword(user.token), freshPassword],
    [
      'a password set by a link',
      async ({ id }: WithTotp) => resetPassword(await newResetToken(id)),
      freshPassword,
    ],
    ['new recovery codes', (user: WithTotp) => renewCodes(user.token), password],
    [
      'a sign-out everywhere',
      ({ token }: WithTotp) => call('POST /api/auth/logout', { token, body: { scope: 'all' } }),
      password,
    ],
  ])('is asked after %s', async (_, change, given) => {
    const user = await newTotpUser('user', { emailVerifiedAt: new Date().toISOString() });
    const cookie = await remember(user);
    expect((await change(user)).status).toBe(200);
    expect(isAsked(await signInWith(user, cookie, given))).toBe(true);
  });

  it('stays so after a sign-out here', async () => {
    const user = await newTotpUser();
    const cookie = await remember(user);
    await call('POST /api/auth/logout', { token: user.token, body: {} });
    expect(isAsked(await signInWith(user, cookie))).toBe(false);
  });

  it('takes no other kind of token', async () => {
    const user = await newTotpUser();
    const answer = await signInBoth(user);
    const session = pairOf(answer, '__Host-session').replace('__Host-session', '__Host-device');
    for (const cookie of [session, `__Host-device=${answer.body.token}`, '__Host-device=']) {
      expect(isAsked(await signInWith(user, cookie))).toBe(true);
    }
  });

  it('changes nothing for a user without a second factor', async () => {
    const [ann, bob] = [await newTotpUser(), await newPerson()];
    const cookie = await remember(ann);
    const { status, cookies } = await login(bob.email, undefined, { cookies: [cookie] });
    expect([status, cookies?.length]).toEqual([200, 1]);
  });
});
