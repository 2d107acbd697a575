import { describe, expect, it } from 'vitest';
import { sendReminders } from '../../../../functions/api/calendar/reminders/reminders.ts';
import { cancel, change, made } from '../../../support/calendar/calendar.ts';
import {
  again,
  count,
  hourIn,
  inMinutes,
  leftJobs,
  minuteMs,
  planned,
  remindersOf,
  turn,
  usePlanners,
} from '../../../support/calendar/reminders.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import {
  deadJobs,
  runMinute,
  sendBody,
  useJobs,
  withoutQueue,
} from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';

useTable();
useJobs();
useMail();
useVirtualTime('2026-11-21T12:00:00Z');

const people = usePlanners();

describe('reminder', () => {
  it('is sent once if its job is delivered again', async () => {
    await made(people.ann, { ...hourIn(10), reminders: [5], attendees: [people.bob.id] });
    pass(5 * minuteMs);
    await runMinute();
    const [body = ''] = await leftJobs();
    await turn();
    await sendBody(body);
    await sendBody(body);
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([1, 1]);
    expect(await mailsTo(people.ann.email)).toHaveLength(1);
    expect(await mailsTo(people.bob.email)).toHaveLength(1);
    expect(await deadJobs()).toEqual([]);
  });

  it('is sent once by concurrent scheduled runs', async () => {
    const { id } = await made(people.ann, {
      ...hourIn(10),
      reminders: [5],
      attendees: [people.bob.id],
    });
    pass(5 * minuteMs);
    await Promise.all([sendReminders(), sendReminders(), sendReminders()]);
    expect(await planned(id)).toEqual([]);
    expect(await leftJobs()).toHaveLength(1);
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([1, 1]);
    expect(await mailsTo(people.bob.email)).toHaveLength(1);
  });

  it('is sent late after an outage, only the last of several', async () => {
    await made(people.ann, { start: inMinutes(50), end: inMinutes(170), reminders: [40, 5] });
    pass(110 * minuteMs);
    await turn();
    await turn();
    expect(await count(people.ann)).toEqual([1]);
    expect(await mailsTo(people.ann.email)).toHaveLength(1);
  });

  it('is not sent after the end of the event', async () => {
    const { id } = await made(people.ann, { ...hourIn(20), reminders: [10] });
    pass(81 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([0]);
    expect(await planned(id)).toEqual([]);
  });

  it('is sent once after the queue was unavailable', async () => {
    await made(people.ann, { ...hourIn(10), reminders: [5] });
    pass(5 * minuteMs);
    await withoutQueue(async () => {
      await runMinute();
      await runMinute();
    });
    expect(await count(people.ann)).toEqual([0]);
    await turn();
    expect(await count(people.ann)).toEqual([1]);
  });
});

describe('reminder of a changed event', () => {
  it('is sent for the new time', async () => {
    const { id } = await made(people.ann, { ...hourIn(30), reminders: [10] });
    await change(people.ann, id, hourIn(60));
    pass(20 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([0]);
    pass(30 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([1]);
  });

  it('is sent again if it was sent for the previous time', async () => {
    const { id } = await made(people.ann, { ...hourIn(15), reminders: [10] });
    pass(5 * minuteMs);
    await turn();
    await change(await again(people.ann), id, hourIn(60));
    pass(50 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([2]);
  });

  it('is not sent for a canceled event', async () => {
    const { id } = await made(people.ann, {
      ...hourIn(15),
      reminders: [10],
      attendees: [people.bob.id],
    });
    await cancel(people.ann, id);
    expect(await itemsOf(`EVENT#${id}`)).toEqual([]);
    pass(5 * minuteMs);
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([0, 0]);
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['moved', (id) => change(people.ann, id, hourIn(120))],
    ['canceled', (id) => cancel(people.ann, id)],
  ])('is not sent for an event that was %s after the scheduled run', async (_, act) => {
    const { id } = await made(people.ann, { ...hourIn(15), reminders: [10] });
    pass(5 * minuteMs);
    await runMinute();
    await act(id);
    await turn();
    expect(await count(people.ann)).toEqual([0]);
    expect(await mailsTo(people.ann.email)).toEqual([]);
  });

  it('is kept if it is due and awaits the scheduled run', async () => {
    const { id } = await made(people.ann, { ...hourIn(15), reminders: [10] });
    pass(5 * minuteMs + 30_000);
    await change(people.ann, id, { reminders: [10, 2] });
    await turn();
    expect(await count(people.ann)).toEqual([1]);
    pass(8 * minuteMs);
    await turn();
    expect(await count(people.ann)).toEqual([2]);
  });

  it('is deleted if the event has no reminders left', async () => {
    const { id } = await made(people.ann, { ...hourIn(15), reminders: [10] });
    expect(await planned(id)).toHaveLength(1);
    await change(people.ann, id, { reminders: null });
    expect(await planned(id)).toEqual([]);
  });

  it('is not scheduled for a past event', async () => {
    const { id } = await made(people.ann, { ...hourIn(-120), reminders: [10] });
    expect(await planned(id)).toEqual([]);
    await change(people.ann, id, hourIn(15));
    expect(await planned(id)).toMatchObject([{ at: inMinutes(5) }]);
  });

  it('is sent once if the event changes during a scheduled run', async () => {
    const { id } = await made(people.ann, { ...hourIn(15), reminders: [10] });
    pass(5 * minuteMs);
    const at = hourIn(16);
    await Promise.all([
      sendReminders(),
      change(people.ann, id, at),
      sendReminders(),
      change(people.ann, id, at),
    ]);
    await turn();
    pass(6 * minuteMs);
    await turn();
    // The first reminder depends on the order of job and change; the second is always sent.
    const contents = (await remindersOf(people.ann)).map(({ content }) => content);
    expect(new Set(contents).size).toBe(contents.length);
    expect(contents.length).toBeGreaterThanOrEqual(1);
    expect(await planned(id)).toEqual([]);
  });
});
