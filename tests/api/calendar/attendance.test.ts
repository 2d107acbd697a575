import { beforeAll, describe, expect, it } from 'vitest';
import {
  attend,
  cancel,
  cancelOccurrence,
  change,
  create,
  look,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { type Person, setUser } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

const { ann, bob, cid } = usePeople({
  ann: () => newPlanner('Ann Planner'),
  bob: () => newGuest('Bob Guest'),
  cid: () => newGuest('Cid Guest'),
});

const statusesOf = ({ body }: { readonly body: { readonly data: unknown } }) =>
  (body.data as { attendees: { id: number; status: string }[] }).attendees.map(
    ({ status }) => status,
  );

/** Returns a user's notifications, oldest first, and deletes them. */
const told = async ({ token }: Person) => {
  await minuteLater();
  const { body } = await call('GET /api/notifications', { token, query: { pageSize: '100' } });
  const items: { id: number; title: string }[] = body.data.items;
  for (const { id } of items) {
    await call('DELETE /api/notifications/{id}', { token, params: { id: String(id) } });
  }
  return items.reverse();
};

const titles = async (person: Person) => (await told(person)).map(({ title }) => title);

describe('attendees of an event', () => {
  it('keep their responses when other attendees are added', async () => {
    const { id } = await made(ann, { attendees: [bob.id] });
    await attend(bob, id, 'accepted');
    const both = await change(ann, id, { attendees: [cid.id, bob.id] });
    expect(both.body.data.attendees).toEqual([
      { id: cid.id, name: 'Cid Guest', avatar: null, status: 'pending' },
      { id: bob.id, name: 'Bob Guest', avatar: null, status: 'accepted' },
    ]);
    const untouched = await change(ann, id, { title: 'Same time' });
    expect(statusesOf(untouched)).toEqual(['pending', 'accepted']);
    const none = await change(ann, id, { attendees: null });
    expect(none.body.data.attendees).toEqual([]);
    await cancel(ann, id);
  });

  it('lose their responses when the time changes', async () => {
    const { id, rrule } = await made(ann, { attendees: [bob.id], rrule: 'FREQ=DAILY' });
    for (const body of [
      { end: '2026-11-23T11:00:00Z' },
      { rrule: 'FREQ=WEEKLY' },
      { timezone: 'Europe/Berlin' },
    ]) {
      await attend(bob, id, 'accepted');
      expect(statusesOf(await change(ann, id, body))).toEqual(['pending']);
    }
    await attend(bob, id, 'accepted');
    const same = { start: '2026-11-23T10:00+01:00', rrule: 'FREQ=WEEKLY', exdates: ['2026-11-30'] };
    expect(statusesOf(await change(ann, id, same))).toEqual(['accepted']);
    expect(rrule).toBe('FREQ=DAILY');
    await cancel(ann, id);
  });

  it('must be active users when they are invited', async () => {
    const gone = await newGuest('Was Suspended');
    const { id } = await made(ann, { attendees: [gone.id] });
    await setUser(gone.id, { status: 'suspended' });
    const again = await create(ann, { attendees: [bob.id, gone.id] });
    expect([again.status, again.body.error.details]).toEqual([
      400,
      [{ field: 'attendees', message: `contains unknown or inactive users: ${gone.id}` }],
    ]);
    expect((await change(ann, id, { attendees: [gone.id, bob.id] })).status).toBe(200);
    await cancel(ann, id);
  });

  it('can be 40, which one transaction updates', async () => {
    const guests: Person[] = [];
    for (let at = 0; at < 40; at++) guests.push(await newGuest());
    const attendees = guests.map(({ id }) => id);
    const { id } = await made(ann, { type: 'task', attendees });
    const moved = { start: '2026-11-24T09:00:00Z', end: '2026-11-24T10:00:00Z', status: 'done' };
    expect((await change(ann, id, moved)).status).toBe(200);
    expect((await cancel(ann, id)).status).toBe(200);
  });
});

describe('PUT /api/calendar/events/{id}/attendance', () => {
  it('saves the response', async () => {
    const event = await made(ann, { attendees: [bob.id, cid.id] });
    await call('PUT /api/users/me', { token: cid.token, body: { name: 'Cid Renamed' } });
    const { body, headers } = await attend(cid, event.id, 'tentative');
    expect(body).toEqual({
      success: true,
      message: 'Response saved',
      data: {
        ...event,
        owner: 'Ann Planner',
        attendees: [
          event.attendees[0],
          { id: cid.id, name: 'Cid Renamed', avatar: null, status: 'tentative' },
        ],
        version: 2,
        updatedAt: expect.any(String),
      },
    });
    expect(headers['etag']).toMatch(/^"2-/);
    expect((await look(ann, event.id)).body.data).toEqual({ ...body.data, owner: null });
    expect((await attend(cid, event.id, 'tentative')).body.data.version).toBe(2);
    const entries = await entriesAbout(`event:${event.id}`);
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'event.respond', actorId: cid.id }),
    );
    await call('PUT /api/users/me', { token: cid.token, body: { name: 'Cid Guest' } });
    await cancel(ann, event.id);
  });

  it('returns 404 for users who are not invited', async () => {
    const { id } = await made(ann, { attendees: [bob.id] });
    for (const person of [ann, cid]) {
      expect((await attend(person, id, 'accepted')).status).toBe(404);
    }
    expect((await attend(bob, 12_345, 'accepted')).status).toBe(404);
    for (const status of ['pending', 'maybe', null]) {
      const response = await attend(bob, id, status);
      expect([response.status, response.body.error.details]).toEqual([
        400,
        [{ field: 'status', message: 'must be one of accepted, declined, tentative' }],
      ]);
    }
    await change(ann, id, { attendees: [] });
    expect((await attend(bob, id, 'accepted')).status).toBe(404);
    await cancel(ann, id);
  });

  it('keeps all concurrent responses and a concurrent change', async () => {
    const guests: Person[] = [];
    for (let at = 0; at < 8; at++) guests.push(await newGuest());
    const { id } = await made(ann, { attendees: guests.map((guest) => guest.id) });
    const responses = await Promise.all([
      change(ann, id, { title: 'Renamed' }),
      ...guests.map((guest) => attend(guest, id, 'accepted')),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(9).fill(200));
    const { body } = await look(ann, id);
    expect(body.data).toMatchObject({ title: 'Renamed', version: 10 });
    expect(statusesOf({ body })).toEqual(Array(8).fill('accepted'));
    await minuteLater();
    // Each response sends a notification, even if several update the same version.
    expect(await titles(ann)).toEqual(Array(8).fill('Invitation accepted'));
    await cancel(ann, id);
  });

  it('saves or resets the response when the event moves concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await made(ann, { attendees: [bob.id] });
      const end = '2026-11-23T12:00:00Z';
      const [moved, answered] = await Promise.all([
        change(ann, id, { end }),
        attend(bob, id, 'declined'),
      ]);
      expect([moved.status, answered.status]).toEqual([200, 200]);
      const { data } = (await look(ann, id)).body;
      // The response and the move can be saved in either order.
      expect(['pending', 'declined']).toContain(data.attendees[0].status);
      expect([data.end, data.version]).toEqual(['2026-11-23T12:00:00.000Z', 3]);
      await cancel(ann, id);
    }
  });
});

