import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { detailsOf } from '../../../support/service/audit.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { otherThan } from '../../../support/shares/codes.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';
import {
  createApiToken,
  me,
  moveEmail,
  refresh,
  resetPassword,
} from '../../../support/users/account.ts';
import {
  enterSignInCode,
  newSignInMail,
  requestCode,
  signInMailsTo,
} from '../../../support/users/email-codes.ts';
import { newTotpUser, nextCode, readFactors, secondStep } from '../../../support/users/factors.ts';
import { newInvitationToken } from '../../../support/users/links.ts';
import {
  login,
  newEmail,
  newInvited,
  newVerified,
  setUser,
} from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();
beforeEach(() => {
  vi.unstubAllEnvs();
  vi.stubEnv('EMAIL_SIGN_IN', 'on');
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const asked = {
  success: true,
  data: {},
  message: 'If the account exists, a code has been sent. It works for 10 minutes.',
};
const refused = {
  status: 400,
  body: {
    success: false,
    error: {
      code: 'VALIDATION_ERROR',
      details: [{ field: 'code', message: expect.stringContaining('is incorrect or has expired') }],
    },
  },
};

describe('POST /api/auth/login/email', () => {
  it('emails a code and a link, which say for how long they work', async () => {
    const { email } = await newVerified();
    const { status, body } = await requestCode(email.toUpperCase());
    expect([status, body]).toEqual([200, asked]);
    expect(await mailsTo(email)).toEqual([]);
    const [sent] = await signInMailsTo(email);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe(
      `${sent?.code.slice(0, 3)} ${sent?.code.slice(3)} is your sign-in code`,
    );
    expect(mail?.text).toContain('handbill.test, or use the link. Both work for 10 minutes');
    expect(mail?.text).toContain('https://handbill.test/login/email#token=');
    expect(mail?.text).not.toContain('verified');
  });

  it('returns the same for who has no account, is suspended or takes no emails, and sends nothing', async () => {
    const suspended = await newVerified();
    await setUser(suspended.id, { status: 'suspended' });
    for (const email of [newEmail(), suspended.email]) {
      const { status, body } = await requestCode(email);
      expect([status, body]).toEqual([200, asked]);
      expect(await signInMailsTo(email)).toEqual([]);
    }
  });

  it('sends 3 an hour for an address and a network, one a minute, and 10 a day from everywhere', async () => {
    const { email } = await newVerified();
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    const ask = async (address: string) => (await requestCode(email, { address })).status;
    expect(await ask('198.51.100.1')).toBe(200);
    expect(await ask('198.51.100.1')).toBe(200);
    expect(await signInMailsTo(email)).toHaveLength(1);
    pass(minuteMs);
    expect(await ask('198.51.100.1')).toBe(200);
    pass(minuteMs);
    expect(await ask('198.51.100.1')).toBe(429);
    expect(await signInMailsTo(email)).toHaveLength(2);
    for (let network = 2; network < 12; network++) {
      pass(minuteMs);
      expect(await ask(`198.51.100.${network}`)).toBe(200);
      await settleJobs();
    }
    expect(await signInMailsTo(email)).toHaveLength(10);
    pass(24 * hourMs);
    expect(await ask('198.51.100.1')).toBe(200);
    expect(await signInMailsTo(email)).toHaveLength(11);
  });

  it('is off unless the setting is on', async () => {
    vi.stubEnv('EMAIL_SIGN_IN', undefined);
    const { email } = await newVerified();
    expect(await requestCode(email)).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', message: expect.stringContaining('is off here') } },
    });
    expect((await enterSignInCode({ email, code: '123456' })).status).toBe(403);
  });

  it('sends a code once, and the same again if the first attempt failed', async () => {
    const { id, email } = await newVerified();
    await newSignInMail(email);
    const stored = async () =>
      (await itemsOf(`USER#${id}`)).find(({ sk }) => sk === 'SIGN-IN-CODE');
    const before = await stored();
    expect(JSON.stringify(before)).not.toContain((await signInMailsTo(email))[0]?.code);
    await settleJobs();
    expect([await stored(), (await signInMailsTo(email)).length]).toEqual([before, 1]);
  });
});

