import { beforeAll, describe, expect, it } from 'vitest';
import { readTotal } from '../shared/total.ts';
import { entriesAbout } from './support/audit.ts';
import {
  anHour,
  cancel,
  change,
  create,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  startsIn,
} from './support/calendar.ts';
import { call } from './support/call.ts';
import type { Person } from './support/people.ts';
import { itemsOf, useTable } from './support/table.ts';

useTable();

let ann: Person;
let bob: Person;
let guest: Person;
beforeAll(async () => {
  ann = await newPlanner();
  bob = await newPlanner('Bob Planner');
  guest = await newGuest();
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };
const november = ['2026-11-01', '2026-12-01'] as const;

describe('POST /api/calendar/events', () => {
  it('makes an event, and answers all of it', async () => {
    const { status, body, headers } = await create(ann, {
      title: ' Board meeting ',
      description: 'With cake',
      type: 'meeting',
      color: '#1e90ff',
      location: 'Room 2',
      timezone: 'Europe/Berlin',
      priority: 'high',
      status: 'in_progress',
      start: '2026-11-23T09:00',
      end: '2026-11-23T10:30:00+01:00',
      rrule: 'RRULE:freq=weekly;byday=mo;count=3',
      exdates: ['2026-11-30'],
      attendees: [guest.id, ann.id, { id: guest.id, status: 'accepted', name: 'Nobody' }],
      reminders: [60, 10, 10],
      id: 7,
      owner_id: 7,
      version: 7,
    });
    const { data } = body;
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Created',
        data: {
          id: expect.any(Number),
          title: 'Board meeting',
          description: 'With cake',
          start: '2026-11-23T08:00:00.000Z',
          end: '2026-11-23T09:30:00.000Z',
          type: 'meeting',
          color: '#1e90ff',
          allDay: false,
          location: 'Room 2',
          timezone: 'Europe/Berlin',
          rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=3',
          exdates: ['2026-11-30T08:00:00.000Z'],
          overrides: [],
          attendees: [{ id: guest.id, name: 'Gus Guest', status: 'pending' }],
          reminders: [10, 60],
          status: 'in_progress',
          priority: 'high',
          owner_id: ann.id,
          version: 1,
          createdAt: time,
          updatedAt: data.createdAt,
        },
      },
    });
    expect(headers['etag']).toMatch(/^"1-/);
    expect((await look(ann, data.id)).body.data).toEqual(data);
    expect((await look(guest, data.id)).body.data).toEqual(data);
    expect(await startsIn(guest, '2026-11-01', '2027-01-01')).toEqual([
      '2026-11-23T08:00:00.000Z',
      '2026-12-07T08:00:00.000Z',
    ]);
    await cancel(ann, data.id);
  });

  it('takes a title and a start alone, and null for the rest', async () => {
    const nulls = { description: null, type: null, rrule: null, attendees: null, timezone: null };
    for (const body of [{}, nulls]) {
      const { status, body: answer } = await call('POST /api/calendar/events', {
        token: ann.token,
        body: { title: 'T', start: anHour.start, ...body },
      });
      expect(status).toBe(201);
      expect(answer.data).toMatchObject({
        start: '2026-11-23T09:00:00.000Z',
        end: '2026-11-23T09:00:00.000Z',
        description: null,
        type: 'meeting',
        color: null,
        allDay: false,
        location: null,
        timezone: 'UTC',
        rrule: null,
        attendees: [],
        reminders: [],
        status: 'pending',
        priority: 'medium',
      });
      await cancel(ann, answer.data.id);
    }
  });

  it.each([
    [{ start: '2026-11-23' }, '2026-11-23', '2026-11-24'],
    [{ start: '2026-11-23', end: '2026-11-23' }, '2026-11-23', '2026-11-24'],
    [{ start: '2026-11-23', end: '2026-11-25' }, '2026-11-23', '2026-11-25'],
    // Midnight in Berlin, as a browser there writes it.
    [
      { start: '2026-11-22T23:00:00.000Z', end: '2026-11-23T23:00:00.000Z' },
      '2026-11-23',
      '2026-11-24',
    ],
    [{ start: '2026-11-23T00:00', end: '2026-11-23T23:59:59' }, '2026-11-23', '2026-11-24'],
    [{ start: '2026-11-23T15:00', end: '2026-11-24T00:00' }, '2026-11-23', '2026-11-24'],
  ])('takes %j as whole days of Berlin', async (times, start, end) => {
    const body = { end: undefined, allDay: true, timezone: 'Europe/Berlin', ...times };
    const data = await made(ann, body);
    expect(data).toMatchObject({ allDay: true, start, end });
    await cancel(ann, data.id);
  });

  it.each([
    [{ start: '2026-11-23T09:00', timezone: 'America/New_York' }, '2026-11-23T14:00:00.000Z'],
    [{ start: '2026-11-23 09:00:30.5' }, '2026-11-23T09:00:30.000Z'],
    [{ start: '2026-11-23T09:00+0530' }, '2026-11-23T03:30:00.000Z'],
    [{ start: '2026-11-23', allDay: false, timezone: 'Asia/Tokyo' }, '2026-11-22T15:00:00.000Z'],
    // Skipped by clocks: as long after the skip as it is past its beginning.
    [{ start: '2026-03-29T02:30', timezone: 'Europe/Berlin' }, '2026-03-29T01:30:00.000Z'],
    [{ start: '2026-10-25T02:30', timezone: 'Europe/Berlin' }, '2026-10-25T00:30:00.000Z'],
    [{ start: null, startAt: '2026-11-23T09:00Z' }, '2026-11-23T09:00:00.000Z'],
    [{ start: null, startTime: '2026-11-23T09:00Z', endTime: null }, '2026-11-23T09:00:00.000Z'],
  ])('takes the time of %j', async (times, start) => {
    const data = await made(ann, { end: undefined, ...times });
    expect(data.start).toBe(start);
    await cancel(ann, data.id);
  });

  it('takes a time without an offset in the zone of the profile', async () => {
    const pia = await newPlanner();
    const answer = await call('PUT /api/users/me', {
      token: pia.token,
      body: { timezone: 'Asia/Kolkata' },
    });
    expect(answer.status).toBe(200);
    const data = await made(pia, { start: '2026-11-23T09:00', end: '2026-11-23T10:00' });
    expect(data).toMatchObject({ start: '2026-11-23T03:30:00.000Z', timezone: 'Asia/Kolkata' });
  });

  it.each([
    [{ title: undefined }, 'title', 'is required'],
    [{ title: '  ' }, 'title', 'must not be empty'],
    [{ title: 'x'.repeat(201) }, 'title', 'must have at most 200 characters'],
    [{ title: 'a\u202eb' }, 'title', 'must not have bidirectional control characters'],
    [{ start: undefined }, 'start', 'is required'],
    [{ start: 'tomorrow' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-02-30' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-11-23T25:00' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-11-23T09:00+99:00' }, 'start', expect.stringContaining('must be a date')],
    [{ start: 7 }, 'start', 'must be a date or a time'],
    [{ start: '0206-11-23' }, 'start', 'must be in the years 1900 to 2199'],
    [{ end: '2026-11-23T08:59:59Z' }, 'end', 'must not be before start'],
    [{ start: '2026-11-23', end: '2026-11-22' }, 'end', 'must not be before start'],
    [
      { end: '2027-11-25' },
      'end',
      'must be at most 366 days after start; what is longer can recur',
    ],
    [{ startAt: '2026-11-23T09:01:00Z' }, 'startAt', 'can not differ from start'],
    [{ endTime: '2026-11-23T09:01:00Z' }, 'endTime', 'can not differ from end'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'must be an IANA time zone such as Europe/Berlin'],
    [{ timezone: '+02:00' }, 'timezone', 'must be an IANA time zone such as Europe/Berlin'],
    [{ rrule: 'every day' }, 'rrule', expect.stringContaining('must be parts such as')],
    [{ rrule: 'FREQ=SECONDLY;COUNT=1000000000' }, 'rrule', expect.stringContaining('FREQ=DAILY')],
    [
      { rrule: 'FREQ=DAILY', exdates: ['x'] },
      'exdates.0',
      expect.stringContaining('must be a date'),
    ],
    [{ exdates: Array(201).fill('2026-11-23') }, 'exdates', 'must have at most 200 times'],
    [{ type: 'party' }, 'type', 'must be one of meeting, task, reminder, holiday'],
    [{ status: 'open' }, 'status', 'must be one of pending, in_progress, done'],
    [{ priority: 1 }, 'priority', 'must be one of low, medium, high'],
    [{ color: 'url(x)' }, 'color', 'must be a colour such as #1e90ff or teal'],
    [{ reminders: [-1] }, 'reminders.0', 'must be from 0 minutes before the start'],
    [{ reminders: [1, 2, 3, 4, 5, 6] }, 'reminders', 'must have at most 5 reminders'],
    [
      { attendees: Array.from({ length: 41 }, (_, at) => at + 1) },
      'attendees',
      'must have at most 40 users',
    ],
    [{ attendees: [3, 9] }, 'attendees', 'has 3, 9, which is no active user'],
  ])('refuses %j because of %s', async (body, field, message) => {
    const answer = await create(ann, body);
    expect([answer.status, answer.body.error.details]).toEqual([400, [{ field, message }]]);
  });

  it('makes one event of a request that comes again', async () => {
    const key = { 'idempotency-key': 'the-same' };
    const [one, other] = [await create(bob, {}, key), await create(bob, {}, key)];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.body.data).toEqual(one.body.data);
    expect(await startsIn(bob, ...november)).toHaveLength(1);
    await cancel(bob, one.body.data.id);
  });

  it('is not for who may only look', async () => {
    expect((await create(guest)).status).toBe(403);
  });
});

