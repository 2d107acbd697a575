import { describe, expect, it } from 'vitest';
import {
  change,
  fourMondays,
  inWindow,
  look,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-22T12:00:00Z');

const { ann } = useNewPeople({ ann: newPlanner });

const weekly = { ...fourMondays, title: 'Stand-up' };

const listed = async () => (await inWindow(ann, '2026-11-01', '2027-02-01')).items;
const timesOf = async () =>
  (await listed()).map(({ start, title }: { start: string; title: string }) => `${start} ${title}`);

const starts = ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14'].map(
  (date) => `${date}T08:00:00.000Z`,
);

describe('occurrence in a list', () => {
  it('names its series and its original start', async () => {
    const { id } = await made(ann, weekly);
    await updateOccurrence(ann, id, '2026-12-07', { start: '2026-12-08T12:00' });
    const once = await made(ann, { start: '2027-01-05T09:00', end: '2027-01-05T10:00' });
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
    expect(shown((await look(ann, id)).body.data)).toEqual([id, null, null, null]);
    const today = await call('GET /api/dashboard/calendar', { token: ann.token });
    expect(today.body.data).toEqual([]);
  });

  it('is accepted unchanged by PUT and changes nothing', async () => {
    const { id } = await made(ann, {
      ...weekly,
      description: 'D',
      attendees: [(await newGuest()).id],
    });
    await updateOccurrence(ann, id, '2026-12-07', { start: '2026-12-08T12:00', title: 'Special' });
    const before = (await look(ann, id)).body.data;
    for (const item of await listed()) {
      for (const response of [
        await change(ann, id, item),
        await change(ann, id, { ...item, start: item.start.replace('.000Z', '+00:00') }),
      ]) {
        expect([response.status, response.body.message]).toEqual([200, 'Saved']);
        expect(response.body.data).toEqual({ ...before, ...item });
      }
      const one = await updateOccurrence(ann, id, item.occurrenceStart, item);
      expect([one.status, one.body.data]).toEqual([200, before]);
    }
    const whole = await change(ann, id, before);
    expect([whole.status, whole.body.data]).toEqual([200, before]);
    expect(await entriesAbout(`event:${id}`)).toHaveLength(2);
  });

  it('is changed alone by PUT with another title or time', async () => {
    const { id } = await made(ann, weekly);
    const [, second, third] = await listed();
    const renamed = await change(ann, id, { ...second, title: 'Review' });
    expect(renamed.body.data).toMatchObject({
      ...{ id, seriesId: id, occurrenceStart: starts[1] },
      ...{ title: 'Review', start: starts[1], version: 2 },
      overrides: [{ recurrenceId: starts[1], title: 'Review' }],
    });
    // Sends the occurrence with the version that the list returned.
    const moved = await change(ann, id, {
      ...third,
      start: '2026-12-08T11:00:00Z',
      end: '2026-12-08T11:30:00Z',
    });
    expect(moved.body.data).toMatchObject({
      ...{ occurrenceStart: starts[2], start: '2026-12-08T11:00:00.000Z' },
      end: '2026-12-08T11:30:00.000Z',
    });
    expect((await look(ann, id)).body.data).toMatchObject({ title: 'Stand-up', start: starts[0] });
    expect(await timesOf()).toEqual([
      `${starts[0]} Stand-up`,
      `${starts[1]} Review`,
      '2026-12-08T11:00:00.000Z Stand-up',
      `${starts[3]} Stand-up`,
    ]);
    const back = await change(ann, id, { ...renamed.body.data, title: 'Stand-up' });
    expect(back.body.data.overrides).toMatchObject([{ recurrenceId: starts[2] }]);
  });

  it('changes fields of the series that all occurrences share', async () => {
    const { id } = await made(ann, weekly);
    const [, second] = await listed();
    const { body } = await change(ann, id, {
      ...second,
      description: 'In Room 2',
      title: 'Review',
    });
    expect(body.data).toMatchObject({ description: 'In Room 2', title: 'Review' });
    const event = (await look(ann, id)).body.data;
    expect(event).toMatchObject({ description: 'In Room 2', title: 'Stand-up', start: starts[0] });
    const stale = await change(ann, id, { ...second, description: 'Elsewhere' });
    expect([stale.status, stale.body.error.details]).toEqual([
      400,
      [{ field: 'version', message: 'is now 2; fetch the record again' }],
    ]);
    const alone = await updateOccurrence(ann, id, starts[1] ?? '', { ...body.data, color: 'teal' });
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
    const { id } = await made(ann, weekly);
    const { status, body: response } = await change(ann, id, body);
    expect([status, response.error.details[0].field]).toEqual([400, field]);
    expect(await timesOf()).toEqual(starts.map((start) => `${start} Stand-up`));
  });
});

describe('recurring task on the dashboard', () => {
  const tasks = async () =>
    (await call('GET /api/dashboard/tasks', { token: ann.token })).body.data;

  it('is done for the day after PUT with the status done', async () => {
    const { id } = await made(ann, { ...weekly, type: 'task', rrule: 'FREQ=DAILY' });
    const [task] = await tasks();
    expect(task).toMatchObject({ ...{ id, seriesId: id }, occurrenceStart: starts[0] });
    const { status, body } = await change(ann, id, { ...task, status: 'done' });
    expect([status, body.data.status]).toEqual([200, 'done']);
    expect(await tasks()).toMatchObject([
      { id, status: 'pending', occurrenceStart: '2026-11-24T08:00:00.000Z' },
    ]);
    expect((await look(ann, id)).body.data.status).toBe('pending');
    await updateOccurrence(ann, id, '2026-11-24', { title: 'Special', status: 'in_progress' });
    expect(await tasks()).toMatchObject([{ title: 'Special', status: 'in_progress' }]);
  });

  it('is updated itself if it does not recur', async () => {
    const { id } = await made(ann, { type: 'task' });
    const [task] = await tasks();
    expect(task).toMatchObject({ id, seriesId: null, occurrenceStart: null });
    expect((await change(ann, id, { ...task, status: 'done' })).status).toBe(200);
    expect(await tasks()).toEqual([]);
  });
});
