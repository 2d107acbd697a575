import { beforeEach, vi } from 'vitest';
import { pass, useVirtualTime } from '../run/virtual-time.ts';
import { queuedJobs, runJobs, runMinute, useJobs } from '../service/jobs.ts';
import { useMail } from '../service/mail.ts';
import { itemsOf, useTable } from '../table/table.ts';
import type { Person } from '../users/test-users.ts';
import { newGuest, newPlanner } from './calendar.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** Starts the engines, and creates two users on a separate day for each test, so that no reminders remain for the next. */
export const usePlanners = () => {
  useTable();
  useJobs();
  useMail();
  useVirtualTime('2026-11-21T12:00:00Z');
  const people = {} as { ann: Person; bob: Person };
  beforeEach(async () => {
    pass(24 * hourMs);
    await turn();
    vi.setSystemTime(Math.ceil(Date.now() / minuteMs) * minuteMs);
    people.ann = await newPlanner();
    people.bob = await newGuest();
  });
  return people;
};

/** Executes a scheduled run and all jobs that follow from it. Jobs are sent a moment later. */
export const turn = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) {
    await runMinute();
    pass(1);
    await runJobs();
    pass(1);
  }
};

/** Returns the jobs that the scheduled runs have stored, or sent to the queue already. */
export const leftJobs = async (): Promise<string[]> => {
  const stored = (await itemsOf('OUTBOX')).map(({ message }) => String(message));
  return [...stored, ...(await queuedJobs())].filter((one) => one.includes('"event-reminder"'));
};

/** Formats a Unix time in ms as ISO 8601. */
export const iso = (ms: number) => new Date(ms).toISOString();
export const inMinutes = (minutes: number) => iso(Date.now() + minutes * minuteMs);

/** Returns an hour that starts n minutes from now. */
export const hourIn = (minutes: number) => ({
  start: inMinutes(minutes),
  end: inMinutes(minutes + 60),
});

/** Returns a user's reminder notifications, oldest first. */
export const remindersOf = async ({ id }: Person) =>
  (await itemsOf(`USER#${id}`)).filter(
    ({ sk, title }) => String(sk).startsWith('NOTIFICATION#') && String(title).endsWith('reminder'),
  );

/** Counts the reminders that each of these users has received. */
export const count = async (...people: Person[]): Promise<number[]> =>
  Promise.all(people.map(async (person) => (await remindersOf(person)).length));

/** Returns the scheduled reminder of an event. */
export const planned = async (id: number) => (await itemsOf(`EVENT#${id}`)).filter(({ at }) => at);
