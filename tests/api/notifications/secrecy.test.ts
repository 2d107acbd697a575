import { describe, expect, it } from 'vitest';
import {
  cancel,
  change as changeEvent,
  made as madeEvent,
} from '../../support/calendar/calendar.ts';
import { made as madeDocument, share } from '../../support/documents/documents.ts';
import { sent } from '../../support/messages/messages.ts';
import {
  list,
  listed,
  markRead,
  tell,
  unreadCount,
} from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

const minuteMs = 60_000;
const secret = 'The merger';
const needs = (permission: string) => `You need ${permission} to read it.`;

/** Has all permissions; the notified users have those of their role. */
const { root } = useNewPeople({ root: 'super_admin' });

/** Triggers every notification of a permission for a user. */
const happenings = {
  'messages:view': async (user: Person) => {
    await sent(root, [user], { subject: secret });
    await sent(root, [user], { content: secret });
  },
  'documents:view': async (user: Person) => {
    await share(root, await madeDocument(root, { title: secret }), [user.id]);
  },
  'calendar:view': async (user: Person) => {
    const [start, end] = [30, 60].map((at) => new Date(Date.now() + at * minuteMs).toISOString());
    const times = { start, end, reminders: [29] };
    const attendees = [user.id];
    const one = await madeEvent(root, { title: secret, ...times, attendees });
    const two = await madeEvent(root, { title: secret, attendees, location: secret });
    await changeEvent(root, one.id, { location: secret });
    await cancel(root, two.id);
    const three = await madeEvent(root, { title: secret, attendees });
    await changeEvent(root, three.id, { attendees: [] });
  },
} as const;

type Group = keyof typeof happenings;

const settle = async () => {
  for (let minute = 0; minute < 2; minute++) {
    pass(minuteMs + 1_000);
    await runMinute();
    await runJobs();
  }
};

const tokenOf = async ({ token }: Person, permissions: readonly string[]) => {
  const { body } = await call('POST /api/auth/tokens', { token, body: { name: 'x', permissions } });
  return { token: body.data.token as string };
};

describe.each(Object.keys(happenings) as Group[])('notification requiring %s', (group) => {
  it('hides the text from users without the permission', async () => {
    const user = await newUserOf('guest');
    await happenings[group](user);
    await settle();
    const { items, total } = await listed(user);
    expect(total).toBeGreaterThan(0);
    expect(items.map(({ content }) => content)).toEqual(items.map(() => needs(group)));
    expect(await unreadCount(user)).toBe(total);
    const [first] = items;
    const read = await markRead(user, Number(first?.['id']));
    expect(read.body.data).toEqual({ ...first, read: true, readAt: expect.any(String) });
    for (const query of [{ unread: 'true' }, { type: String(first?.['type']) }]) {
      expect(JSON.stringify((await list(user, query)).body)).not.toContain(secret);
    }
    expect(first).toMatchObject({ title: expect.stringMatching(/./) });
  });

  it('includes the text as soon as the user has the permission', async () => {
    const user = await newUserOf('guest');
    await happenings[group](user);
    await settle();
    await call('PUT /api/users/{id}', {
      token: root.token,
      params: { id: String(user.id) },
      body: { permissions: [group] },
    });
    const { items } = await listed(user);
    expect(items.length).toBeGreaterThan(0);
    for (const { content } of items) expect(content).toContain(secret);
  });

  it('includes the text only for API tokens with the permission', async () => {
    const user = await newUserOf('user');
    await happenings[group](user);
    await settle();
    const holding = await tokenOf(user, ['notifications:view', group]);
    const other = await tokenOf(user, ['notifications:view', 'files:view']);
    const [shown, hidden] = [(await listed(holding)).items, (await listed(other)).items];
    expect(shown.length).toBeGreaterThan(0);
    for (const { content } of shown) expect(content).toContain(secret);
    expect(hidden).toEqual(shown.map((item) => ({ ...item, content: needs(group) })));
  });
});

describe('notification without a permission', () => {
  it('includes the text for everyone', async () => {
    const user = await newUserOf('guest');
    await tell(user, { content: 'A share of yours has ended.' });
    expect((await listed(user)).items).toMatchObject([{ content: 'A share of yours has ended.' }]);
  });
});
