import { describe, expect, it } from 'vitest';
import { listOpenTasks } from '../../../functions/api/calendar/events/tasks.ts';
import { listEventsOfDay } from '../../../functions/api/calendar/events/window.ts';
import {
  cancelOccurrence,
  change,
  halfHour,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

describe('events and tasks on the dashboard', () => {
  it('include the events of a day in a time zone', async () => {
    const [bob, gus] = [await newPlanner(), await newGuest()];
    await made(bob, { title: 'All day', start: '2026-11-21', end: null, attendees: [gus.id] });
    await made(bob, {
      title: 'Daily',
      ...halfHour('2026-11-01', '23'),
      rrule: 'FREQ=DAILY',
      attendees: [gus.id],
    });
    await made(bob, { title: 'Another day', ...halfHour('2026-11-25'), attendees: [gus.id] });
    const on = async (zone: string, date?: string) =>
      (await listEventsOfDay(gus.id, zone, date)).map(({ event, start }) => [
        event.title,
        new Date(start).toISOString(),
      ]);
    expect(await on('UTC')).toEqual([
      ['All day', '2026-11-21T00:00:00.000Z'],
      ['Daily', '2026-11-21T23:00:00.000Z'],
    ]);
    expect(await on('Asia/Tokyo')).toEqual([
      ['All day', '2026-11-21T00:00:00.000Z'],
      ['Daily', '2026-11-20T23:00:00.000Z'],
    ]);
    expect((await on('UTC', '2026-11-25')).map(([title]) => title)).toEqual([
      'Another day',
      'Daily',
    ]);
  });

  it("include the caller's open tasks, earliest due first", async () => {
    const [bob, gus] = [await newPlanner(), await newPlanner()];
    const task = { type: 'task', attendees: [gus.id] };
    const late = await made(bob, { ...task, title: 'Late', ...halfHour('2026-12-01') });
    await made(bob, { ...task, title: 'Overdue', ...halfHour('2026-01-01') });
    await made(bob, { ...task, title: 'Done', status: 'done', ...halfHour('2026-01-01') });
    await made(bob, { title: 'Meeting', ...halfHour('2026-01-01') });
    const daily = await made(bob, {
      ...task,
      title: 'Daily',
      ...halfHour('2026-01-01'),
      rrule: 'FREQ=DAILY',
    });
    const due = async () =>
      (await listOpenTasks(bob.id)).map(({ event, dueDate }) => [event.title, dueDate]);
    expect(await due()).toEqual([
      ['Overdue', '2026-01-01T09:30:00.000Z'],
      ['Daily', '2026-11-22T09:30:00.000Z'],
      ['Late', '2026-12-01T09:30:00.000Z'],
    ]);
    await updateOccurrence(bob, daily.id, '2026-11-22', { status: 'done' });
    await cancelOccurrence(bob, daily.id, '2026-11-23');
    await change(bob, late.id, { ...halfHour('2026-02-01') });
    expect(await due()).toEqual([
      ['Overdue', '2026-01-01T09:30:00.000Z'],
      ['Late', '2026-02-01T09:30:00.000Z'],
      ['Daily', '2026-11-24T09:30:00.000Z'],
    ]);
    expect(await listOpenTasks(gus.id)).toEqual([]);
  });
});
