import { afterEach, describe, expect, it, vi } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { form } from '../../support/service/form.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import {
  changeEmail,
  createApiToken,
  forgotPassword,
  freshPassword,
  me,
  resetPassword,
  verifyEmail,
} from '../../support/users/account.ts';
import { changeUser, inviteUser, readUser } from '../../support/users/administration.ts';
import { tokenOfLink } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newInvited,
  newPerson,
  newUserOf,
  reading,
} from '../../support/users/test-users.ts';

useTable();
useJobs();
useMail('optional');
useVirtualTime('2026-11-21T12:00:00.000Z');
afterEach(() => {
  vi.unstubAllEnvs();
});

const linksTo = async (address: string): Promise<string[]> =>
  (await mailsTo(address)).filter(({ text }) => text.includes('?token=')).map(linkOf);

const createFeed = (token: string) => call('POST /api/calendar/feed', { token });
const readFeed = (url: string) =>
  call('GET /calendar/{token}/events.ics', { params: { token: url.split('/').at(-2) ?? '' } });

/** Resets the password of the account of an address by the email that its owner reads. */
const recover = async (email: string): Promise<number> => {
  await forgotPassword(email);
  await settleJobs();
  const reset = (await linksTo(email)).filter((link) => link.includes('/reset')).at(-1);
  return (await resetPassword(tokenOfLink(reset))).status;
};

describe('someone who registers first and changes the address to that of a victim', () => {
  it('doesn’t get the address, which stays free for the victim', async () => {
    const mallory = await newPerson();
    const victim = newEmail();
    const { body } = await changeEmail(mallory.token, victim);
    expect(body.data).toMatchObject({ email: mallory.email, pendingEmail: victim });
    await settleJobs();
    // The victim opens the link, but has no session of that account.
    const link = tokenOfLink((await linksTo(victim)).at(-1));
    const ann = await newPerson(victim);
    expect((await verifyEmail(ann.token, link)).status).toBe(403);
    // Who has the address by now keeps it, also if the attacker gets hold of the link.
    const late = await verifyEmail(mallory.token, link);
    expect([late.status, late.body.error.message]).toEqual([
      409,
      `Someone else has registered ${victim} since. Your address stays ${mallory.email}.`,
    ]);
    expect((await login(victim)).body.user.id).toBe(ann.id);
  });

  it('loses everything once the victim recovers the account, and can’t take it back', async () => {
    // With email off, the address changes at once and unproven.
    const mallory = await newPerson();
    const victim = newEmail();
    vi.stubEnv('MAIL_FROM', undefined);
    expect((await changeEmail(mallory.token, victim)).body.data.email).toBe(victim);
    vi.unstubAllEnvs();
    const apiToken = (await createApiToken(mallory.token)).body.data.token;
    const feed = (await createFeed(mallory.token)).body.data.url;
    const next = newEmail();
    await changeEmail(mallory.token, next);
    await settleJobs();

    expect(await recover(victim)).toBe(200);
    const ann = (await login(victim, freshPassword)).body;
    expect(ann.user).toMatchObject({ emailVerified: true, pendingEmail: null });
    for (const ended of [mallory.token, apiToken]) expect((await me(ended)).status).toBe(401);
    expect((await readFeed(feed)).status).toBe(404);
    await settleJobs();
    const links = [...(await linksTo(mallory.email)), ...(await linksTo(next))];
    for (const link of links) {
      const token = tokenOfLink(link);
      expect((await call('POST /undo-email', form({ token }))).status).toBe(400);
      expect((await verifyEmail(ann.token, token)).status).toBe(400);
    }
    expect((await login(victim, freshPassword)).body.user.email).toBe(victim);
  });
});

describe('an administrator with users:update', () => {
  const withExtras = (extraPermissions: readonly string[]) =>
    newUserOf('user', { extraPermissions: [...extraPermissions] });

  it('gets into no account, neither directly nor after removing permissions', async () => {
    const helper = await withExtras(['users:update', 'users:view']);
    const [bob, zoe] = [await withExtras([]), await withExtras(['sales:view'])];
    const takeOver = (id: number) => changeUser(helper, id, { email: newEmail() });
    expect((await takeOver(bob.id)).status).toBe(403);
    expect((await changeUser(helper, zoe.id, { permissions: [] })).status).toBe(200);
    expect((await takeOver(zoe.id)).status).toBe(403);

    const rights = [
      'users:update',
      'documents:view',
      'files:view',
      'messages:view',
      'calendar:view',
      ...reading,
    ];
    const reader = await withExtras(rights);
    const eve = await withExtras(['audit:view']);
    expect((await changeUser(reader, eve.id, { permissions: [] })).status).toBe(200);
    const refused = await changeUser(reader, eve.id, { email: newEmail() });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'This user lost the permission audit:view less than 24 hours ago, and you don’t have it.',
    ]);
    const accomplice = await withExtras(rights);
    expect((await changeUser(accomplice, eve.id, { email: newEmail() })).status).toBe(403);
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    const again = await login(reader.email);
    const caller = { token: again.body.token };
    expect((await changeUser(caller, eve.id, { email: newEmail() })).status).toBe(200);
  });

  it('sets an address at once, unverified, and both addresses are told', async () => {
    const root = await newUserOf('super_admin');
    const emailVerifiedAt = new Date().toISOString();
    const ann = await newUserOf('user', { emailVerifiedAt });
    await changeEmail(ann.token);
    const email = newEmail();
    const { body } = await changeUser(root, ann.id, { email });
    expect(body.data).toMatchObject({ email, emailVerified: false });
    await settleJobs();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toContain(
      'An administrator changed your email address',
    );
    const [mail] = await mailsTo(email);
    expect(mail).toMatchObject({ subject: 'Verify your email address' });
    expect((await me(ann.token)).body.data.pendingEmail).toBeNull();
    const done = await verifyEmail(ann.token, tokenOfLink(linkOf(mail ?? expect.unreachable())));
    expect(done.body.data).toMatchObject({ email, emailVerified: true });
  });

  it('gets no invitation link of an account whose records it may not read', async () => {
    vi.stubEnv('MAIL_FROM', undefined);
    const creator = await newUserOf('admin');
    const { id } = await newInvited();
    expect((await inviteUser(creator, id)).status).toBe(403);
    expect((await readUser(creator, id)).body.data).toMatchObject({ invited: true });
  });
});
