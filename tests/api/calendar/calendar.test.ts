import { describe, expect, it } from 'vitest';
import { readTotal } from '../../../shared/counters/total.ts';
import {
  cancel,
  change,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  startsIn,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { ann, bob, guest } = usePeople({
  ann: newPlanner,
  bob: () => newPlanner('Bob Planner'),
  guest: newGuest,
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };
const start = '2026-11-23T09:00:00.000Z';
const november = ['2026-11-01', '2026-12-01'] as const;

describe('PUT /api/calendar/events/{id}', () => {
  it('changes only the fields of the request', async () => {
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
  });

  it.each([
    [{ title: '' }, 'title'],
    [{ start: '2026-11-24' }, 'end'],
    [{ end: '2026-11-22' }, 'end'],
    [{ rrule: 'FREQ=NEVER' }, 'rrule'],
    [{ timezone: 'X' }, 'timezone'],
    [{ attendees: [1] }, 'attendees'],
  ])('rejects %j with an error in %s and changes nothing', async (body, field) => {
    const before = await made(ann);
    const response = await change(ann, before.id, body);
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
    expect((await look(ann, before.id)).body.data).toEqual(before);
  });

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
    ['name', 'Bobby', 'PUT /api/users/me'],
    ['avatar', 'https://example.com/bob.png', 'PUT /api/users/me'],
    ['status', 'accepted', 'PUT /api/calendar/events/{id}/attendance'],
  ])('rejects a change of the %s of an attendee', async (name, value, place) => {
    const { id, attendees, version } = await made(ann, {
      attendees: [guest.id],
      rrule: 'FREQ=DAILY',
    });
    const same = await change(ann, id, { attendees });
    expect([same.status, same.body.data.version]).toEqual([200, version]);
    const message = `can only be changed by the attendee, at ${place}`;
    const sent = { attendees: [{ ...attendees[0], [name]: value }] };
    for (const response of [
      await change(ann, id, sent),
      await updateOccurrence(ann, id, start, sent),
    ]) {
      expect([response.status, response.body.error?.details]).toEqual([
        400,
        [{ field: `attendees.0.${name}`, message }],
      ]);
    }
  });

  it('ignores the name of a new attendee and rejects statuses other than pending', async () => {
    const { id } = await made(ann);
    const invite = (status: string) =>
      change(ann, id, { attendees: [{ id: String(guest.id), name: 'Bobby', status }] });
    expect((await invite('accepted')).status).toBe(400);
    const { status, body } = await invite('pending');
    expect([status, body.data.attendees]).toEqual([
      200,
      [{ id: guest.id, name: 'Gus Guest', avatar: null, status: 'pending' }],
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

  it('keeps all concurrent changes', async () => {
    const { id } = await made(ann);
    const changes = [
      { title: 'New' },
      { location: 'Here' },
      { color: 'teal' },
      { rrule: 'FREQ=DAILY' },
    ];
    const responses = await Promise.all(changes.map((body) => change(ann, id, body)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await look(ann, id)).body.data).toMatchObject(
      Object.assign({ version: 5 }, ...changes),
    );
  });
});

describe('access to an event', () => {
  it('returns 404 and lists nothing for other users', async () => {
    const { id } = await made(ann, { rrule: 'FREQ=DAILY', exdates: ['2026-11-24'] });
    for (const response of [
      await look(bob, id),
      await change(bob, id, { title: 'Mine' }),
      await cancel(bob, id),
    ]) {
      expect(response).toMatchObject(missing);
    }
    expect((await inWindow(bob, ...november)).items).toEqual([]);
  });

  it('allows attendees to view it but not to change it', async () => {
    const { id } = await made(ann, { attendees: [bob.id] });
    expect((await look(bob, id)).status).toBe(200);
    expect(await change(bob, id, { title: 'Mine' })).toMatchObject(missing);
    expect(await cancel(bob, id)).toMatchObject(missing);
    expect(await startsIn(bob, ...november)).toHaveLength(1);
    await change(ann, id, { attendees: [] });
    expect(await look(bob, id)).toMatchObject(missing);
    expect(await startsIn(bob, ...november)).toEqual([]);
  });

  it.each(['0', '-1', '1.5', 'x', '9007199254740993', '12345'])(
    'returns 404 for the id %s',
    async (id) => {
      const response = await call('GET /api/calendar/events/{id}', {
        token: ann.token,
        params: { id },
      });
      expect(response).toMatchObject(missing);
    },
  );
});

describe('DELETE /api/calendar/events/{id}', () => {
  it('deletes all data of the event except the audit log', async () => {
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

  it('does not restore the event after a concurrent change', async () => {
    const cid = await newPlanner();
    for (let round = 0; round < 5; round++) {
      const { id } = await made(cid);
      const [changed, gone] = await Promise.all([
        change(cid, id, { start: '2026-11-24T09:00:00Z', end: '2026-11-24T10:00:00Z' }),
        cancel(cid, id),
      ]);
      expect([gone.status, [200, 404].includes(changed.status)]).toEqual([200, true]);
      expect((await look(cid, id)).status).toBe(404);
      expect(await startsIn(cid, ...november)).toEqual([]);
    }
  });
});

describe('total of open tasks', () => {
  it('counts the tasks that are not done', async () => {
    const before = await readTotal('pendingTasks');
    const counted = async () => (await readTotal('pendingTasks')) - before;
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
