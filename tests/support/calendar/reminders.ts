import { beforeEach, vi } from 'vitest';
import { pass } from '../run/virtual-time.ts';
import { runJobs, runMinute } from '../service/jobs.ts';
import { itemsOf } from '../table/table.ts';
import { login, type Person } from '../users/test-users.ts';
import { newGuest, newPlanner } from './calendar.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** Gives each test two people of its own, on a day of its own: no reminder of one test is left for the next. */
export const usePlanners = () => {
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

/** A minute's sweep, and all jobs that it and the jobs leave behind; they are sent a moment later. */
export const turn = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) {
    await runMinute();
    pass(1);
    await runJobs();
    pass(1);
  }
};

/** The jobs that the sweeps have left behind. */
export const leftJobs = async (): Promise<string[]> =>
  (await itemsOf('OUTBOX'))
    .map(({ message }) => String(message))
    .filter((message) => message.includes('"event-reminder"'));

/** A time, of ms since 1970, in ISO 8601. */
export const iso = (ms: number) => new Date(ms).toISOString();
export const inMinutes = (minutes: number) => iso(Date.now() + minutes * minuteMs);

/** An hour that begins so many minutes from now. */
export const hourIn = (minutes: number) => ({
  start: inMinutes(minutes),
  end: inMinutes(minutes + 60),
});

/** Signed in again: a token is good for less than most reminders take. */
export const again = async (person: Person): Promise<Person> => ({
  ...person,
  token: (await login(person.email)).body.accessToken,
});

/** The reminders among a user's notifications, the oldest first. */
export const remindersOf = async ({ id }: Person) =>
  (await itemsOf(`USER#${id}`)).filter(
    ({ sk, title }) => String(sk).startsWith('NOTIFICATION#') && String(title).endsWith('reminder'),
  );

/** How many reminders each of these people has got. */
export const count = async (...people: Person[]): Promise<number[]> =>
  Promise.all(people.map(async (person) => (await remindersOf(person)).length));

/** When an event is to be looked at next for its reminders. */
export const planned = async (id: number) => (await itemsOf(`EVENT#${id}`)).filter(({ at }) => at);
