import { describe, expect, it } from 'vitest';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { attend, cancel, change, made, newPlanner } from '../../support/calendar/calendar.ts';
import { read as readMessage, sent, sentQueued } from '../../support/messages/messages.ts';
import { newTold, putItems, today } from '../../support/notifications/notification-history.ts';
import {
  list,
  listed,
  markAllRead,
  markRead,
  remove,
  tell,
  unreadCount,
} from '../../support/notifications/notifications.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs, withoutQueue } from '../../support/service/jobs.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();

describe('GET /api/notifications/updates', () => {
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

  const none = { unreadMessages: 0, unreadNotifications: 0, calendarVersion: 0, reportedShares: 0 };

  it('tells moderators how many shares wait for a decision, at the cost of one read unit', async () => {
    const moderator = await newUserOf('user', { extraPermissions: ['shares:manage'] });
    const other = await newMember();
    const { newShare, report, decide } = sharesOf(moderator);
    const [one, two] = [await newShare(), await newShare()];
    const before = await meter.measure(() => ask(moderator));
    expect(before.result.body.data.reportedShares).toBe(0);
    for (const id of [one, two, two]) await report(id);
    const after = await meter.measure(() => ask(moderator));
    expect(after.result.body.data.reportedShares).toBe(2);
    expect(after.readUnits - (await meter.measure(() => ask(other))).readUnits).toBeLessThan(1.5);
    expect((await ask(other)).body.data.reportedShares).toBe(0);
    await decide(one, 'keep');
    expect((await ask(moderator)).body.data.reportedShares).toBe(1);
  });

  it('answers 304 with three read units and no write while nothing changes', async () => {
    const [her, him] = [await newMember(), await newMember()];
    await sent(him, [her]);
    await made(her);
    await runJobs();
    const { etag, ...updates } = await updatesOf(her);
    expect(updates).toEqual({
      unreadMessages: 1,
      unreadNotifications: 1,
      calendarVersion: 1,
      reportedShares: 0,
    });
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
});

describe('cost of notifications', () => {
  const meter = useMeter();

  const measure = async (ask: () => Promise<Answer>) => {
    const { result, requests, trips, readUnits, writeUnits, writes } = await meter.measure(ask);
    return {
      status: result.status,
      requests: requests.table,
      trips,
      readUnits,
      writeUnits,
      writes,
    };
  };

  it('is the same with 10 and 10,000 notifications, and one write for read-all', async () => {
    const costs = [];
    for (const count of [10, 10_000]) {
      const her = await newTold(count);
      expect(await unreadCount(her)).toBe(count);
      const id = (await listed(her)).items[4]?.['id'] as number;
      costs.push({
        page: await measure(() => list(her, { pageSize: '5' })),
        unread: await measure(() => list(her, { pageSize: '5', unread: 'true' })),
        one: await measure(() => markRead(her, id)),
        deletion: await measure(() => remove(her, id)),
        all: await measure(() => markAllRead(her)),
      });
      expect(await unreadCount(her)).toBe(0);
      expect((await listed(her, { unread: 'true' })).total).toBe(0);
      const { items, total } = await listed(her);
      expect(total).toBe(count - 1);
      expect(items.every(({ read }) => read)).toBe(true);
    }
    const [few, many] = costs;
    expect(many).toEqual(few);
    // Includes the reads of the caller and of pending deliveries.
    expect(few?.all).toMatchObject({ requests: 3, writeUnits: 1, writes: { UPDATES: 1 } });
    expect([few?.page.trips, few?.unread.trips]).toEqual([2, 2]);
  });

  it('grows little for users with notifications on every day', async () => {
    const her = await newPerson();
    await tell(her);
    const told = await meter.measure(() => tell(her));
    // The transaction doubles the units of receipt, notification and counters.
    expect([told.writeUnits, told.trips]).toEqual([6, 2]);
    const days = Array.from({ length: 91 }, (_, at) => [String(today() - at), 1_000]);
    const [box] = await batchGet([notificationKeys.counters.at({ userId: her.id })]);
    const counts = { kept: Object.fromEntries(days), unread: Object.fromEntries(days) };
    await putItems([{ ...box, bell: { ...(box?.['bell'] as object), ...counts } }]);
    expect(await unreadCount(her)).toBe(91_000);
    const toldMore = await meter.measure(() => tell(her));
    expect([toldMore.writeUnits, toldMore.trips]).toEqual([8, 2]);
  });

  it('is limited for few unread notifications after thousands of read ones', async () => {
    const her = await newTold(5_000, { readOnes: 4_997 });
    const { result, requests } = await meter.measure(() => list(her, { unread: 'true' }));
    expect(result.body.data).toMatchObject({ total: 3, nextCursor: null });
    expect(result.body.data.items).toHaveLength(3);
    expect(requests.table).toBeLessThan(12);
  });
});
