import { afterEach, describe, expect, it, vi } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  changeEmail,
  createApiToken,
  me,
  moveEmail,
  resetPassword,
  verifyEmail,
} from '../../support/users/account.ts';
import { changeUser, createUser } from '../../support/users/administration.ts';
import { newVerificationToken, tokenOfLink } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  newVerified,
  register,
} from '../../support/users/test-users.ts';

useTable();
useJobs();
useMail('optional');
useVirtualTime('2026-11-21T12:00:00.000Z');
afterEach(() => {
  vi.unstubAllEnvs();
});

const send = (token: string) => call('POST /api/auth/send-verification', { token });
const cancel = (token: string) => call('DELETE /api/auth/pending-email', { token });
const page = (token: string | undefined, query: Record<string, string> = {}, headers = {}) =>
  call('GET /verify', { token, query, headers });
const newestTokenTo = async (address: string): Promise<string> => {
  await settleJobs();
  return tokenOfLink(linkOf((await mailsTo(address)).at(-1) ?? expect.unreachable()));
};
const invalid = {
  status: 400,
  body: {
    error: { details: [{ field: 'token', message: 'is invalid or expired; request a new link' }] },
  },
};

describe('registering while email is on', () => {
  it('sends a link that verifies the address once, in a session of that account', async () => {
    const ann = await newPerson();
    expect((await me(ann.token)).body.data).toMatchObject({ emailVerified: false, invited: false });
    const link = await newestTokenTo(ann.email);
    expect(JSON.stringify(await itemsOf(''))).not.toContain(link.split('.')[1]);
    const bob = await newPerson();
    const apiToken = (await createApiToken(ann.token)).body.data.token;
    expect((await verifyEmail(undefined, link)).status).toBe(401);
    expect((await verifyEmail(apiToken, link)).status).toBe(403);
    expect((await verifyEmail(bob.token, link)).body.error.message).toBe(
      'This link is for another account. Sign in to that one.',
    );
    expect(await verifyEmail(ann.token, `${link}x`)).toMatchObject(invalid);
    const { body } = await verifyEmail(ann.token, link);
    expect(body.data).toMatchObject({ email: ann.email, emailVerified: true });
    expect(await verifyEmail(ann.token, link)).toMatchObject(invalid);
    expect((await me(apiToken)).status).toBe(200);
  });

  it('sends a link that expires after 24 hours, and another one on request', async () => {
    const ann = await newPerson();
    const first = await newestTokenTo(ann.email);
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    const { token } = (await login(ann.email)).body;
    expect(await verifyEmail(token, first)).toMatchObject(invalid);
    expect((await send(token)).body.message).toBe(`Link sent to ${ann.email}`);
    expect((await verifyEmail(token, await newestTokenTo(ann.email))).status).toBe(200);
    expect((await send(token)).status).toBe(409);
  });

  it.each(['off', undefined])('sends none where users aren’t asked to verify', async (mode) => {
    vi.stubEnv(mode ? 'EMAIL_VERIFICATION' : 'MAIL_FROM', mode);
    const ann = await newPerson();
    await settleJobs();
    vi.unstubAllEnvs();
    expect(await mailsTo(ann.email)).toEqual([]);
  });

  it('is limited to ALLOWED_DOMAINS, and so are invitations and new addresses', async () => {
    vi.stubEnv('ALLOWED_DOMAINS', 'example.org, heron.example.com');
    const ann = await newPerson(newEmail().replace('example.com', 'example.org'));
    const root = await newUserOf('super_admin');
    const { id } = await newUserOf('user');
    const outside = newEmail();
    for (const { status, body } of [
      await register(outside),
      await createUser(root, { email: outside }),
      await changeUser(root, id, { email: outside }),
      await changeEmail(ann.token, outside),
    ]) {
      expect([status, body.error.details]).toEqual([
        400,
        [{ field: 'email', message: 'must be an address at example.org or heron.example.com' }],
      ]);
    }
  });
});

