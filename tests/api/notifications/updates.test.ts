import { expect, it } from 'vitest';
import { attend, cancel, change, made, newPlanner } from '../../support/calendar/calendar.ts';
import { read as readMessage, sent, sentQueued } from '../../support/messages/messages.ts';
import { markAllRead, tell } from '../../support/notifications/notifications.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs, withoutQueue } from '../../support/service/jobs.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
useJobs();

const meter = useMeter();

const newMember = () =>
  newUserOf('user', { extraPermissions: ['messages:create', 'calendar:create'] });

const ask = ({ token }: Pick<Person, 'token'>, etag?: string) =>
  call('GET /api/notifications/updates', {
    token,
    headers: etag === undefined ? {} : { 'if-none-match': etag },
  });

/** Returns the updates and their tag. */
const updatesOf = async (person: Pick<Person, 'token'>) => {
  const { status, body, headers } = await ask(person);
  expect(status).toBe(200);
  return { ...body.data, etag: String(headers['etag']) };
};

const none = { unreadMessages: 0, unreadNotifications: 0, calendarVersion: 0 };

it('answers 304 with three read units and no write while nothing changes', async () => {
  const [her, him] = [await newMember(), await newMember()];
  await sent(him, [her]);
  await made(her);
  await runJobs();
  const { etag, ...updates } = await updatesOf(her);
  expect(updates).toEqual({ unreadMessages: 1, unreadNotifications: 1, calendarVersion: 1 });
  const { result, readUnits, writeUnits, tableTrips } = await meter.measure(() => ask(her, etag));
  expect(result).toMatchObject({ status: 304, headers: { etag } });
  expect({ readUnits, writeUnits, tableTrips }).toEqual({
    readUnits: 3,
    writeUnits: 0,
    tableTrips: 2,
  });
});

it('changes its tag with messages, notifications and the calendar', async () => {
  const [her, him] = [await newMember(), await newMember()];
  const first = await updatesOf(her);
  expect(first).toMatchObject(none);
  const messageId = await sent(him, [her]);
  const steps: readonly (readonly [() => Promise<unknown>, object])[] = [
    [async () => {}, { unreadMessages: 1, unreadNotifications: 1 }],
    [() => readMessage(her, messageId), { unreadMessages: 0 }],
    [() => tell(her), { unreadNotifications: 2 }],
    [() => markAllRead(her), { unreadNotifications: 0 }],
    [() => made(her), { calendarVersion: 1 }],
  ];
  let known = first;
  for (const [act, changes] of steps) {
    await act();
    expect((await ask(her, known.etag)).status).toBe(200);
    const { etag, ...updates } = await updatesOf(her);
    const { etag: before, ...seen } = known;
    expect(etag).not.toBe(before);
    expect(updates).toEqual({ ...seen, ...changes });
    known = { etag, ...updates };
    expect((await ask(her, etag)).status).toBe(304);
  }
});

it('delivers pending messages first', async () => {
  const [her, him] = [await newMember(), await newMember()];
  const { etag } = await updatesOf(her);
  await withoutQueue(() => sentQueued(him, [her]));
  const { result, writeUnits } = await meter.measure(() => ask(her, etag));
  expect(result.body.data).toMatchObject({ unreadMessages: 1, unreadNotifications: 1 });
  expect(writeUnits).toBeGreaterThan(0);
  const { etag: next } = await updatesOf(her);
  expect((await meter.measure(() => ask(her, next))).writeUnits).toBe(0);
});

it('marks the calendars of owner and attendees', async () => {
  const [owner, guest, other] = [await newPlanner(), await newMember(), await newMember()];
  const versions = async () => {
    await runMinute();
    await runJobs();
    const all = await Promise.all([owner, guest, other].map(updatesOf));
    return all.map(({ calendarVersion }) => calendarVersion);
  };
  const { id } = await made(owner, {
    attendees: [{ id: guest.id }],
    start: '2099-01-01T09:00Z',
    end: '2099-01-01T10:00Z',
  });
  expect(await versions()).toEqual([1, 1, 0]);
  expect((await change(owner, id, { title: 'Another title' })).status).toBe(200);
  expect(await versions()).toEqual([2, 2, 0]);
  expect((await attend(guest, id, 'accepted')).status).toBe(200);
  const [byOwner, byGuest, byOther] = await versions();
  expect(byOwner).toBeGreaterThan(2);
  expect([byGuest, byOther]).toEqual([3, 0]);
  const moved = { start: '2099-01-02T09:00Z', end: '2099-01-02T10:00Z' };
  expect((await change(owner, id, moved)).status).toBe(200);
  expect(await versions()).toEqual([byOwner + 1, 4, 0]);
  expect((await change(owner, id, { attendees: [{ id: other.id }] })).status).toBe(200);
  expect(await versions()).toEqual([byOwner + 2, 5, 1]);
  expect((await cancel(owner, id)).status).toBe(200);
  expect(await versions()).toEqual([byOwner + 3, 5, 2]);
});

it('hides messages and calendar from API tokens without those permissions', async () => {
  const [her, him] = [await newMember(), await newMember()];
  await sent(him, [her]);
  await made(her);
  const limited = await call('POST /api/auth/tokens', {
    token: her.token,
    body: { name: 'updates only', permissions: ['notifications:view'] },
  });
  const { etag, ...updates } = await updatesOf({ token: limited.body.data.token });
  expect(updates).toEqual({ ...none, unreadNotifications: 1 });
  expect(etag).not.toBe((await updatesOf(her)).etag);
});
