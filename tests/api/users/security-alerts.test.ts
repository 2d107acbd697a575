import { describe, expect, it, vi } from 'vitest';
import { deliverAlert } from '../../../functions/api/users/account/security-alert-delivery.ts';
import { securityAlert, securityAlertEmail } from '../../../functions/api/users/record/jobs.ts';
import { listed } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  changeEmail,
  changePassword,
  createApiToken,
  freshPassword,
  moveEmail,
  resetPassword,
  updateProfile,
  verifyEmail,
} from '../../support/users/account.ts';
import { changeUser } from '../../support/users/administration.ts';
import { newResetToken, newVerificationToken } from '../../support/users/links.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  newVerified,
  type Person,
  password,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const alertsOf = async (token: string) =>
  (await listed({ token })).items.map(({ type, title, link }) => ({ type, title, link }));
const alert = (title: string) => ({ type: 'alert', title, link: '/account' });

const changedTitle = 'Your password was changed';
const events = [
  [changedTitle, ({ token }: Person) => changePassword(token), freshPassword, 200],
  [
    'Your password was reset',
    async ({ id }: Person) => resetPassword(await newResetToken(id)),
    freshPassword,
    200,
  ],
  ['An API token was created', ({ token }: Person) => createApiToken(token), password, 201],
] as const;

describe('security alerts', () => {
  it.each(events)('are sent by email and notification: %s', async (title, act, given, status) => {
    const ann = await newPerson();
    expect((await act(ann)).status).toBe(status);
    await settleJobs();
    const [mail, ...others] = await mailsTo(ann.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(title);
    expect(linkOf(mail ?? expect.unreachable())).toBe('https://handbill.test/account');
    expect(mail?.text).toContain(`This is about the Handbill account ${ann.email}`);
    expect(mail?.text).toMatch(/If it wasn’t you, /);
    expect(await alertsOf((await login(ann.email, given)).body.token)).toEqual([alert(title)]);
  });

  it('reach the previous address when another one is entered and when it is confirmed', async () => {
    const ann = await newVerified();
    const email = await moveEmail(ann.token);
    await settleJobs();
    const [asked, changed, ...others] = await mailsTo(ann.email);
    expect([asked?.subject, changed?.subject, others]).toEqual([
      'A new email address was entered',
      'Your email address was changed',
      [],
    ]);
    expect(linkOf(changed ?? expect.unreachable())).toMatch(
      /^https:\/\/handbill\.test\/undo-email\?token=\d+\.[\w-]{43}$/,
    );
    expect(`${asked?.text}${changed?.text}`).not.toContain(email);
    const alerts = await alertsOf(ann.token);
    expect(alerts).toHaveLength(2);
    // Both may be of the same millisecond.
    expect(alerts).toEqual(
      expect.arrayContaining([
        alert('Your email address was changed'),
        alert('A new email address was entered'),
      ]),
    );
  });

  it('report a change of the address by an administrator', async () => {
    const [ann, admin] = [await newPerson(), await newUserOf('super_admin')];
    expect((await changeUser(admin, ann.id, { email: newEmail() })).status).toBe(200);
    await settleJobs();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toEqual([
      'An administrator changed your email address',
    ]);
  });

  it('report a new password to the address at that time, even if it has changed since', async () => {
    const ann = await newPerson();
    expect((await changePassword(ann.token)).status).toBe(200);
    expect((await changeEmail(ann.token, newEmail(), freshPassword)).status).toBe(200);
    await verifyEmail(ann.token, await newVerificationToken(ann.id));
    await settleJobs();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject).sort()).toEqual([
      'A new email address was entered',
      'Your email address was changed',
      changedTitle,
    ]);
  });

  it('are sent once for repeated deliveries', async () => {
    const ann = await newPerson();
    const once = {
      id: 'one time',
      userId: ann.id,
      event: 'password-changed',
      at: new Date().toISOString(),
      email: ann.email,
    } as const;
    for (let attempts = 0; attempts < 3; attempts++) await deliverAlert(once);
    await settleJobs();
    expect(await mailsTo(ann.email)).toHaveLength(1);
    expect(await alertsOf(ann.token)).toEqual([alert(changedTitle)]);
  });

  it('are sent only as notifications while email is disabled', async () => {
    vi.stubEnv('MAIL_FROM', undefined);
    const ann = await newPerson();
    await changePassword(ann.token);
    await settleJobs();
    vi.unstubAllEnvs();
    expect(await mailsTo(ann.email)).toEqual([]);
    expect(await alertsOf(ann.token)).toEqual([alert(changedTitle)]);
  });

  it('are not sent for rejected requests or profile changes', async () => {
    const ann = await newPerson();
    const { token } = ann;
    expect((await changePassword(token, { currentPassword: 'wrong horse' })).status).toBe(400);
    expect((await updateProfile(token, { name: 'Zoe' })).status).toBe(200);
    await settleJobs();
    expect([await mailsTo(ann.email), await alertsOf(token)]).toEqual([[], []]);
  });

  it('omit a token name that would become a link', async () => {
    const ann = await newPerson();
    await createApiToken(ann.token, { name: 'see https://evil.example.com' });
    await settleJobs();
    const [mail] = await mailsTo(ann.email);
    expect(mail?.text).not.toContain('evil');
  });
});

describe('queued security alerts', () => {
  it('contain neither a password nor a token', async () => {
    const ann = await newPerson();
    const { body } = await createApiToken(ann.token);
    await changePassword(ann.token);
    const waiting = JSON.stringify(await itemsOf('OUTBOX'));
    expect(waiting).toContain(securityAlert.name);
    for (const secret of [password, freshPassword, body.data.token]) {
      expect(waiting).not.toContain(secret);
    }
    await settleJobs();
    expect(JSON.stringify(await itemsOf('OUTBOX'))).not.toContain(securityAlertEmail.name);
  });
});
