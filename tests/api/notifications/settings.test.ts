import { describe, expect, it } from 'vitest';
import { find } from '../../../functions/api/users/record/users.ts';
import { getSettings } from '../../../shared/auth/notification-settings.ts';
import { newReader, newWriter, send } from '../../support/messages/messages.ts';
import { listed, notice, tell } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { settleJobs, useJobs } from '../../support/service/jobs.ts';
import { linkOf, mailsTo, useMail } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, type Person, setUser } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-23T09:00:00Z');
useTable();
useBucket();
useJobs();
useMail();

const put = ({ token }: Pick<Person, 'token'>, notificationSettings: unknown) =>
  call('PUT /api/users/me', { token, body: { notificationSettings } });

const set = async (person: Pick<Person, 'token'>, notificationSettings: object) => {
  const { status, body } = await put(person, notificationSettings);
  expect(status).toBe(200);
  return body.data.notificationSettings;
};

const stored = async ({ id }: Person) => (await find(id))?.notificationSettings;

describe('notificationSettings', () => {
  it('are changed by topic and channel, stored as what differs, and audited', async () => {
    const ann = await newPerson();
    expect(await set(ann, { messages: { mail: true }, reminders: { bell: false } })).toEqual({
      ...getSettings(),
      messages: { bell: true, mail: true },
      reminders: { bell: false, mail: true },
    });
    expect(await stored(ann)).toEqual({ messages: { mail: true }, reminders: { bell: false } });
    expect(await set(ann, { messages: { mail: false } })).toEqual({
      ...getSettings(),
      reminders: { bell: false, mail: true },
    });
    expect(await set(ann, getSettings())).toEqual(getSettings());
    expect(await stored(ann)).toBeUndefined();
    expect(await entriesAbout(`user:${ann.id}`)).toContainEqual(
      expect.objectContaining({
        after: { notificationSettings: { messages: { mail: true }, reminders: { bell: false } } },
      }),
    );
  });

  it('keep the version if unchanged', async () => {
    const ann = await newPerson();
    expect((await put(ann, { security: { bell: true }, messages: {} })).body.data.version).toBe(1);
  });

  it('name the field of a wrong value', async () => {
    const ann = await newPerson();
    const wrong = [
      [{ security: { mail: false } }, 'notificationSettings.security.mail'],
      [{ security: { bell: false } }, 'notificationSettings.security.bell'],
      [{ messages: { mail: 'yes' } }, 'notificationSettings.messages.mail'],
      [{ messages: null }, 'notificationSettings.messages'],
      [null, 'notificationSettings'],
    ] as const;
    for (const [body, field] of wrong) {
      const { status, body: response } = await put(ann, body);
      expect([status, response.error.details[0].field]).toEqual([400, field]);
    }
    for (const body of [{ mesages: {} }, { messages: { sms: true } }]) {
      expect((await put(ann, body)).status).toBe(400);
    }
    expect((await put(ann, { security: { mail: false } })).body.error.details[0].message).toBe(
      'is always true, so that you learn of changes you didn’t make',
    );
  });
});

describe('the bell', () => {
  it('stays empty for a topic that is off, and its emails are sent', async () => {
    const ann = await newPerson();
    await set(ann, { shares: { bell: false, mail: true } });
    await tell(ann, {
      title: 'Your share has ended',
      content: '“Plans” expired.',
      link: '/shares',
    });
    await tell(ann, { topic: 'sharing' });
    expect((await listed(ann)).items).toMatchObject([{ title: notice.title }]);
    await settleJobs();
    const [mail, ...others] = await mailsTo(ann.email);
    expect([mail?.subject, others]).toEqual(['Your share has ended', []]);
    expect(mail?.text).toContain('“Plans” expired.');
    expect(linkOf(mail as NonNullable<typeof mail>)).toMatch(/\/shares$/);
  });

  it('tells of no message if messages are off', async () => {
    const [ann, bob] = [await newWriter(), await newReader('Bob Reader')];
    await set(bob, { messages: { bell: false } });
    expect((await send(ann, { recipients: [bob.id], content: 'Hi' })).status).toBe(201);
    await settleJobs();
    expect((await listed(bob)).total).toBe(0);
    expect(await mailsTo(bob.email)).toEqual([]);
  });
});

describe('an email about a notification', () => {
  it('names the sender and links to the page of the record', async () => {
    const [ann, bob] = [await newWriter(), await newReader('Bob Reader')];
    await set(bob, { messages: { mail: true } });
    const sent = await send(ann, { recipients: [bob.id], subject: 'Lunch', content: 'Today?' });
    await settleJobs();
    expect((await listed(bob)).total).toBe(1);
    const [mail] = await mailsTo(bob.email);
    expect(mail?.subject).toBe('New message');
    expect(mail?.text).toContain('From Ann Writer:\n\nLunch');
    expect(linkOf(mail as NonNullable<typeof mail>)).toMatch(
      new RegExp(`/messages\\?open=${sent.body.data.id}$`),
    );
  });

  it('contains no text that looks like a link', async () => {
    const ann = await newPerson();
    await set(ann, { sharing: { mail: true } });
    await tell(ann, { topic: 'sharing', content: '“Win at evil.example”', link: '/api/files/1' });
    await settleJobs();
    const [mail] = await mailsTo(ann.email);
    expect(mail?.text).not.toContain('evil');
    expect(linkOf(mail as NonNullable<typeof mail>)).toMatch(/\/files\?open=1$/);
  });

  it('is not sent to users who have turned it off since, may not read it, or are suspended', async () => {
    const people = [await newPerson(), await newPerson(), await newPerson()] as const;
    for (const person of people) {
      await set(person, { sharing: { mail: true } });
      await tell(person, { topic: 'sharing', permission: 'sales:view' });
    }
    const [off, , suspended] = people;
    await set(off, { sharing: { mail: false } });
    await setUser(suspended.id, { status: 'suspended' });
    await settleJobs();
    for (const { email } of people) expect(await mailsTo(email)).toEqual([]);
  });
});