describe('PUT /api/calendar/events/{id}', () => {
  it('changes what is sent, and nothing else', async () => {
    const before = await made(ann, { description: 'D', color: 'teal', rrule: 'FREQ=DAILY' });
    const renamed = await change(ann, before.id, { title: 'Renamed', color: null });
    expect(renamed.body).toEqual({
      success: true,
      message: 'Saved',
      data: { ...before, title: 'Renamed', color: null, version: 2, updatedAt: time },
    });
    const moved = await change(ann, before.id, { rrule: null, end: '2026-11-23T11:00:00Z' });
    expect(moved.body.data).toMatchObject({
      title: 'Renamed',
      start: before.start,
      end: '2026-11-23T11:00:00.000Z',
      rrule: null,
      version: 3,
    });
    expect(await startsIn(ann, '2026-11-01', '2027-01-01')).toEqual([before.start]);
    const allDay = await change(ann, before.id, { allDay: true, timezone: 'Asia/Tokyo' });
    expect(allDay.body.data).toMatchObject({ start: '2026-11-23', end: '2026-11-24' });
    const timed = await change(ann, before.id, { allDay: false });
    expect(timed.body.data).toMatchObject({
      start: '2026-11-22T15:00:00.000Z',
      end: '2026-11-23T15:00:00.000Z',
    });
    expect((await look(ann, before.id)).body.data).toEqual(timed.body.data);
    await cancel(ann, before.id);
  });

  it.each([
    [{ title: '' }, 'title'],
    [{ start: '2026-11-24' }, 'end'],
    [{ end: '2026-11-22' }, 'end'],
    [{ rrule: 'FREQ=NEVER' }, 'rrule'],
    [{ timezone: 'X' }, 'timezone'],
    [{ attendees: [1] }, 'attendees'],
  ])('refuses %j because of %s, and changes nothing', async (body, field) => {
    const before = await made(ann);
    const answer = await change(ann, before.id, body);
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
    expect((await look(ann, before.id)).body.data).toEqual(before);
    await cancel(ann, before.id);
  });

  it('keeps of the exceptions those that are still occurrences', async () => {
    const { id } = await made(ann, {
      rrule: 'FREQ=DAILY',
      exdates: ['2026-11-24T09:00:00Z', '2026-11-25', '2026-11-25T08:00:00Z'],
    });
    const weekdays = await change(ann, id, { rrule: 'FREQ=WEEKLY;BYDAY=MO,TU' });
    expect(weekdays.body.data.exdates).toEqual(['2026-11-24T09:00:00.000Z']);
    const later = await change(ann, id, {
      start: '2026-11-23T12:00:00Z',
      end: '2026-11-23T13:00:00Z',
    });
    expect(later.body.data.exdates).toEqual([]);
    await cancel(ann, id);
  });

  it('holds to the version that the client has seen', async () => {
    const { id } = await made(ann);
    const stale = { 'if-match': '"1"' };
    expect((await change(ann, id, { title: 'Two' }, stale)).status).toBe(200);
    for (const answer of [
      await change(ann, id, { title: 'Three' }, stale),
      await cancel(ann, id, stale),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    }
    expect((await cancel(ann, id, { 'if-match': '"2"' })).status).toBe(200);
  });

  it('keeps every one of several changes at once', async () => {
    const { id } = await made(ann);
    const changes = [
      { title: 'New' },
      { location: 'Here' },
      { color: 'teal' },
      { rrule: 'FREQ=DAILY' },
    ];
    const answers = await Promise.all(changes.map((body) => change(ann, id, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await look(ann, id)).body.data).toMatchObject(
      Object.assign({ version: 5 }, ...changes),
    );
    await cancel(ann, id);
  });
});

describe("another's event", () => {
  it('is a 404, and in no list', async () => {
    const { id } = await made(ann, { rrule: 'FREQ=DAILY', exdates: ['2026-11-24'] });
    for (const answer of [
      await look(bob, id),
      await change(bob, id, { title: 'Mine' }),
      await cancel(bob, id),
    ]) {
      expect(answer).toMatchObject(missing);
    }
    expect((await inWindow(bob, ...november)).items).toEqual([]);
    await cancel(ann, id);
  });

  it('can be seen by who is invited, who may not change it', async () => {
    const { id } = await made(ann, { attendees: [bob.id] });
    expect((await look(bob, id)).status).toBe(200);
    expect(await change(bob, id, { title: 'Mine' })).toMatchObject(missing);
    expect(await cancel(bob, id)).toMatchObject(missing);
    expect(await startsIn(bob, ...november)).toHaveLength(1);
    await change(ann, id, { attendees: [] });
    expect(await look(bob, id)).toMatchObject(missing);
    expect(await startsIn(bob, ...november)).toEqual([]);
    await cancel(ann, id);
  });

  it.each(['0', '-1', '1.5', 'x', '9007199254740993', '12345'])('is not at %s', async (id) => {
    const answer = await call('GET /api/calendar/events/{id}', {
      token: ann.token,
      params: { id },
    });
    expect(answer).toMatchObject(missing);
  });
});

describe('DELETE /api/calendar/events/{id}', () => {
  it('leaves nothing of it but the audit', async () => {
    const { id } = await made(ann, { type: 'task', rrule: 'FREQ=DAILY', attendees: [bob.id] });
    expect((await cancel(ann, id)).body).toEqual({
      success: true,
      data: { id },
      message: 'Deleted',
    });
    expect(await look(ann, id)).toMatchObject(missing);
    expect(await cancel(ann, id)).toMatchObject(missing);
    const items = [...(await itemsOf('EVENT#')), ...(await itemsOf('CALENDAR#'))];
    expect(items.filter((item) => item['id'] === id)).toEqual([]);
    const entries = await entriesAbout(`event:${id}`);
    expect(entries.map(({ action }) => action).sort()).toEqual(['event.create', 'event.delete']);
  });

  it('never comes back by a change at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await made(ann);
      const [changed, gone] = await Promise.all([
        change(ann, id, { start: '2026-11-24T09:00:00Z', end: '2026-11-24T10:00:00Z' }),
        cancel(ann, id),
      ]);
      expect([gone.status, [200, 404].includes(changed.status)]).toEqual([200, true]);
      expect((await look(ann, id)).status).toBe(404);
      expect(await startsIn(ann, ...november)).toEqual([]);
    }
  });
});

describe('the total of open tasks', () => {
  it('counts tasks that are not done, exactly', async () => {
    const before = await readTotal('pending-tasks');
    const counted = async () => (await readTotal('pending-tasks')) - before;
    const { id } = await made(ann, { type: 'task' });
    const other = await made(ann);
    expect(await counted()).toBe(1);
    await change(ann, other.id, { type: 'task', status: 'in_progress' });
    expect(await counted()).toBe(2);
    await change(ann, id, { status: 'done' });
    await change(ann, id, { title: 'Still done' });
    expect(await counted()).toBe(1);
    await change(ann, id, { status: 'pending' });
    await cancel(ann, id);
    await cancel(ann, other.id);
    expect(await counted()).toBe(0);
  });
});
