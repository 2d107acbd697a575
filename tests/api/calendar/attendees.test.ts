import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { readOccurrences } from '../../../functions/api/calendar/events/occurrence-list.ts';
import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import {
  anHour,
  attend,
  cancelOccurrence,
  change,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { statusesOf, times, useLimitedService } from '../../support/service/limited-service.ts';
import { meterAws } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

describe('names of attendees', () => {
  useVirtualTime('2026-11-23T08:00:00Z');

  const today = ['2026-11-23', '2026-11-24'] as const;
  const avatar = 'https://example.com/robert.png';

  const { ann } = usePeople({ ann: () => newPlanner('Ann Planner') });

  const rename = ({ token }: Person, body: object) => call('PUT /api/users/me', { token, body });

  const onDashboard = async ({ token }: Person) =>
    (await call('GET /api/dashboard/calendar', { token })).body.data;

  /** Returns the attendees of the first event in a user's lists and dashboard. */
  const listedTo = async (person: Person) => [
    (await inWindow(person, ...today)).items[0].attendees,
    (await onDashboard(person))[0].attendees,
  ];

  describe('attendees of an event', () => {
    it('have their current names for the owner and each other', async () => {
      const [bob, cid] = [await newGuest('Bob Guest'), await newGuest('Cid Guest')];
      const { id } = await made(ann, { rrule: 'FREQ=DAILY', attendees: [bob.id, cid.id] });
      await attend(cid, id, 'accepted');
      expect((await rename(bob, { name: 'Robert', avatar })).status).toBe(200);
      const attendees = [
        { id: bob.id, name: 'Robert', avatar, status: 'pending' },
        { id: cid.id, name: 'Cid Guest', avatar: null, status: 'accepted' },
      ];
      for (const person of [ann, bob, cid]) {
        expect((await look(person, id)).body.data.attendees).toEqual(attendees);
        expect(await listedTo(person)).toEqual([attendees, attendees]);
      }
      const responses = [
        await change(ann, id, { title: 'Other' }),
        await updateOccurrence(ann, id, '2026-11-24', { location: 'Room 2' }),
        await cancelOccurrence(ann, id, '2026-11-25'),
        await attend(cid, id, 'accepted'),
      ];
      expect(responses.map(({ body }) => body.data.attendees)).toEqual(
        responses.map(() => attendees),
      );
    });

    it('have their current names in the response to a new event', async () => {
      const bob = await newGuest('Bob Guest');
      await rename(bob, { avatar });
      const { attendees } = await made(ann, { attendees: [bob.id] });
      expect(attendees).toEqual([{ id: bob.id, name: 'Bob Guest', avatar, status: 'pending' }]);
    });

    it('see the current name of the owner, who sees none', async () => {
      const [dora, bob] = [await newPlanner('Dora Planner'), await newGuest('Bob Guest')];
      const event = await made(dora, { attendees: [bob.id] });
      await rename(dora, { name: 'Dora Press' });
      const ownerIn = async (person: Person) => [
        (await look(person, event.id)).body.data.owner,
        (await inWindow(person, ...today)).items[0].owner,
        (await onDashboard(person))[0].owner,
      ];
      expect(await ownerIn(bob)).toEqual(['Dora Press', 'Dora Press', 'Dora Press']);
      expect((await attend(bob, event.id, 'accepted')).body.data.owner).toBe('Dora Press');
      expect(await ownerIn(dora)).toEqual([null, null, null]);
      const changed = await change(dora, event.id, { title: 'Other', owner: null });
      expect([event.owner, changed.body.data.owner]).toEqual([null, null]);
    });

    it('keep the name of the invitation and lose the avatar after removal', async () => {
      const [owner, bob] = [await newPlanner(), await newGuest('Bob Guest')];
      await rename(bob, { avatar });
      const { id } = await made(owner, { attendees: [bob.id] });
      await rename(bob, { name: 'Robert' });
      // The job that removes the user from all events has not run yet.
      await removeUser(bob.id, () => undefined, undefined, systemRecorder('user.delete'));
      const attendees = [{ id: bob.id, name: 'Bob Guest', avatar: null, status: 'pending' }];
      expect((await look(owner, id)).body.data.attendees).toEqual(attendees);
      expect(await listedTo(owner)).toEqual([attendees, attendees]);
    });

    it('are accepted as returned, without storing their names', async () => {
      const bob = await newGuest('Bob Guest');
      const { id } = await made(ann, { attendees: [bob.id] });
      await rename(bob, { name: 'Robert', avatar });
      const { data } = (await look(ann, id)).body;
      const saved = await change(ann, id, { ...data, title: 'Other' });
      expect(saved.body.data).toMatchObject({ title: 'Other', attendees: data.attendees });
      const [stored] = await batchGet([eventKeys.record.at({ id })]);
      expect(stored?.['attendees']).toEqual([{ id: bob.id, name: 'Bob Guest', status: 'pending' }]);
      const former = { attendees: [{ id: bob.id, name: 'Bob Guest' }] };
      expect((await change(ann, id, former)).status).toBe(200);
    });
  });

  describe('a list of events', () => {
    const meter = meterAws();
    const tripsOf = async (person: Person) => {
      const { result, tableTrips } = await meter.measure(() => inWindow(person, ...today));
      expect(result.total).toBe(1);
      return tableTrips;
    };

    it("needs no extra request for attendees of the caller's events", async () => {
      const [owner, bob, cid] = [await newPlanner(), await newGuest(), await newGuest()];
      const { id } = await made(owner, { attendees: [bob.id] });
      expect([await tripsOf(owner), await tripsOf(bob)]).toEqual([3, 3]);
      await change(owner, id, { attendees: [cid.id, bob.id] });
      // Only the event itself contains its other attendees.
      expect([await tripsOf(owner), await tripsOf(bob)]).toEqual([3, 4]);
      await change(owner, id, { attendees: [cid.id] });
      expect([await tripsOf(owner), await tripsOf(cid)]).toEqual([3, 3]);
    });

    it('returns the current names of 500 people and the stored names of others', async () => {
      const owner = await newPlanner();
      const put = (item: object) =>
        documentClient().send(new PutCommand({ TableName: tableName(), Item: { ...item } }));
      const people = Array.from({ length: 520 }, (_, at) => 5_000 + at);
      const users = people.map((id) => ({ id, name: `Now ${id}`, role: 'user', status: 'active' }));
      await Promise.all(users.map((user) => put({ ...userKeys.record.at(user), ...user })));
      for (let at = 0; at < 13; at++) {
        const { id } = await made(owner);
        const [event] = await batchGet([eventKeys.record.at({ id })]);
        const attendees = people
          .slice(at * 40, at * 40 + 40)
          .map((user) => ({ id: user, name: `Then ${user}`, status: 'pending' }));
        await put({ ...event, attendees });
      }
      const window = { start: Date.parse(today[0]), end: Date.parse(today[1]), timezone: 'UTC' };
      const { occurrences } = await readOccurrences(owner.id, window);
      const names = occurrences.flatMap(({ event }) => event.attendees.map(({ name }) => name));
      expect(names).toHaveLength(520);
      expect(names.filter((name) => name.startsWith('Now'))).toHaveLength(500);
    });
  });
});

describe('limit of invitations', () => {
  useJobs();
  const { start, send } = useLimitedService();

  const invite = ({ token }: Person, ...guests: readonly Person[]) =>
    send('POST /api/calendar/events', {
      token,
      body: { title: 'An event', ...anHour, attendees: guests.map(({ id }) => id) },
    });

  const attendees = ({ token }: Person, id: number, ...guests: readonly Person[]) =>
    send(`PUT /api/calendar/events/${id}`, {
      token,
      body: { attendees: guests.map((guest) => guest.id) },
    });

  it('allows 60 per hour from one user to another and names the recipient in the error', async () => {
    const [ann, cid] = [await newPlanner(), await newPlanner()];
    const [bob, dan] = [await newGuest(), await newGuest()];
    expect(await statusesOf(58, () => invite(ann, bob))).toEqual(times(58, 201));
    const { id } = JSON.parse((await invite(ann, dan)).text).data;
    // Only new attendees count as invited.
    expect((await attendees(ann, id, dan, bob)).status).toBe(200);
    expect((await attendees(ann, id, bob, dan)).status).toBe(200);
    expect((await attendees(ann, id, dan)).status).toBe(200);
    expect((await attendees(ann, id, dan, bob)).status).toBe(200);
    expect((await attendees(ann, id)).status).toBe(200);
    const before = (await itemsOf('EVENT#')).length;
    const message = `received too many invitations from you: ${bob.id}`;
    for (const refused of [await invite(ann, dan, bob), await attendees(ann, id, dan, bob)]) {
      expect([refused.status, JSON.parse(refused.text).error]).toMatchObject([
        429,
        {
          code: 'RATE_LIMITED',
          message: `Too many invitations to: ${bob.id}. Try again later.`,
          details: [{ field: 'attendees', message }],
        },
      ]);
      expect(refused.headers['retry-after']).toBe('60');
    }
    expect(await itemsOf('EVENT#')).toHaveLength(before);
    expect((await invite(cid, bob)).status).toBe(201);
    // Rejected requests do not count: 59 of 60 are left.
    expect(await statusesOf(60, () => invite(ann, dan))).toEqual([...times(59, 201), 429]);
    vi.setSystemTime(start + 60_000);
    expect(await statusesOf(2, () => invite(ann, bob))).toEqual([201, 429]);
  });
});
