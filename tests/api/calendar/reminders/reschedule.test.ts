import { expect, it, vi } from 'vitest';
import {
  cancelOccurrence,
  change,
  made,
  updateOccurrence,
} from '../../../support/calendar/calendar.ts';
import {
  again,
  count,
  leftJobs,
  planned,
  turn,
  usePlanners,
} from '../../../support/calendar/reminders.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { runJobs, runMinute, useJobs } from '../../../support/service/jobs.ts';
import { mailsTo, useMail } from '../../../support/service/mail.ts';
import { useTable } from '../../../support/table/table.ts';

useTable();
useJobs();
useMail();
useVirtualTime('2028-03-20T12:00:00Z');

const people = usePlanners();

const timezone = 'Europe/Berlin';
const at = (time: string) => vi.setSystemTime(Date.parse(time));

/** Creates a six-day series with a reminder. Each test uses a later month, because the clock only advances. */
const newSeries = async (month: string) => {
  at(`${month}-22T12:00:00Z`);
  const planner = await again(people.ann);
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

it('sends the reminders of a moved series at its new times, except canceled ones', async () => {
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

it('drops a queued reminder of a moved series and sends it at the new time', async () => {
  const { id, planner } = await newSeries('2028-04');
  at('2028-04-23T06:50:00Z');
  await runMinute();
  expect(await leftJobs()).toHaveLength(1);
  const signedIn = await again(planner);
  expect((await change(signedIn, id, toHalfPastTen('2028-04'))).status).toBe(200);
  vi.setSystemTime(Date.now() + 1);
  await runJobs();
  expect(await count(people.ann, people.bob)).toEqual([0, 0]);
  at('2028-04-23T08:20:00Z');
  await turn();
  expect(await count(people.ann, people.bob)).toEqual([1, 1]);
});

it('sends no reminders of canceled occurrences in a moved series', async () => {
  const { id, planner } = await newSeries('2028-05');
  await change(planner, id, toHalfPastTen('2028-05'));
  for (const day of ['2028-05-23', '2028-05-26', '2028-05-28']) {
    expect((await cancelOccurrence(planner, id, day)).status).toBe(200);
  }
  expect(await turnsOf(id)).toEqual([
    '2028-05-24T08:20:00.000Z',
    '2028-05-25T08:20:00.000Z',
    '2028-05-27T08:20:00.000Z',
  ]);
  expect(await count(people.ann, people.bob)).toEqual([3, 3]);
});
