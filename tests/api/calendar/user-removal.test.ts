import { describe, expect, it } from 'vitest';
import { readTotal } from '../../../shared/counters/total.ts';
import {
  attend,
  create,
  look,
  made,
  newGuest,
  newPlanner,
  startsIn,
} from '../../support/calendar/calendar.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import type { Person } from '../../support/users/test-users.ts';
import { tracesOf } from '../../support/users/traces.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();
useVirtualTime('2026-11-21T12:00:00Z');

const { admin } = usePeople({ admin: 'super_admin' });

const window = ['2026-11-01', '2026-11-30'] as const;

/** Creates events of every kind. */
const makeAll = async (owner: Person, guest: Person) => {
  // Ids of users and events created in the same millisecond may be equal, and traces of them confused.
  pass(1);
  const attendees = [guest.id];
  const one = await made(owner, { attendees });
  const series = await made(owner, { rrule: 'FREQ=DAILY', type: 'task', attendees });
  const past = await made(owner, { start: '2020-01-01', end: null });
  await attend(guest, one.id, 'accepted');
  return [one.id, series.id, past.id] as const;
};

describe('DELETE /api/users/{id}', () => {
  it("deletes the user's events and removes the user from others", async () => {
    const [ann, bob, gus] = [await newPlanner(), await newPlanner(), await newGuest()];
    const before = await readTotal('pendingTasks');
    const ids = await makeAll(ann, bob);
    const bobs = await made(bob, { attendees: [ann.id, gus.id] });
    expect(await readTotal('pendingTasks')).toBe(before + 1);
    // Sends the notification of the response before the user is removed.
    await minuteLater();
    await removeUser(admin, ann.id);
    for (const id of ids) expect((await look(bob, id)).status).toBe(404);
    expect(await startsIn(bob, ...window)).toEqual([bobs.start]);
    expect((await look(bob, bobs.id)).body.data).toMatchObject({
      attendees: [{ id: gus.id }],
      version: 2,
    });
    expect(await readTotal('pendingTasks')).toBe(before);
    await minuteLater();
    const { body } = await call('GET /api/notifications', { token: bob.token });
    const cancelled = body.data.items.filter(
      ({ title }: { title: string }) => title === 'Event canceled',
    );
    // Only upcoming events send notifications, without a sender.
    expect(cancelled).toMatchObject([{ sender: null }, { sender: null }]);
    expect(await tracesOf(ann.id, ...ids)).toEqual([]);
  });

  it('transfers events with their attendees, except the new owner', async () => {
    const [ann, bob, cid] = [await newPlanner(), await newPlanner('Bob Planner'), await newGuest()];
    const before = await readTotal('pendingTasks');
    const ids = await makeAll(ann, bob);
    const cids = await made(ann, { attendees: [cid.id] });
    await attend(cid, cids.id, 'declined');
    await removeUser(admin, ann.id, bob.id);
    for (const id of ids) {
      expect((await look(bob, id)).body.data).toMatchObject({ owner_id: bob.id, attendees: [] });
    }
    expect((await look(bob, cids.id)).body.data.attendees).toMatchObject([
      { id: cid.id, status: 'declined' },
    ]);
    expect(await startsIn(bob, ...window)).toHaveLength(10);
    expect(await startsIn(bob, '2019-12-31', '2020-01-03')).toEqual(['2020-01-01']);
    expect(await startsIn(cid, ...window)).toHaveLength(1);
    expect(await readTotal('pendingTasks')).toBe(before + 1);
    await minuteLater();
    expect(await tracesOf(ann.id)).toEqual([]);
  });

  it('deletes events and responses that are saved concurrently', async () => {
    const [ann, bob, gus] = [await newPlanner(), await newPlanner(), await newGuest()];
    const bobs = await made(bob, { attendees: [gus.id] });
    const [, , , ...responses] = await Promise.all([
      removeUser(admin, gus.id),
      removeUser(admin, ann.id),
      attend(gus, bobs.id, 'accepted'),
      create(bob, { attendees: [gus.id] }),
      create(ann),
      create(ann, { rrule: 'FREQ=DAILY', type: 'task' }),
    ]);
    const ids = responses
      .slice(1)
      .flatMap(({ status, body }) => (status === 201 ? [body.data.id] : []));
    await minuteLater();
    await minuteLater();
    expect(await tracesOf(ann.id, gus.id, ...ids)).toEqual([]);
  });
});
