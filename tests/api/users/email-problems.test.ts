import { describe, expect, it } from 'vitest';
import { passwordResetEmail } from '../../../functions/api/users/record/jobs.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import { listed } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import {
  deadJobs,
  queuedWork,
  runJobs,
  runMinute,
  sendBody,
  useJobs,
} from '../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  newEmail,
  newPerson,
  newUserOf,
  type Person,
  password,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const at = '2026-11-21T11:59:00Z';

/** Delivers what waits. */
const deliver = async () => {
  for (let round = 0; round < 3; round++) {
    pass(1_000);
    await runMinute();
    await runJobs();
  }
  expect([...(await queuedWork()), ...(await deadJobs())]).toEqual([]);
};

/** Delivers the job of an event of SES. */
const refuse = async (email: string, reason = 'bounce', time = at) => {
  const recipients = [{ emailAddress: email, status: '5.1.1' }];
  const data = { reason, at: time, recipients };
  await sendBody(JSON.stringify({ id: `of ${email} at ${time}`, kind: 'email-refused', data }));
  await deliver();
};

const problemOf = async ({ token }: Pick<Person, 'token'>) =>
  (await call('GET /api/users/me', { token })).body.data.emailProblem;
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
const askForReset = (email: string) => enqueue(passwordResetEmail, { email });
const changeEmail = ({ token }: Person, email: string) =>
  call('PUT /api/users/me', { token, body: { email, currentPassword: password } });

describe('a user whose address refuses an email', () => {
  it.each(['bounce', 'complaint'])('is marked, and told by the bell once: %s', async (reason) => {
    const ann = await newPerson();
    expect(await problemOf(ann)).toBeNull();
    await refuse(ann.email, reason);
    await refuse(ann.email, reason);
    await refuse(ann.email, reason, new Date().toISOString());
    expect(await problemOf(ann)).toEqual({ reason, since: at });
    expect((await listed(ann)).items).toMatchObject([
      { type: 'alert', title: `No more emails to ${ann.email}`, link: '/account' },
    ]);
    const changes = (await entriesAbout(`user:${ann.id}`)).filter(
      ({ action }) => action === 'user.update',
    );
    expect(changes).toMatchObject([{ after: { emailProblem: { reason, since: at } } }]);
  });

  it('is found by the address in any case', async () => {
    const ann = await newPerson();
    await refuse(ann.email.toUpperCase());
    expect(await problemOf(ann)).toMatchObject({ reason: 'bounce' });
  });

  it('is sent no email of any kind', async () => {
    const ann = await newPerson();
    await askForReset(ann.email);
    await deliver();
    expect(await subjectsTo(ann.email)).toEqual(['Reset your Handbill password']);
    await refuse(ann.email);
    await askForReset(ann.email);
    await call('POST /api/auth/tokens', { token: ann.token, body: { name: 'CI' } });
    await call('PUT /api/users/me', {
      token: ann.token,
      body: { notificationSettings: { shares: { mail: true } } },
    });
    const notice = { topic: 'shares', type: 'system', title: 'A report', content: '' } as const;
    await notify([ann.id], notice, 'report#1');
    await deliver();
    expect(await subjectsTo(ann.email)).toHaveLength(1);
  });

  it('gets emails again at another address, also if the former one bounces later', async () => {
    const ann = await newPerson();
    const former = ann.email;
    await refuse(former);
    const other = newEmail();
    expect((await changeEmail(ann, other)).body.data).toMatchObject({ emailProblem: null });
    const [stored] = (await itemsOf(`USER#${ann.id}`)).filter(({ sk }) => sk === 'USER');
    expect(stored).not.toHaveProperty('emailProblem');
    await refuse(former);
    expect(await problemOf(ann)).toBeNull();
    expect(await subjectsTo(former)).toEqual([]);
    await askForReset(other);
    await deliver();
    expect(await subjectsTo(other)).toContain('Reset your Handbill password');
  });

  it('is invited by a link that is passed on', async () => {
    const admin = await newUserOf('admin');
    const body = { email: newEmail(), name: 'Bob Example' };
    const { data } = (await call('POST /api/users', { token: admin.token, body })).body;
    await refuse(body.email);
    const params = { id: String(data.id) };
    const again = await call('POST /api/users/{id}/invitation', { token: admin.token, params });
    expect(again.body.link).toMatch(/\/invite\?token=/);
    const shown = await call('GET /api/users/{id}', { token: admin.token, params });
    expect(shown.body.data.emailProblem).toEqual({ reason: 'bounce', since: at });
  });

  it('is told so when asking for a test email', async () => {
    const root = await newUserOf('super_admin');
    await refuse(root.email, 'complaint');
    const { status, body } = await call('POST /api/settings/test-mail', { token: root.token });
    expect([status, body.error.message]).toEqual([
      409,
      `No emails are sent to ${root.email}: one was reported as spam.`,
    ]);
  });

  it('can be nobody', async () => {
    await refuse('nobody@example.com');
  });
});
