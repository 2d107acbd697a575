import { describe, expect, it } from 'vitest';
import {
  anHour,
  create,
  look,
  made,
  newGuest,
  newPlanner,
  startsIn,
} from '../../support/calendar/calendar.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { ann, guest } = usePeople({ ann: newPlanner, guest: newGuest });

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /api/calendar/events', () => {
  it.each([
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['pacific standard time', 'America/Los_Angeles'],
    ['UTC-11', 'Etc/GMT+11'],
    ['europe/berlin', 'europe/berlin'],
  ])('takes the time zone %s', async (timezone, expected) => {
    const { body } = await create(ann, { ...anHour, timezone });
    expect(body.data.timezone).toBe(expected);
  });

  it('takes a rule with blanks around its parts and a semicolon at its end', async () => {
    const rrule = 'RRULE: FREQ=WEEKLY; BYDAY = MO, WE ;COUNT=4 ; ';
    const { body } = await create(ann, { ...anHour, rrule });
    expect(body.data.rrule).toBe('FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4');
    for (const broken of ['FREQ=WEEKLY;;COUNT=4', ';FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=M O']) {
      expect((await create(ann, { ...anHour, rrule: broken })).status).toBe(400);
    }
  });

  it('creates an event and returns all its fields', async () => {
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
          ...{ seriesId: null, occurrenceStart: null, recurrenceId: null },
          exdates: ['2026-11-30T08:00:00.000Z'],
          overrides: [],
          answers: [],
          attendees: [{ id: guest.id, name: 'Gus Guest', avatar: null, status: 'pending' }],
          reminders: [10, 60],
          status: 'in_progress',
          priority: 'high',
          owner: null,
          owner_id: ann.id,
          version: 1,
          createdAt: time,
          updatedAt: data.createdAt,
        },
      },
    });
    expect(headers['etag']).toMatch(/^"1-/);
    expect((await look(ann, data.id)).body.data).toEqual(data);
    expect((await look(guest, data.id)).body.data).toEqual({ ...data, owner: 'Pia Planner' });
    expect(await startsIn(guest, '2026-11-01', '2027-01-01')).toEqual([
      '2026-11-23T08:00:00.000Z',
      '2026-12-07T08:00:00.000Z',
    ]);
  });

  it('accepts only a title and a start, and null for the rest', async () => {
    const nulls = { description: null, type: null, rrule: null, attendees: null, timezone: null };
    for (const body of [{}, nulls]) {
      const { status, body: response } = await call('POST /api/calendar/events', {
        token: ann.token,
        body: { title: 'T', start: anHour.start, ...body },
      });
      expect(status).toBe(201);
      expect(response.data).toMatchObject({
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
    }
  });

  it.each([
    [{ start: '2026-11-23' }, '2026-11-23', '2026-11-24'],
    [{ start: '2026-11-23', end: '2026-11-23' }, '2026-11-23', '2026-11-24'],
    [{ start: '2026-11-23', end: '2026-11-25' }, '2026-11-23', '2026-11-25'],
    // Midnight in Berlin in the form that browsers send.
    [
      { start: '2026-11-22T23:00:00.000Z', end: '2026-11-23T23:00:00.000Z' },
      '2026-11-23',
      '2026-11-24',
    ],
    [{ start: '2026-11-23T00:00', end: '2026-11-23T23:59:59' }, '2026-11-23', '2026-11-24'],
    [{ start: '2026-11-23T15:00', end: '2026-11-24T00:00' }, '2026-11-23', '2026-11-24'],
  ])('reads %j as whole days in Berlin', async (times, start, end) => {
    const body = { end: undefined, allDay: true, timezone: 'Europe/Berlin', ...times };
    const data = await made(ann, body);
    expect(data).toMatchObject({ allDay: true, start, end });
  });

  it.each([
    [{ start: '2026-11-23T09:00', timezone: 'America/New_York' }, '2026-11-23T14:00:00.000Z'],
    [{ start: '2026-11-23 09:00:30.5' }, '2026-11-23T09:00:30.000Z'],
    [{ start: '2026-11-23T09:00+0530' }, '2026-11-23T03:30:00.000Z'],
    [{ start: '2026-11-23', allDay: false, timezone: 'Asia/Tokyo' }, '2026-11-22T15:00:00.000Z'],
    // A time in a DST gap moves forward by the length of the gap.
    [{ start: '2026-03-29T02:30', timezone: 'Europe/Berlin' }, '2026-03-29T01:30:00.000Z'],
    [{ start: '2026-10-25T02:30', timezone: 'Europe/Berlin' }, '2026-10-25T00:30:00.000Z'],
    [{ start: null, startAt: '2026-11-23T09:00Z' }, '2026-11-23T09:00:00.000Z'],
    [{ start: null, startTime: '2026-11-23T09:00Z', endTime: null }, '2026-11-23T09:00:00.000Z'],
  ])('accepts the time of %j', async (times, start) => {
    const data = await made(ann, { end: undefined, ...times });
    expect(data.start).toBe(start);
  });

  it('reads a time without an offset in the time zone of the profile', async () => {
    const pia = await newPlanner();
    const response = await call('PUT /api/users/me', {
      token: pia.token,
      body: { timezone: 'Asia/Kolkata' },
    });
    expect(response.status).toBe(200);
    const data = await made(pia, { start: '2026-11-23T09:00', end: '2026-11-23T10:00' });
    expect(data).toMatchObject({ start: '2026-11-23T03:30:00.000Z', timezone: 'Asia/Kolkata' });
  });

  it.each([
    [{ title: undefined }, 'title', 'is required'],
    [{ title: '  ' }, 'title', 'must not be empty'],
    [{ title: 'x'.repeat(201) }, 'title', 'must be at most 200 characters'],
    [{ title: 'a\u202eb' }, 'title', 'must not contain bidirectional control characters'],
    [{ start: undefined }, 'start', 'is required'],
    [{ start: 'tomorrow' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '12026-11-23' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-02-30' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-11-23T25:00' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-11-23T09:00+99:00' }, 'start', expect.stringContaining('must be a date')],
    [{ start: 7 }, 'start', 'must be a date or time'],
    [{ start: '0206-11-23' }, 'start', 'must be in the years 1900 to 2199'],
    [{ end: '2026-11-23T08:59:59Z' }, 'end', 'must not be before start'],
    [{ start: '2026-11-23', end: '2026-11-22' }, 'end', 'must not be before start'],
    [{ end: '2027-11-25' }, 'end', 'must be at most 366 days after start'],
    [{ startAt: '2026-11-23T09:01:00Z' }, 'startAt', 'must equal start'],
    [{ endTime: '2026-11-23T09:01:00Z' }, 'endTime', 'must equal end'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'must be an IANA time zone such as Europe/Berlin'],
    [{ timezone: '+02:00' }, 'timezone', 'must be an IANA time zone such as Europe/Berlin'],
    [{ rrule: 'every day' }, 'rrule', expect.stringContaining('must consist of NAME=value parts')],
    [
      { rrule: 'FREQ=DAILY', exdates: ['x'] },
      'exdates.0',
      expect.stringContaining('must be a date'),
    ],
    [{ exdates: Array(201).fill('2026-11-23') }, 'exdates', 'must contain at most 200 times'],
    [{ type: 'party' }, 'type', 'must be one of meeting, task, reminder, holiday'],
    [{ status: 'open' }, 'status', 'must be one of pending, in_progress, done'],
    [{ priority: 1 }, 'priority', 'must be one of low, medium, high'],
    [{ color: 'url(x)' }, 'color', 'must be a color such as #1e90ff or teal'],
    [{ reminders: [-1] }, 'reminders.0', 'must be at least 0'],
    [{ reminders: [1, 2, 3, 4, 5, 6] }, 'reminders', 'must contain at most 5 reminders'],
    [
      { attendees: Array.from({ length: 41 }, (_, at) => at + 1) },
      'attendees',
      'must contain at most 40 users',
    ],
    [{ attendees: ['x'] }, 'attendees.0', 'must be the id of a user'],
    [{ attendees: [{ id: -1 }] }, 'attendees.0.id', 'must be the id of a user'],
    [{ attendees: [3, 9] }, 'attendees', 'contains unknown or inactive users: 3, 9'],
  ])('rejects %j with an error in %s', async (body, field, message) => {
    const response = await create(ann, body);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
  });
});
