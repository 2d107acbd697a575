import { beforeAll, describe, expect, it } from 'vitest';
import {
  change,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();

const start = '2026-11-23T09:00:00.000Z';

let ann: Person;
let bob: Person;
beforeAll(async () => {
  [ann, bob] = [await newPlanner(), await newGuest()];
});

describe('PUT /api/calendar/events/{id}', () => {
  it.each(['title', 'start', 'startAt', 'startTime', 'allDay'])(
    'rejects null for %s',
    async (field) => {
      const { id } = await made(ann);
      const { status, body } = await change(ann, id, { [field]: null });
      expect([status, body.error?.details]).toMatchObject([400, [{ field }]]);
    },
  );

  it.each(['start', 'end'])('rejects null for %s of one occurrence', async (field) => {
    const { id } = await made(ann, { rrule: 'FREQ=DAILY' });
    const one = await updateOccurrence(ann, id, start, { [field]: null });
    expect([one.status, one.body.error?.details]).toMatchObject([400, [{ field }]]);
    const named = await change(ann, id, { occurrenceStart: start, [field]: null });
    expect([named.status, named.body.error?.details]).toMatchObject([400, [{ field }]]);
  });

  it('reads blank values as null', async () => {
    const { id } = await made(ann, {
      ...{ color: 'teal', location: 'Room 1', description: 'All', rrule: 'FREQ=DAILY' },
      ...{ timezone: 'Asia/Tokyo', type: 'task', priority: 'high', reminders: [5] },
    });
    const { status, body } = await change(ann, id, {
      ...{ color: '', location: ' ', description: '\n', rrule: '', end: '' },
      ...{ timezone: '', type: '', priority: '', reminders: '' },
    });
    expect([status, body.data]).toMatchObject([
      200,
      {
        ...{ color: null, location: null, description: null, rrule: null, end: start },
        ...{ timezone: 'UTC', type: 'meeting', priority: 'medium', reminders: [] },
      },
    ]);
  });

  it.each([
    [
      'status',
      { status: 'accepted' },
      'can only be changed by the attendee, at PUT /api/calendar/events/{id}/attendance',
    ],
  ])('rejects a change of the %s of an attendee', async (field, other, message) => {
    const { id, attendees, version } = await made(ann, {
      attendees: [bob.id],
      rrule: 'FREQ=DAILY',
    });
    const same = await change(ann, id, { attendees });
    expect([same.status, same.body.data.version]).toEqual([200, version]);
    const details = [{ field: `attendees.0.${field}`, message }];
    const sent = { attendees: [{ ...attendees[0], ...other }] };
    for (const response of [
      await change(ann, id, sent),
      await updateOccurrence(ann, id, start, sent),
    ]) {
      expect([response.status, response.body.error?.details]).toEqual([400, details]);
    }
  });

  it('ignores the name of a new attendee and rejects statuses other than pending', async () => {
    const { id } = await made(ann);
    const invite = (status: string) =>
      change(ann, id, { attendees: [{ id: String(bob.id), name: 'Bobby', status }] });
    expect((await invite('accepted')).status).toBe(400);
    const { status, body } = await invite('pending');
    expect([status, body.data.attendees]).toEqual([
      200,
      [{ id: bob.id, name: 'Gus Guest', avatar: null, status: 'pending' }],
    ]);
  });

  it('uses the time field that differs and rejects contradictions', async () => {
    const { id } = await made(ann);
    const later = '2026-11-23T09:30:00.000Z';
    const one = await change(ann, id, { start, startAt: later });
    expect([one.status, one.body.data?.start]).toEqual([200, later]);
    const same = { start: '2026-11-23T09:10:00Z', startTime: '2026-11-23T10:10+01:00' };
    expect((await change(ann, id, same)).body.data.start).toBe('2026-11-23T09:10:00.000Z');
    const { status, body } = await change(ann, id, { start, startAt: later });
    expect([status, body.error?.details]).toEqual([
      400,
      [{ field: 'startAt', message: 'must equal start' }],
    ]);
  });
});
