import { describe, expect, it, vi } from 'vitest';
import { createResetLink } from '../../../functions/api/users/account/password-link.ts';
import { deliverAlert } from '../../../functions/api/users/account/security-alert-delivery.ts';
import { securityAlert, securityAlertEmail } from '../../../functions/api/users/record/jobs.ts';
import { listed } from '../../support/notifications/notifications.ts';
import { call } from '../../support/service/call.ts';
import { deadJobs, queuedWork, runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  newEmail,
  newPerson,
  newUserOf,
  type Person,
  password,
} from '../../support/users/test-users.ts';

useTable();
useJobs();
useMail();

const fresh = 'battery staple';

/** Delivers the alerts and their emails. */
const deliver = async () => {
  for (let round = 0; round < 2; round++) {
    await runMinute();
    await runJobs();
  }
  expect([...(await queuedWork()), ...(await deadJobs())]).toEqual([]);
};

const tokenOf = async (id: number): Promise<string> =>
  new URL((await createResetLink(id)) ?? '').searchParams.get('token') ?? '';

const resetPassword = async ({ id }: Person) =>
  call('POST /api/auth/reset-password', { body: { token: await tokenOf(id), password: fresh } });
const changePassword = ({ token }: Person) =>
  call('PUT /api/auth/password', { token, body: { currentPassword: password, password: fresh } });
const changeEmail = ({ token }: Person, email = newEmail()) =>
  call('PUT /api/users/me', { token, body: { email, currentPassword: password } });
const makeToken = ({ token }: Person, name = 'Nightly script') =>
  call('POST /api/auth/tokens', { token, body: { name } });

const signIn = async ({ email }: Person, given = password): Promise<string> =>
  (await call('POST /api/auth/login', { body: { email, password: given } })).body.token;

const alertsOf = async (token: string) =>
  (await listed({ token })).items.map(({ type, title, link }) => ({ type, title, link }));
const alert = (title: string) => ({ type: 'alert', title, link: '/account' });

const changedTitle = 'Your password was changed';
const events = [
  [changedTitle, changePassword, fresh, 200],
  ['Your password was reset', resetPassword, fresh, 200],
  ['An API token was created', makeToken, password, 201],
] as const;

describe('security alerts', () => {
  it.each(events)('are sent by email and notification: %s', async (title, act, given, status) => {
    const ann = await newPerson();
    expect((await act(ann)).status).toBe(status);
    await deliver();
    const [mail, ...others] = await mailsTo(ann.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(title);
    expect(linkOf(mail ?? expect.unreachable())).toBe('https://handbill.test/account');
    expect(mail?.text).toContain(`This is about the Handbill account ${ann.email}`);
    expect(mail?.text).toMatch(/If it wasn’t you, /);
    expect(await alertsOf(await signIn(ann, given))).toEqual([alert(title)]);
  });

  it('reach the previous address when the email address changes', async () => {
    const ann = await newPerson();
    const email = newEmail();
    expect((await changeEmail(ann, email)).status).toBe(200);
    await deliver();
    const [mail, ...others] = await mailsTo(ann.email);
    expect([mail?.subject, others]).toEqual(['Your email address was changed', []]);
    expect(linkOf(mail ?? expect.unreachable())).toMatch(
      /^https:\/\/handbill\.test\/undo-email\?token=\d+\.[\w-]{43}$/,
    );
    expect(mail?.text).not.toContain(email);
    expect(await mailsTo(email)).toEqual([]);
    expect(await alertsOf(ann.token)).toEqual([alert('Your email address was changed')]);
  });

  it('report a change of the address by an administrator', async () => {
    const [ann, admin] = [await newPerson(), await newUserOf('super_admin')];
    const params = { id: String(ann.id) };
    const body = { email: newEmail() };
    expect((await call('PUT /api/users/{id}', { token: admin.token, params, body })).status).toBe(
      200,
    );
    await deliver();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toEqual([
      'Your email address was changed',
    ]);
  });

  it('report a new password to the address at that time, even if it has changed since', async () => {
    const ann = await newPerson();
    expect((await changePassword(ann)).status).toBe(200);
    const email = newEmail();
    const body = { email, currentPassword: fresh };
    expect((await call('PUT /api/users/me', { token: ann.token, body })).status).toBe(200);
    await deliver();
    expect((await mailsTo(ann.email)).map(({ subject }) => subject).sort()).toEqual([
      'Your email address was changed',
      changedTitle,
    ]);
    expect(await mailsTo(email)).toEqual([]);
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
    await deliver();
    expect(await mailsTo(ann.email)).toHaveLength(1);
    expect(await alertsOf(ann.token)).toEqual([alert(changedTitle)]);
  });

  it('are sent only as notifications while email is disabled', async () => {
    vi.stubEnv('MAIL_FROM', undefined);
    const ann = await newPerson();
    await changePassword(ann);
    await deliver();
    vi.unstubAllEnvs();
    expect(await mailsTo(ann.email)).toEqual([]);
    expect(await alertsOf(ann.token)).toEqual([alert(changedTitle)]);
  });

  it('are not sent for rejected requests or profile changes', async () => {
    const ann = await newPerson();
    const { token } = ann;
    const wrong = { currentPassword: 'wrong horse', password: fresh };
    expect((await call('PUT /api/auth/password', { token, body: wrong })).status).toBe(400);
    expect((await call('PUT /api/users/me', { token, body: { name: 'Zoe' } })).status).toBe(200);
    await deliver();
    expect([await mailsTo(ann.email), await alertsOf(token)]).toEqual([[], []]);
  });

  it('omit a token name that would become a link', async () => {
    const ann = await newPerson();
    await makeToken(ann, 'see https://evil.example.com');
    await deliver();
    const [mail] = await mailsTo(ann.email);
    expect(mail?.text).not.toContain('evil');
  });
});

describe('queued security alerts', () => {
  it('contain neither a password nor a token', async () => {
    const ann = await newPerson();
    const { body } = await makeToken(ann);
    await changePassword(ann);
    const waiting = JSON.stringify(await itemsOf('OUTBOX'));
    expect(waiting).toContain(securityAlert.name);
    for (const secret of [password, fresh, body.data.token]) {
      expect(waiting).not.toContain(secret);
    }
    await deliver();
    expect(JSON.stringify(await itemsOf('OUTBOX'))).not.toContain(securityAlertEmail.name);
  });
});
