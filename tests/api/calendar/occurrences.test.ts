import { describe, expect, it } from 'vitest';
import {
  cancel,
  cancelOccurrence,
  change,
  fourMondays,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  startsIn,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { useNewPeople, usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-22T12:00:00Z');
useTable();

const { ann, bob } = usePeople({ ann: newPlanner, bob: newGuest });

const window = ['2026-11-01', '2027-02-01'] as const;
const [first, second, third, fourth] = [23, 30, 37, 44].map((day) =>
  new Date(Date.UTC(2026, 10, day, 8)).toISOString(),
) as [string, string, string, string];

describe('PUT /api/calendar/events/{id}/occurrences/{start}', () => {
  it('moves one occurrence and keeps the others', async () => {
    const event = await made(ann, { ...fourMondays, attendees: [bob.id] });
    const { status, body } = await updateOccurrence(ann, event.id, second, {
      start: '2026-12-02T14:00',
    });
    const override = {
      recurrenceId: second,
      start: '2026-12-02T13:00:00.000Z',
      // The duration stays the same.
      end: '2026-12-02T14:00:00.000Z',
      title: null,
      location: null,
      status: null,
    };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Saved',
        data: { ...event, overrides: [override], version: 2, updatedAt: expect.any(String) },
      },
    });
    const { items } = await inWindow(bob, ...window);
    expect(items).toMatchObject([
      { start: first, occurrenceStart: first },
      { start: override.start, end: override.end, occurrenceStart: second, recurrenceId: second },
      { start: third },
      { start: fourth },
    ]);
    await cancel(ann, event.id);
  });

  it('lists a moved occurrence at its new time only', async () => {
    const { id } = await made(ann, fourMondays);
    await updateOccurrence(ann, id, first, { start: '2027-06-01T08:00:00Z' });
    await updateOccurrence(ann, id, fourth, { start: '2025-01-01T08:00:00Z' });
    expect(await startsIn(ann, ...window)).toEqual([second, third]);
    expect(await startsIn(ann, '2027-06-01', '2027-06-02')).toEqual(['2027-06-01T08:00:00.000Z']);
    expect(await startsIn(ann, '2025-01-01', '2025-01-02')).toEqual(['2025-01-01T08:00:00.000Z']);
    expect(await startsIn(ann, '2027-06-02', '2028-01-01')).toEqual([]);
    await cancel(ann, id);
  });

  it('overrides fields of an occurrence until they are reset', async () => {
    const { id } = await made(ann, { ...fourMondays, type: 'task', location: 'Room 1' });
    await updateOccurrence(ann, id, '2026-11-30', {
      title: 'Special',
      location: 'Room 2',
      status: 'done',
    });
    const shown = async () => (await inWindow(ann, '2026-11-30', '2026-12-01')).items[0];
    expect(await shown()).toMatchObject({
      title: 'Special',
      location: 'Room 2',
      status: 'done',
      start: second,
    });
    await updateOccurrence(ann, id, second, { title: null, status: null });
    expect(await shown()).toMatchObject({
      title: 'An event',
      location: 'Room 2',
      status: 'pending',
    });
    const plain = await updateOccurrence(ann, id, second, { location: null });
    expect(plain.body.data.overrides).toEqual([]);
    expect(await shown()).toMatchObject({ location: 'Room 1' });
    await cancel(ann, id);
  });

  it('moves an occurrence of an all-day event to other dates', async () => {
    const { id } = await made(ann, {
      start: '2026-11-23',
      end: '2026-11-25',
      rrule: 'FREQ=MONTHLY',
    });
    const moved = await updateOccurrence(ann, id, '2026-12-23', {
      start: '2026-12-27',
      end: '2026-12-28',
    });
    expect(moved.body.data.overrides).toMatchObject([
      { recurrenceId: '2026-12-23', start: '2026-12-27', end: '2026-12-28' },
    ]);
    expect(await startsIn(ann, ...window)).toEqual(['2026-11-23', '2026-12-27', '2027-01-23']);
    await cancel(ann, id);
  });

  it.each([
    [{ end: '2026-11-30T07:00:00Z' }, 'end', 'must not be before start'],
    [{ start: 'x' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-12-01', startAt: '2026-12-02' }, 'startAt', 'must equal start'],
    [{ status: 'gone' }, 'status', 'must be one of pending, in_progress, done'],
  ])('rejects %j with an error in %s', async (body, field, message) => {
    const { id } = await made(ann, fourMondays);
    const response = await updateOccurrence(ann, id, second, body);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
    await cancel(ann, id);
  });

  it('returns 404 for an unknown, canceled or foreign occurrence', async () => {
    const { id } = await made(ann, { ...fourMondays, attendees: [bob.id] });
    const once = await made(ann);
    await cancelOccurrence(ann, id, third);
    const body = { title: 'X' };
    for (const response of [
      await updateOccurrence(ann, id, '2026-11-24', body),
      await updateOccurrence(ann, id, '2026-11-23T08:01:00Z', body),
      await updateOccurrence(ann, id, '2026-12-21', body),
      await updateOccurrence(ann, id, 'x', body),
      await updateOccurrence(ann, id, third, body),
      await cancelOccurrence(ann, id, third),
      await updateOccurrence(ann, once.id, once.start, body),
      await updateOccurrence(await newPlanner(), id, first, body),
      await cancelOccurrence(await newPlanner(), id, first),
    ]) {
      expect([response.status, response.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await updateOccurrence(bob, id, first, body)).status).toBe(403);
    await cancel(ann, id);
    await cancel(ann, once.id);
  });

  it('keeps all concurrent changes, up to 50 overrides', async () => {
    const { id } = await made(ann, { ...fourMondays, rrule: 'FREQ=DAILY' });
    const day = (at: number) => new Date(Date.UTC(2026, 10, 23 + at)).toISOString().slice(0, 10);
    const several = [0, 1, 2, 3].map((at) =>
      updateOccurrence(ann, id, day(at), { title: `T${at}` }),
    );
    expect((await Promise.all(several)).map(({ status }) => status)).toEqual(Array(4).fill(200));
    for (let at = 4; at < 50; at++) await updateOccurrence(ann, id, day(at), { title: 'T' });
    const { body } = await look(ann, id);
    expect([body.data.overrides.length, body.data.version]).toEqual([50, 51]);
    const more = await updateOccurrence(ann, id, day(50), { title: 'T' });
    expect([more.status, more.body.error.code]).toEqual([409, 'CONFLICT']);
    expect((await updateOccurrence(ann, id, day(3), { title: 'Again' })).status).toBe(200);
    await cancel(ann, id);
    expect((await itemsOf('CALENDAR#')).filter((item) => item['id'] === id)).toEqual([]);
  });
});

describe('DELETE /api/calendar/events/{id}/occurrences/{start}', () => {
  it('cancels one occurrence, and a change of exdates restores it', async () => {
    const { id } = await made(ann, { ...fourMondays, attendees: [bob.id] });
    pass(1);
    await updateOccurrence(ann, id, second, { title: 'Special' });
    pass(1);
    const cancelled = await cancelOccurrence(ann, id, second, { 'if-match': '"2"' });
    expect(cancelled.body.data).toMatchObject({ exdates: [second], overrides: [], version: 3 });
    expect(await startsIn(bob, ...window)).toEqual([first, third, fourth]);
    pass(1);
    await change(ann, id, { exdates: [] });
    expect(await startsIn(bob, ...window)).toEqual([first, second, third, fourth]);
    const entries = await entriesAbout(`event:${id}`);
    expect(entries.map(({ action }) => action)).toEqual([
      'event.create',
      'event.update-occurrence',
      'event.cancel-occurrence',
      'event.update',
    ]);
    await cancel(ann, id);
  });
});

describe('occurrences in lists', () => {
  const { planner } = useNewPeople({ planner: newPlanner });

  const weekly = { ...fourMondays, title: 'Stand-up' };

  const listed = async () => (await inWindow(planner, '2026-11-01', '2027-02-01')).items;
  const timesOf = async () =>
    (await listed()).map(
      ({ start, title }: { start: string; title: string }) => `${start} ${title}`,
    );

  const starts = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14'].map(
    (date) => `${date}T08:00:00.000Z`,
  );

  describe('occurrence in a list', () => {
    it('names its series and its original start', async () => {
      const { id } = await made(planner, weekly);
      await updateOccurrence(planner, id, '2026-12-07', { start: '2026-12-08T12:00' });
      const once = await made(planner, { start: '2027-01-05T09:00', end: '2027-01-05T10:00' });
      const shown = ({
        id: of,
        seriesId,
        occurrenceStart,
        recurrenceId,
      }: Record<string, unknown>) => [of, seriesId, occurrenceStart, recurrenceId];
      expect((await listed()).map(shown)).toEqual([
        ...starts.map((start) => [id, id, start, start]),
        [once.id, null, null, null],
      ]);
      expect(shown((await look(planner, id)).body.data)).toEqual([id, null, null, null]);
      const today = await call('GET /api/dashboard/calendar', { token: planner.token });
      expect(today.body.data).toEqual([]);
    });

    it('is accepted unchanged by PUT and changes nothing', async () => {
      const { id } = await made(planner, {
        ...weekly,
        description: 'D',
        attendees: [(await newGuest()).id],
      });
      await updateOccurrence(planner, id, '2026-12-07', {
        start: '2026-12-08T12:00',
        title: 'Special',
      });
      const before = (await look(planner, id)).body.data;
      for (const item of await listed()) {
        for (const response of [
          await change(planner, id, item),
          await change(planner, id, { ...item, start: item.start.replace('.000Z', '+00:00') }),
        ]) {
          expect([response.status, response.body.message]).toEqual([200, 'Saved']);
          expect(response.body.data).toEqual({ ...before, ...item });
        }
        const one = await updateOccurrence(planner, id, item.occurrenceStart, item);
        expect([one.status, one.body.data]).toEqual([200, before]);
      }
      const whole = await change(planner, id, before);
      expect([whole.status, whole.body.data]).toEqual([200, before]);
      expect(await entriesAbout(`event:${id}`)).toHaveLength(2);
    });

    it('is changed alone by PUT with another title or time', async () => {
      const { id } = await made(planner, weekly);
      const [, second, third] = await listed();
      const renamed = await change(planner, id, { ...second, title: 'Review' });
      expect(renamed.body.data).toMatchObject({
        ...{ id, seriesId: id, occurrenceStart: starts[1] },
        ...{ title: 'Review', start: starts[1], version: 2 },
        overrides: [{ recurrenceId: starts[1], title: 'Review' }],
      });
      // Sends the occurrence with the version that the list returned.
      const moved = await change(planner, id, {
        ...third,
        start: '2026-12-08T11:00:00Z',
        end: '2026-12-08T11:30:00Z',
      });
      expect(moved.body.data).toMatchObject({
        ...{ occurrenceStart: starts[2], start: '2026-12-08T11:00:00.000Z' },
        end: '2026-12-08T11:30:00.000Z',
      });
      expect((await look(planner, id)).body.data).toMatchObject({
        title: 'Stand-up',
        start: starts[0],
      });
      expect(await timesOf()).toEqual([
        `${starts[0]} Stand-up`,
        `${starts[1]} Review`,
        '2026-12-08T11:00:00.000Z Stand-up',
        `${starts[3]} Stand-up`,
      ]);
      const back = await change(planner, id, { ...renamed.body.data, title: 'Stand-up' });
      expect(back.body.data.overrides).toMatchObject([{ recurrenceId: starts[2] }]);
    });

    it('changes fields of the series that all occurrences share', async () => {
      const { id } = await made(planner, weekly);
      const [, second] = await listed();
      const { body } = await change(planner, id, {
        ...second,
        description: 'In Room 2',
        title: 'Review',
      });
      expect(body.data).toMatchObject({ description: 'In Room 2', title: 'Review' });
      const event = (await look(planner, id)).body.data;
      expect(event).toMatchObject({
        description: 'In Room 2',
        title: 'Stand-up',
        start: starts[0],
      });
      const stale = await change(planner, id, { ...second, description: 'Elsewhere' });
      expect([stale.status, stale.body.error.details]).toEqual([
        400,
        [{ field: 'version', message: 'is now 2; fetch the record again' }],
      ]);
      const alone = await updateOccurrence(planner, id, starts[1] ?? '', {
        ...body.data,
        color: 'teal',
      });
      expect([alone.status, alone.body.error.details]).toEqual([
        400,
        [
          {
            field: 'color',
            message: 'can only be changed for all occurrences, at PUT /api/calendar/events/{id}',
          },
        ],
      ]);
    });

    it.each([
      [{ occurrenceStart: '2026-11-24' }, 'occurrenceStart'],
      [{ occurrenceStart: 'x' }, 'occurrenceStart'],
      [{ occurrenceStart: '2026-11-30', seriesId: 1 }, 'seriesId'],
      [{ seriesId: 1, start: '2026-11-30T09:00' }, 'seriesId'],
      [{ overrides: [{}] }, 'overrides'],
    ])('rejects %j with an error in %s', async (body, field) => {
      const { id } = await made(planner, weekly);
      const { status, body: response } = await change(planner, id, body);
      expect([status, response.error.details[0].field]).toEqual([400, field]);
      expect(await timesOf()).toEqual(starts.map((start) => `${start} Stand-up`));
    });
  });

  describe('recurring task on the dashboard', () => {
    const tasks = async () =>
      (await call('GET /api/dashboard/tasks', { token: planner.token })).body.data;

    it('is done for the day after PUT with the status done', async () => {
      const { id } = await made(planner, { ...weekly, type: 'task', rrule: 'FREQ=DAILY' });
      const [task] = await tasks();
      expect(task).toMatchObject({ ...{ id, seriesId: id }, occurrenceStart: starts[0] });
      const { status, body } = await change(planner, id, { ...task, status: 'done' });
      expect([status, body.data.status]).toEqual([200, 'done']);
      expect(await tasks()).toMatchObject([
        { id, status: 'pending', occurrenceStart: '2026-11-24T08:00:00.000Z' },
      ]);
      expect((await look(planner, id)).body.data.status).toBe('pending');
      await updateOccurrence(planner, id, '2026-11-24', {
        title: 'Special',
        status: 'in_progress',
      });
      expect(await tasks()).toMatchObject([{ title: 'Special', status: 'in_progress' }]);
    });

    it('is updated itself if it does not recur', async () => {
      const { id } = await made(planner, { type: 'task' });
      const [task] = await tasks();
      expect(task).toMatchObject({ id, seriesId: null, occurrenceStart: null });
      expect((await change(planner, id, { ...task, status: 'done' })).status).toBe(200);
      expect(await tasks()).toEqual([]);
    });
  });
});