describe('notifications of an event', () => {
  beforeAll(async () => {
    for (const person of [ann, bob, cid]) await told(person);
  });

  it('report an invitation, a new time and a cancellation', async () => {
    const { id } = await made(ann, {
      title: 'Party',
      attendees: [bob.id, cid.id],
      rrule: 'FREQ=DAILY',
    });
    const link = `/api/calendar/events/${id}`;
    const [invitation, ...others] = await told(bob);
    expect(others).toEqual([]);
    expect(invitation).toMatchObject({
      type: 'user',
      title: 'You’re invited to an event',
      content: '“Party”',
      link,
      sender: { id: ann.id, name: 'Ann Planner' },
      read: false,
    });
    await change(ann, id, { location: 'Elsewhere' });
    expect(await titles(bob)).toEqual([]);
    await change(ann, id, { end: '2026-11-23T11:00:00Z' });
    await updateOccurrence(ann, id, '2026-11-24', { start: '2026-11-24T12:00:00Z' });
    await updateOccurrence(ann, id, '2026-11-24', { location: 'Here' });
    await cancelOccurrence(ann, id, '2026-11-25');
    expect(await told(bob)).toMatchObject(Array(3).fill({ title: 'Event updated', link }));
    await change(ann, id, { attendees: [cid.id] });
    expect(await told(bob)).toMatchObject([
      { title: 'You were removed from an event', content: '“Party”', link: null },
    ]);
    await cancel(ann, id);
    expect(await titles(bob)).toEqual([]);
    expect(await titles(cid)).toContain('Event canceled');
  });

  it('report each response to the owner', async () => {
    const { id } = await made(ann, { attendees: [bob.id] });
    for (const status of ['accepted', 'accepted', 'declined', 'tentative']) {
      await attend(bob, id, status);
    }
    // Notifications of the same minute have no fixed order.
    const responses = (await told(ann)).toSorted((a, b) => a.title.localeCompare(b.title));
    expect(responses).toMatchObject([
      { title: 'Invitation accepted', sender: { id: bob.id } },
      { title: 'Invitation declined' },
      { title: 'Invitation tentatively accepted' },
    ]);
    await cancel(ann, id);
    await told(bob);
  });

  it('are not sent for past or deleted events', async () => {
    const past = { start: '2026-11-01T09:00:00Z', end: '2026-11-01T10:00:00Z' };
    const { id } = await made(ann, { ...past, attendees: [bob.id] });
    await cancel(ann, id);
    const short = await made(ann, { attendees: [bob.id] });
    await change(ann, short.id, { attendees: [] });
    expect(await titles(bob)).toEqual(['You were removed from an event']);
    await cancel(ann, short.id);
  });
});