describe('POST /api/auth/login/email/code', () => {
  it('signs in by the code, once', async () => {
    const { id, email } = await newVerified();
    const { code, token } = await newSignInMail(email);
    const { status, body, cookies } = await enterSignInCode({
      email: email.toUpperCase(),
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect([status, body.user.id]).toEqual([200, id]);
    expect(cookies?.join()).toContain('__Host-session=');
    expect((await me(body.token)).status).toBe(200);
    expect(await enterSignInCode({ email, code })).toMatchObject(refused);
    expect((await enterSignInCode({ token })).status).toBe(400);
    expect(await detailsOf({ id }, 'session.create')).toMatchObject([{ method: 'email' }]);
  });

  it('signs in by the link, once, also after 5 wrong codes', async () => {
    const { id, email } = await newVerified();
    const { code, token } = await newSignInMail(email);
    for (let by = 1; by <= 5; by++) {
      expect(await enterSignInCode({ email, code: otherThan(code, by) })).toMatchObject(refused);
    }
    expect(await enterSignInCode({ email, code })).toMatchObject(refused);
    const { status, body } = await enterSignInCode({ token });
    expect([status, body.user.id]).toEqual([200, id]);
    expect(await enterSignInCode({ token })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'token' }] } },
    });
    const failures = await detailsOf({ id }, 'session.fail');
    expect(failures.map((after) => (after as { reason: string }).reason).toSorted()).toEqual([
      'too many attempts',
      ...Array.from({ length: 5 }, () => 'wrong code'),
    ]);
  });

  it('returns the same for an unknown address, a former code, one that is over and one of someone else', async () => {
    const [ann, bob] = [await newVerified(), await newVerified()];
    const first = await newSignInMail(ann.email);
    pass(minuteMs);
    const second = await newSignInMail(ann.email);
    const answers = [
      await enterSignInCode({ email: newEmail(), code: second.code }),
      await enterSignInCode({ email: bob.email, code: second.code }),
      await enterSignInCode({ email: ann.email, code: first.code }),
    ];
    pass(10 * minuteMs);
    answers.push(await enterSignInCode({ email: ann.email, code: second.code }));
    const bodies = answers.map(({ status, body: { error } }) => [
      status,
      error.message,
      error.details,
    ]);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]).toMatchObject(refused);
    expect((await enterSignInCode({ token: first.token })).status).toBe(400);
    expect((await enterSignInCode({ token: second.token })).status).toBe(400);
  });

  it('lets one of concurrent requests with a code in', async () => {
    const { email } = await newVerified();
    const { code, token } = await newSignInMail(email);
    const answers = await Promise.all([
      enterSignInCode({ email, code }),
      enterSignInCode({ email, code }),
      enterSignInCode({ token }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  });

  it('refuses who was suspended since, and another address since', async () => {
    const [ann, bob] = [await newVerified(), await newVerified()];
    const [forAnn, forBob] = [await newSignInMail(ann.email), await newSignInMail(bob.email)];
    await setUser(ann.id, { status: 'suspended' });
    expect(await enterSignInCode({ email: ann.email, code: forAnn.code })).toMatchObject(refused);
    expect((await enterSignInCode({ token: forAnn.token })).status).toBe(400);
    await moveEmail(bob.token);
    expect((await enterSignInCode({ token: forBob.token })).status).toBe(400);
  });

  it('asks for the second factor still, and uses the code up', async () => {
    const user = await newTotpUser('user', { emailVerifiedAt: new Date().toISOString() });
    const { code } = await newSignInMail(user.email);
    const { status, body } = await enterSignInCode({ email: user.email, code });
    expect([status, body.data]).toMatchObject([
      200,
      { mfaRequired: true, methods: ['totp', 'recovery'] },
    ]);
    expect(body.token).toBeUndefined();
    expect(await enterSignInCode({ email: user.email, code })).toMatchObject(refused);
    const done = await secondStep(body.data.mfaToken, nextCode(user.secret));
    expect(done.status).toBe(200);
    expect((await detailsOf(user, 'session.create')).at(-1)).toMatchObject({
      method: 'email',
      factor: 'totp',
    });
  });

  it('names what is missing', async () => {
    expect((await enterSignInCode({})).body.error.details).toEqual([
      { field: 'email', message: 'is required' },
    ]);
    expect((await enterSignInCode({ email: newEmail() })).body.error.details).toEqual([
      { field: 'code', message: 'is required' },
    ]);
  });
});

describe('a code for an address that was never proven', () => {
  it('proves it, and ends all that was there before, the password too', async () => {
    const stranger = await newTotpUser();
    const apiToken = (await createApiToken(stranger.token)).body.data.token;
    const { code } = await newSignInMail(stranger.email);
    expect(await mailsTo(stranger.email)).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('signs out everyone else') }),
    );
    const { status, body } = await enterSignInCode({ email: stranger.email, code });
    expect([status, body.user.emailVerified, body.user.invited]).toEqual([200, true, false]);
    expect((await login(stranger.email)).status).toBe(401);
    expect((await me(stranger.token)).status).toBe(401);
    expect((await refresh(stranger.refreshToken)).status).toBe(401);
    expect((await me(apiToken)).status).toBe(401);
    expect((await readFactors(body.token)).body.data).toMatchObject({ totp: null });
    expect(await detailsOf(stranger, 'email.verify')).toMatchObject([
      { password: 'ended', secondFactors: 'ended' },
    ]);
  });

  it('takes an invited account, and its invitation ends', async () => {
    const { id, email } = await newInvited();
    const invitation = await newInvitationToken(id);
    const { code } = await newSignInMail(email);
    const { status, body } = await enterSignInCode({ email, code });
    expect([status, body.user]).toMatchObject([200, { id, emailVerified: true, invited: false }]);
    expect((await resetPassword(invitation)).status).toBe(400);
  });
});
