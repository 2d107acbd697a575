import { describe, expect, it } from 'vitest';
import { passwordResetEmail } from '../../../functions/api/users/record/jobs.ts';
import { enqueue } from '../../../shared/jobs/queue.ts';
import { notify } from '../../../shared/notifications/notify.ts';
import { listed } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { sendBody, settleJobs, useJobs } from '../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../support/service/mail.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { createApiToken, moveEmail, profile, updateProfile } from '../../support/users/account.ts';
import { createUser, inviteUser, readUser } from '../../support/users/administration.ts';
import {
  newEmail,
  newPerson,
  newUserOf,
  type Person,
  reading,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
useMail();

const at = '2026-11-21T11:59:00Z';

/** Delivers the job of an event of SES. */
const refuse = async (email: string, reason = 'bounce', time = at) => {
  const recipients = [{ emailAddress: email, status: '5.1.1' }];
  const data = { reason, at: time, recipients };
  await sendBody(JSON.stringify({ id: `of ${email} at ${time}`, kind: 'email-refused', data }));
  await settleJobs();
};

const problemOf = async ({ token }: Pick<Person, 'token'>) =>
  (await profile(token)).body.data.emailProblem;
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
const askForReset = (email: string) => enqueue(passwordResetEmail, { email });

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
    await settleJobs();
    expect(await subjectsTo(ann.email)).toEqual(['Reset your Handbill password']);
    await refuse(ann.email);
    await askForReset(ann.email);
    await createApiToken(ann.token);
    await updateProfile(ann.token, { notificationSettings: { shares: { mail: true } } });
    const notice = { topic: 'shares', type: 'system', title: 'A report', content: '' } as const;
    await notify([ann.id], notice, 'report#1');
    await settleJobs();
    expect(await subjectsTo(ann.email)).toHaveLength(1);
  });

  it('gets emails again at another address, also if the former one bounces later', async () => {
    const ann = await newPerson();
    const former = ann.email;
    await refuse(former);
    const other = newEmail();
    await moveEmail(ann.token, other);
    expect(await problemOf(ann)).toBeNull();
    const [stored] = (await itemsOf(`USER#${ann.id}`)).filter(({ sk }) => sk === 'USER');
    expect(stored).not.toHaveProperty('emailProblem');
    await refuse(former);
    expect(await problemOf(ann)).toBeNull();
    expect(await subjectsTo(former)).toEqual([]);
    await askForReset(other);
    await settleJobs();
    expect(await subjectsTo(other)).toContain('Reset your Handbill password');
  });

  it('is invited by a link that is passed on', async () => {
    const admin = await newUserOf('admin', { extraPermissions: reading });
    const { data } = (await createUser(admin)).body;
    await refuse(data.email);
    const again = await inviteUser(admin, data.id);
    expect(again.body.link).toMatch(/\/invite\?token=/);
    const shown = await readUser(admin, data.id);
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
