import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createOperatorLink } from '../../../../functions/api/users/account/password-link.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { entries } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { form } from '../../../support/service/form.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';
import {
  changePassword,
  forgotPassword,
  freshPassword,
  me,
  resetPassword,
} from '../../../support/users/account.ts';
import { createUser, inviteUser } from '../../../support/users/administration.ts';
import { enterSignInCode, newSignInMail } from '../../../support/users/email-codes.ts';
import { beginTotp } from '../../../support/users/factors.ts';
import {
  newInvitationToken,
  newResetToken,
  newUndoToken,
  tokenOfLink,
} from '../../../support/users/links.ts';
import {
  login,
  newEmail,
  newInvited,
  newUserOf,
  newVerified,
  password,
  register,
} from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();
beforeEach(() => {
  vi.unstubAllEnvs();
  vi.stubEnv('EMAIL_SIGN_IN', 'on');
});

const turnOff = () => vi.stubEnv('PASSWORD_SIGN_IN', 'off');

const passwords = { password: freshPassword, confirmPassword: freshPassword };
const toLogin = 'https://handbill.test/login?next=/';
const refused = {
  status: 403,
  body: {
    error: { code: 'FORBIDDEN', message: 'Passwords are off here. Sign in at /login.' },
  },
};

describe('PASSWORD_SIGN_IN=off', () => {
  it('lets no password prove who one is', async () => {
    vi.stubEnv('JWT_ACCESS_EXPIRES', '1h');
    const { token } = await newVerified();
    turnOff();
    pass(16 * 60_000);
    const codes = [password, 'wrong horse'].map(async (currentPassword) => {
      const { status, body } = await beginTotp(token, { currentPassword });
      return [status, body.error.code];
    });
    const asked = [403, 'REAUTHENTICATION_REQUIRED'];
    expect(await Promise.all(codes)).toEqual([asked, asked]);
  });

  it('refuses all that signs in by a password or sets one, and writes nothing', async () => {
    const [ann, root] = [await newVerified(), await newUserOf('super_admin')];
    const [reset, invitation] = [
      await newResetToken(ann.id),
      await newInvitationToken((await newInvited()).id),
    ];
    turnOff();
    const before = await entries();
    const answers = [
      await login(ann.email),
      await login(newEmail()),
      await register(newEmail()),
      await forgotPassword(ann.email),
      await resetPassword(reset),
      await resetPassword(invitation),
      await changePassword(ann.token),
      await createUser(root, { password: freshPassword }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(refused);
    await settleJobs();
    expect(await mailsTo(ann.email)).toEqual([]);
    expect(await entries()).toEqual(before);
    expect((await me(ann.token)).status).toBe(200);
    vi.stubEnv('PASSWORD_SIGN_IN', undefined);
    expect((await login(ann.email)).status).toBe(200);
  });

  it('shows where to sign in instead of a form, by links from before, too', async () => {
    const { id } = await newVerified();
    const links = [
      ['/reset', await newResetToken(id)],
      ['/invite', await newInvitationToken((await newInvited()).id)],
    ] as const;
    turnOff();
    for (const [path, token] of links) {
      const pages = [
        await call(`GET ${path}`, { query: { token } }),
        await call(`POST ${path}`, form({ token, ...passwords })),
      ];
      for (const { status, body, cookies } of pages) {
        expect([status, cookies ?? []]).toEqual([403, []]);
        expect(body).toContain('href="/login?next=/"');
        expect(body).not.toContain('type="password"');
      }
    }
  });

  it('lets an operator’s link set a password and sign in, once', async () => {
    const { id } = await newVerified();
    turnOff();
    const token = tokenOfLink(await createOperatorLink(id));
    expect((await call('GET /reset', { query: { token } })).body).toContain('type="password"');
    const send = () => call('POST /reset', form({ token, ...passwords }));
    const done = await send();
    expect([done.status, done.headers['location']]).toEqual([303, '/dashboard?done=reset']);
    expect(done.cookies?.join()).toContain('__Host-session=');
    expect((await send()).status).toBe(400);
  });

  it('invites by an email that leads to the sign-in page, where a code takes the account', async () => {
    const root = await newUserOf('super_admin');
    turnOff();
    const email = newEmail();
    expect((await createUser(root, { email })).body).toMatchObject({ success: true });
    await settleJobs();
    const [mail] = await mailsTo(email);
    expect(mail && linkOf(mail)).toBe(toLogin);
    expect(mail?.text).not.toMatch(/password/i);
    const { code } = await newSignInMail(email);
    const signedIn = await enterSignInCode({ email, code });
    expect([signedIn.status, signedIn.body.user]).toMatchObject([
      200,
      { email, invited: false, emailVerified: true },
    ]);
    expect((await inviteUser(root, signedIn.body.user.id)).status).toBe(409);
  });

  it('returns the address of the sign-in page to pass on where email is off', async () => {
    const root = await newUserOf('super_admin');
    turnOff();
    vi.stubEnv('MAIL_FROM', undefined);
    const { body } = await createUser(root);
    expect(body.link).toBe(toLogin);
    expect((await inviteUser(root, body.data.id)).body.link).toBe(toLogin);
  });

  it('restores a former address without a link for a password', async () => {
    const token = await newUndoToken();
    turnOff();
    const { status, body } = await call('POST /undo-email', form({ token }));
    expect([status, body]).toEqual([200, expect.stringContaining('Sign in with it')]);
    const restored = /<strong>([^<]*)/.exec(body)?.[1] ?? '';
    await settleJobs();
    expect((await mailsTo(restored)).filter(({ subject }) => /password/.test(subject))).toEqual([]);
  });
});
