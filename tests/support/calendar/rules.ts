import { describe, expect, it } from 'vitest';
import fc from '../run/properties.ts';
import { useVirtualTime } from '../run/virtual-time.ts';
import { useTable } from '../table/table.ts';
import type { Person } from '../users/test-users.ts';
import { cancel, cancelOccurrence, create, newPlanner, updateOccurrence } from './calendar.ts';
import { answered, expand, newFeed, textOf } from './feed.ts';

/** Contains a DST change of each zone below that has DST. */
const window = ['2027-03-01T00:00:00.000Z', '2027-04-20T00:00:00.000Z'] as const;

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Pacific/Apia',
];
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const some = <T>(values: readonly T[], max = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: max });
const numbers = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 });

const part = (name: string, values: fc.Arbitrary<readonly unknown[]>) =>
  fc.option(values, { nil: undefined }).map((list) => (list ? [`${name}=${list.join(',')}`] : []));

const ofDaily = fc.tuple(part('BYMONTH', numbers(2, 5)), part('BYDAY', some(days)));
const ofWeekly = fc.tuple(
  part('BYDAY', some(days)),
  part(
    'WKST',
    fc.constantFrom(...days).map((day) => [day]),
  ),
);
const ofMonthly = fc.oneof(
  fc.tuple(part('BYMONTHDAY', fc.oneof(numbers(1, 31), numbers(-31, -1)))),
  fc.tuple(
    part(
      'BYDAY',
      fc
        .tuple(fc.constantFrom(-2, -1, 1, 2, 3, 4), fc.constantFrom(...days))
        .map(([nth, day]) => [`${nth}${day}`]),
    ),
  ),
  fc.constantFrom([['BYDAY=MO,TU,WE,TH,FR', 'BYSETPOS=-1']], [['BYDAY=SA,SU', 'BYSETPOS=1,2']]),
);
const ofYearly = fc.tuple(
  numbers(3, 4).map((months) => [`BYMONTH=${months.join(',')}`]),
  fc.oneof(
    part('BYMONTHDAY', numbers(1, 31)),
    part('BYDAY', fc.constantFrom(['2SU'], ['-1SU'], ['1MO'])),
  ),
);

const rule = fc
  .oneof(
    ofDaily.map((parts) => ['FREQ=DAILY', ...parts.flat()]),
    ofWeekly.map((parts) => ['FREQ=WEEKLY', ...parts.flat()]),
    ofMonthly.map((parts) => ['FREQ=MONTHLY', ...parts.flat()]),
    ofYearly.map((parts) => ['FREQ=YEARLY', ...parts.flat()]),
  )
  .chain((parts) =>
    fc
      .tuple(
        fc.option(fc.integer({ min: 2, max: 3 }), { nil: 1 }),
        fc.oneof(
          fc.constant([]),
          fc.integer({ min: 1, max: 40 }).map((count) => [`COUNT=${count}`]),
          fc.integer({ min: 10, max: 30 }).map((day) => [`UNTIL=202704${day}T023000Z`]),
        ),
      )
      .map(([interval, end]) => [...parts, `INTERVAL=${interval}`, ...end].join(';')),
  );

const event = fc.record({
  rrule: rule,
  timezone: fc.constantFrom(...zones),
  allDay: fc.boolean(),
  date: fc.constantFrom('2026-12-31', '2027-01-29', '2027-02-14', '2027-03-05'),
  time: fc.constantFrom('00:00', '00:30', '01:45', '02:00', '02:30', '09:00', '23:59'),
  minutes: fc.constantFrom(0, 15, 25),
  cancelled: fc.boolean(),
  movedBy: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }),
});

const plus = (time: string, minutes: number) =>
  new Date(Date.parse(`${time}Z`) + minutes * 60_000).toISOString().slice(0, 19);

/**
 * Creates events with random rules, cancels and moves some of their occurrences, and compares the feed in an independent
 * parser with the API.
 */
const checkRules = async (ann: Person, feed: string, numRuns: number): Promise<void> => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(event, async (given) => {
      const { allDay, date, time, minutes, timezone } = given;
      // UNTIL has no time for an all-day event.
      const rrule = allDay ? given.rrule.replace(/T023000Z/, '') : given.rrule;
      const start = allDay ? date : `${date}T${time}`;
      const end = allDay ? null : plus(`${date}T${time}`, minutes);
      const { status, body } = await create(ann, { start, end, rrule, timezone });
      fc.pre(status === 201);
      const { id } = body.data;
      const firsts = (await answered(ann, ...window)).map((one) => one.start);
      if (given.cancelled && firsts[0]) await cancelOccurrence(ann, id, firsts[0]);
      if (given.movedBy !== undefined && firsts[1]) {
        const to = plus(firsts[1].slice(0, 10).concat('T00:00'), given.movedBy * 24 * 60 + 90);
        const at = allDay ? to.slice(0, 10) : `${to}Z`;
        await updateOccurrence(ann, id, firsts[1], { start: at, title: 'Moved' });
      }
      const [text, expected] = [await textOf(feed), await answered(ann, ...window)];
      await cancel(ann, id);
      shown += expected.length;
      expect({ rrule: body.data.rrule, found: expand(text, ...window) }).toEqual({
        rrule: body.data.rrule,
        found: expected,
      });
    }),
    { numRuns },
  );
  expect(shown).toBeGreaterThan(numRuns);
};

/** Defines the test of the feed with this number of random rules. */
export const testRules = (numRuns: number): void => {
  useTable();
  // All occurrences in the window are upcoming.
  useVirtualTime('2027-03-01T12:00:00Z');
  describe('recurrence rule in the feed', () => {
    it('has the same occurrences in an independent parser as in the API', async () => {
      const ann = await newPlanner();
      await checkRules(ann, await newFeed(ann), numRuns);
    }, 900_000);
  });
};