describe('a changed address', () => {
  it('waits until its link is confirmed, and the former one can undo it only if it was verified', async () => {
    const [ann, bob] = [await newVerified(), await newPerson()];
    for (const { token, email } of [ann, bob]) {
      const next = newEmail();
      expect((await changeEmail(token, next)).body.data).toMatchObject({
        email,
        pendingEmail: next,
      });
      expect((await login(next)).status).toBe(401);
      const link = await newestTokenTo(next);
      expect((await mailsTo(next))[0]?.subject).toBe('Confirm your new email address');
      expect((await verifyEmail(token, link)).body.data).toMatchObject({
        email: next,
        emailVerified: true,
        pendingEmail: null,
      });
      await settleJobs();
      const undo = (await mailsTo(email)).filter(({ text }) => text.includes('/undo-email'));
      expect(undo).toHaveLength(email === ann.email ? 1 : 0);
    }
  });

  it('can be asked for again, replaced and canceled', async () => {
    const ann = await newVerified();
    const [first, second] = [newEmail(), newEmail()];
    await changeEmail(ann.token, first);
    const old = await newestTokenTo(first);
    await changeEmail(ann.token, first);
    await settleJobs();
    const confirmations = (await mailsTo(first)).length;
    expect(confirmations).toBe(2);
    await changeEmail(ann.token, second);
    expect(await verifyEmail(ann.token, old)).toMatchObject(invalid);
    const link = await newestTokenTo(second);
    expect((await cancel(ann.token)).body.data).toMatchObject({ pendingEmail: null });
    expect(await verifyEmail(ann.token, link)).toMatchObject(invalid);
    expect((await cancel(ann.token)).status).toBe(404);
    expect((await login(ann.email)).status).toBe(200);
  });

  it('is refused while someone has it or can get it back', async () => {
    const [ann, bob] = [await newVerified(), await newVerified()];
    expect((await changeEmail(bob.token, ann.email)).status).toBe(409);
    await moveEmail(ann.token);
    expect((await changeEmail(bob.token, ann.email)).status).toBe(409);
  });
});

describe('an invitation', () => {
  it('proves the address that it was sent to', async () => {
    const root = await newUserOf('super_admin');
    const { body } = await createUser(root);
    const token = await newestTokenTo(body.data.email);
    expect((await resetPassword(token)).status).toBe(200);
    const { user } = (await login(body.data.email, 'battery staple')).body;
    expect(user).toMatchObject({ emailVerified: true, invited: false });
  });

  it('proves nothing if an administrator passes its link on', async () => {
    vi.stubEnv('MAIL_FROM', undefined);
    const { body } = await createUser(await newUserOf('admin'));
    expect((await resetPassword(tokenOfLink(body.link))).status).toBe(200);
    const { user } = (await login(body.data.email, 'battery staple')).body;
    expect(user).toMatchObject({ emailVerified: false, invited: false });
  });
});

describe('where verification is required', () => {
  it('shows no calendar feed of an unverified user', async () => {
    const ann = await newPerson();
    const { body } = await call('POST /api/calendar/feed', { token: ann.token });
    const { pathname } = new URL(body.data.url);
    const params = { token: pathname.split('/')[2] ?? '' };
    const read = async () => (await call('GET /calendar/{token}/events.ics', { params })).status;
    expect(await read()).toBe(200);
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    expect(await read()).toBe(404);
  });

  it('an unverified user only verifies, signs out and reads what is open to all', async () => {
    vi.stubEnv('EMAIL_VERIFICATION', 'required');
    const ann = await newPerson();
    const { token } = ann;
    const share = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
    expect([share.status, share.body.error]).toMatchObject([
      403,
      { code: 'VERIFICATION_REQUIRED', message: expect.stringContaining('/verify') },
    ]);
    expect((await call('GET /api/documents', { token })).status).toBe(403);
    const apiToken = await createApiToken(token);
    expect(apiToken.status).toBe(403);
    expect((await me(token)).body.data.emailVerified).toBe(false);
    expect((await call('GET /', { token })).status).toBe(200);
    const account = await call('GET /account', { token });
    expect([account.status, account.headers['location']]).toEqual([303, '/verify?next=/account']);
    expect((await page(token)).body).toContain(ann.email);
    await verifyEmail(token, await newVerificationToken(ann.id));
    expect((await call('GET /api/documents', { token })).status).toBe(200);
    expect((await call('GET /account', { token })).status).toBe(200);
    const other = await newPerson();
    expect((await call('POST /api/auth/logout', { token: other.token, body: {} })).status).toBe(
      200,
    );
  });
});

describe('GET /verify', () => {
  it('asks to sign in first, and then for a click, so that opening a link proves nothing', async () => {
    const ann = await newPerson();
    const link = await newestTokenTo(ann.email);
    const out = await page(undefined, { token: link });
    expect(out.status).toBe(200);
    expect(out.body).toContain(
      `href="/login?next=${encodeURIComponent(`/verify?token=${link}`).replaceAll('%2F', '/')}"`,
    );
    expect(out.body).not.toContain(ann.email);
    const asked = await page(ann.token, { token: link });
    expect(asked.body).toContain('<form id="verify"');
    expect(asked.body).toContain(ann.email);
    const bob = await newVerified();
    expect((await page(bob.token, { token: link })).body).toContain(
      'This link is for another account',
    );
    expect((await me(ann.token)).body.data.emailVerified).toBe(false);
    await verifyEmail(ann.token, link);
    expect((await page(ann.token, { token: link })).body).toContain('Email address verified');
  });

  it('offers a new link for an invalid one', async () => {
    const ann = await newPerson();
    const { body } = await page(ann.token, { token: `${ann.id}.${'x'.repeat(43)}` });
    expect(body).toContain('This link is invalid or expired');
    expect(body).toContain('<form id="send"');
  });
});
