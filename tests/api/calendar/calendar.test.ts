import { beforeAll, describe, expect, it } from 'vitest';
import { readTotal } from '../../../shared/counters/total.ts';
import {
  cancel,
  change,
  inWindow,
  look,
  made,
  newPlanner,
  startsIn,
} from '../../support/calendar/calendar.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();

let ann: Person;
let bob: Person;
beforeAll(async () => {
  ann = await newPlanner();
  bob = await newPlanner('Bob Planner');
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };
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
    await cancel(ann, before.id);
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
    await cancel(ann, before.id);
  });

  it('rejects an outdated version', async () => {
    const { id } = await made(ann);
    const stale = { 'if-match': '"1"' };
    expect((await change(ann, id, { title: 'Two' }, stale)).status).toBe(200);
    for (const response of [
      await change(ann, id, { title: 'Three' }, stale),
      await cancel(ann, id, stale),
    ]) {
      expect([response.status, response.body.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    }
    expect((await cancel(ann, id, { 'if-match': '"2"' })).status).toBe(200);
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
    await cancel(ann, id);
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
    await cancel(ann, id);
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
    await cancel(ann, id);
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

describe('total of open tasks', () => {
  it('counts the tasks that are not done', async () => {
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
