import { describe, expect, it, vi } from 'vitest';
import { eventReminders } from '../../../../functions/api/calendar/reminders/reminders.ts';
import {
  cancel,
  cancelOccurrence,
  change,
  made,
  updateOccurrence,
} from '../../../support/calendar/calendar.ts';
import {
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
import { pass } from '../../../support/run/virtual-time.ts';
import { runJobs, runMinute } from '../../../support/service/jobs.ts';
import { mailsTo } from '../../../support/service/mail.ts';
import { sweep } from '../../../support/service/sweeps.ts';
import { itemsOf } from '../../../support/table/table.ts';
import { signInAgain } from '../../../support/users/use-people.ts';

const people = usePlanners();

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
    await change(await signInAgain(people.ann), id, hourIn(60));
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
      sweep(eventReminders),
      change(people.ann, id, at),
      sweep(eventReminders),
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

const timezone = 'Europe/Berlin';
const at = (time: string) => vi.setSystemTime(Date.parse(time));

/** Creates a six-day series with a reminder. Each test uses a later month, because the clock only advances. */
const newSeries = async (month: string) => {
  at(`${month}-22T12:00:00Z`);
  const planner = await signInAgain(people.ann);
  const { id } = await made(planner, {
    start: `${month}-23T09:00`,
    end: `${month}-23T10:00`,
    timezone,
    rrule: 'FREQ=DAILY;COUNT=6',
    reminders: [10],
    attendees: [people.bob.id],
  });
  return { id, planner };
};

const toHalfPastTen = (month: string) => ({
  start: `${month}-23T10:30`,
  end: `${month}-23T11:30`,
  timezone,
});

/** Sends the remaining reminders and returns their times. */
const turnsOf = async (id: number): Promise<string[]> => {
  const seen: string[] = [];
  for (let turns = 0; turns < 10; turns++) {
    const [item] = await planned(id);
    if (!item) break;
    seen.push(String(item['at']));
    at(String(item['at']));
    await turn();
  }
  return seen;
};

describe('reminder of a moved series', () => {
  it('is sent at the new times, except for canceled occurrences', async () => {
    const { id, planner } = await newSeries('2028-03');
    await cancelOccurrence(planner, id, '2028-03-24');
    await updateOccurrence(planner, id, '2028-03-25', { start: '2028-03-25T15:00' });
    expect(await planned(id)).toMatchObject([{ at: '2028-03-23T07:50:00.000Z' }]);
    expect((await change(planner, id, toHalfPastTen('2028-03'))).status).toBe(200);
    expect(await turnsOf(id)).toEqual([
      '2028-03-23T09:20:00.000Z',
      // The moved occurrence is also 90 minutes later.
      '2028-03-25T15:20:00.000Z',
      // DST starts on that day.
      '2028-03-26T08:20:00.000Z',
      '2028-03-27T08:20:00.000Z',
      '2028-03-28T08:20:00.000Z',
    ]);
    expect(await count(people.ann, people.bob)).toEqual([5, 5]);
    const mails = await mailsTo(people.ann.email);
    expect(mails.map(({ text }) => /: (.*) \(/.exec(text)?.[1])).toEqual([
      'Thursday, 23 March 2028 at 10:30',
      'Saturday, 25 March 2028 at 16:30',
      'Sunday, 26 March 2028 at 10:30',
      'Monday, 27 March 2028 at 10:30',
      'Tuesday, 28 March 2028 at 10:30',
    ]);
  });

  it('is dropped if it is queued and sent at the new time', async () => {
    const { id, planner } = await newSeries('2028-04');
    at('2028-04-23T06:50:00Z');
    await runMinute();
    expect(await leftJobs()).toHaveLength(1);
    const signedIn = await signInAgain(planner);
    expect((await change(signedIn, id, toHalfPastTen('2028-04'))).status).toBe(200);
    vi.setSystemTime(Date.now() + 1);
    await runJobs();
    expect(await count(people.ann, people.bob)).toEqual([0, 0]);
    at('2028-04-23T08:20:00Z');
    await turn();
    expect(await count(people.ann, people.bob)).toEqual([1, 1]);
  });
});
