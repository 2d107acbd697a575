import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import type { GivenTimes } from '../../../functions/api/calendar/events/apply-edit.ts';
import { create, remove, update } from '../../../functions/api/calendar/events/events.ts';
import { readOccurrences } from '../../../functions/api/calendar/events/occurrence-list.ts';
import { toTimeField } from '../../../functions/api/calendar/record/event.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import fc from '../../support/run/properties.ts';
import { useTable } from '../../support/table/table.ts';
import { change, updateOne } from '../support/calendar/changes.ts';

useTable();

const { PlainDateTime } = Temporal;
type Local = Temporal.PlainDateTime;

const actor = { user: { id: 7, name: 'Ann' } } as unknown as Actor;

/** Expected series in local times, calculated only with Temporal. */
interface Series {
  readonly zone: string;
  readonly allDay: boolean;
  readonly start: Local;
  readonly minutes: number;
  readonly unit: 'days' | 'weeks' | 'months';
  readonly every: number;
  readonly count: number;
  /** Contains the starts by the rule. */
  readonly cancelled: ReadonlySet<string>;
  readonly changed: ReadonlyMap<string, Changed>;
}

interface Changed {
  readonly title: string | undefined;
  /** Set only if the occurrence was moved. */
  readonly start: Temporal.Instant | undefined;
  readonly minutes: number | undefined;
}

const dayMinutes = 24 * 60;
/** Rounds minutes up to whole days, at least one. */
const inDays = (minutes: number) => Math.max(1, Math.ceil(minutes / dayMinutes)) * dayMinutes;
const instantIn = (zone: string, local: Local) => local.toZonedDateTime(zone).toInstant();
const clockOf = ({ zone, allDay }: Series) => (allDay ? 'UTC' : zone);
const localIn = (zone: string, at: Temporal.Instant) =>
  at.toZonedDateTimeISO(zone).toPlainDateTime();
const exists = (zone: string, local: Local) => localIn(zone, instantIn(zone, local)).equals(local);

/** Returns the starts of the occurrences by the rule. */
const startsOf = (series: Series): Local[] => {
  const { start, unit, every, count } = series;
  const starts: Local[] = [];
  for (let at = 0; starts.length < count; at++) {
    const local = start.add({ [unit]: at * every });
    const isThere = unit !== 'months' || local.day === start.day;
    if (isThere && exists(clockOf(series), local)) starts.push(local);
  }
  return starts;
};

const move = (
  before: Series,
  to: {
    readonly start: Local;
    readonly zone: string;
    readonly allDay: boolean;
    readonly minutes: number;
  },
): Series => {
  const zone = to.allDay ? 'UTC' : to.zone;
  const asked = to.allDay ? to.start.toPlainDate().toPlainDateTime() : to.start;
  // A time in a DST gap moves forward by the length of the gap.
  const start = localIn(zone, instantIn(zone, asked));
  const minutes = to.allDay ? inDays(to.minutes) : to.minutes;
  const plain: Series = {
    ...before,
    ...{ zone: to.zone, allDay: to.allDay, start, minutes },
    ...{ cancelled: new Set<string>(), changed: new Map<string, Changed>() },
  };
  const known = new Set(startsOf(plain).map(String));
  const shifted = (local: Local): Local =>
    to.allDay
      ? local
          .toPlainDate()
          .add(start.toPlainDate().since(before.start.toPlainDate()))
          .toPlainDateTime()
      : local.add(start.since(before.start));
  const isStill =
    start.equals(before.start) && before.zone === to.zone && before.allDay === to.allDay;
  const moved = (at: Temporal.Instant) =>
    isStill ? at : instantIn(zone, shifted(localIn(clockOf(before), at)));
  const keys = (some: Iterable<string>) =>
    [...some].map((key) => [key, String(shifted(PlainDateTime.from(key)))] as const);
  const lengthOf = (own: number | undefined) =>
    own !== undefined && to.allDay ? inDays(own) : own;
  const changed = new Map<string, Changed>();
  for (const [key, next] of keys(before.changed.keys())) {
    const one = before.changed.get(key);
    if (!one || !known.has(next)) continue;
    changed.set(next, {
      ...one,
      start: one.start && moved(one.start),
      minutes: lengthOf(one.minutes === before.minutes ? undefined : one.minutes),
    });
  }
  const cancelled = keys(before.cancelled).map(([, next]) => next);
  return { ...plain, cancelled: new Set(cancelled.filter((key) => known.has(key))), changed };
};

const iso = (series: Series, at: Temporal.Instant): string =>
  toTimeField(series, at.epochMilliseconds);

/** Returns the expected occurrences of the series. */
const seenOf = (series: Series): string[] =>
  startsOf(series)
    .filter((local) => !series.cancelled.has(String(local)))
    .map((local) => {
      const by = instantIn(clockOf(series), local);
      const one = series.changed.get(String(local));
      const start = one?.start ?? by;
      const end = start.add({ minutes: one?.minutes ?? series.minutes });
      return `${iso(series, by)}: ${one?.title ?? 'An event'} ${iso(series, start)} ${iso(series, end)}`;
    })
    .sort();

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'];
/** Close to DST changes and the missing day in Samoa. */
const dates = ['2026-10-20', '2027-03-10', '2027-03-26', '2011-12-25', '2027-01-29'];
const times = ['00:00', '00:30', '01:45', '02:15', '02:30', '09:00', '23:30'];
const lengths = [0, 30, 90, dayMinutes];

const zone = fc.constantFrom(...zones);
const local = fc
  .tuple(fc.constantFrom(...dates), fc.constantFrom(...times))
  .map(([date, time]) => PlainDateTime.from(`${date}T${time}`));
const minutes = fc.constantFrom(...lengths);
const begin = fc.record({
  zone,
  allDay: fc.boolean(),
  start: local,
  minutes,
  unit: fc.constantFrom('days' as const, 'weeks' as const, 'months' as const),
  every: fc.integer({ min: 1, max: 3 }),
  count: fc.integer({ min: 2, max: 12 }),
});
const index = fc.nat(11);
const Operation = fc.oneof(
  fc.record({ kind: fc.constant('cancel' as const), index }),
  fc.record({
    kind: fc.constant('change' as const),
    index,
    title: fc.option(fc.constant('Special'), { nil: undefined }),
    byMinutes: fc.constantFrom(undefined, 75, -3 * dayMinutes, 2 * dayMinutes + 30),
    minutes: fc.option(fc.constantFrom(45, 2 * dayMinutes), { nil: undefined }),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      days: fc.integer({ min: -40, max: 40 }),
      time: fc.option(fc.constantFrom(...times), { nil: undefined }),
      zone: fc.option(zone, { nil: undefined }),
      allDay: fc.option(fc.boolean(), { nil: undefined }),
      minutes: fc.option(minutes, { nil: undefined }),
    }),
  },
);
type Operation = typeof Operation extends fc.Arbitrary<infer T> ? T : never;

const letters = { days: 'DAILY', weeks: 'WEEKLY', months: 'MONTHLY' } as const;

const timesOf = (series: Series): GivenTimes & { readonly start: string } => {
  const { start, allDay, zone: timezone, minutes: length } = series;
  const at = instantIn(clockOf(series), start);
  return {
    start: iso(series, at),
    end: iso(series, at.add({ minutes: length })),
    ...{ allDay, timezone },
  };
};

const fields = {
  ...{ title: 'An event', description: undefined, color: undefined, location: undefined },
  ...{ type: 'meeting' as const, priority: 'medium' as const, status: 'pending' as const },
  reminders: [],
};

/** Applies an operation to the service and the model and returns the new series. */
const apply = async (id: number, seen: Series, operation: Operation): Promise<Series> => {
  if (operation.kind === 'move') {
    const { days, time } = operation;
    const start = seen.start.add({ days });
    const to = {
      start: time === undefined ? start : start.withPlainTime(time),
      zone: operation.zone ?? seen.zone,
      allDay: operation.allDay ?? seen.allDay,
      minutes: operation.minutes ?? seen.minutes,
    };
    const after = move(seen, to);
    const edit = { times: timesOf(after) };
    const target = { id, occurrenceStart: undefined };
    const { removed } = await update(actor, target, () => edit, undefined, change);
    expect(removed).toEqual({
      cancelled: seen.cancelled.size - after.cancelled.size,
      changed: seen.changed.size - after.changed.size,
    });
    return after;
  }
  const starts = startsOf(seen);
  const at = starts[operation.index % starts.length] as Local;
  const key = String(at);
  if (seen.cancelled.has(key)) return seen;
  const by = instantIn(clockOf(seen), at);
  const changed = new Map(seen.changed);
  if (operation.kind === 'cancel') {
    await updateOne(actor, id, iso(seen, by), 'cancel');
    changed.delete(key);
    return { ...seen, changed, cancelled: new Set(seen.cancelled).add(key) };
  }
  const { title, byMinutes, minutes: length } = operation;
  const shift = seen.allDay ? Math.trunc((byMinutes ?? 0) / dayMinutes) * dayMinutes : byMinutes;
  const start = by.add({ minutes: shift ?? 0 });
  const own = seen.allDay ? inDays(length ?? seen.minutes) : (length ?? seen.minutes);
  const end = start.add({ minutes: own });
  const edit = { start: iso(seen, start), end: iso(seen, end), title };
  await updateOne(actor, id, iso(seen, by), edit);
  changed.delete(key);
  if (title !== undefined || !start.equals(by) || own !== seen.minutes) {
    const isMoved = !start.equals(by);
    changed.set(key, {
      title,
      start: isMoved ? start : undefined,
      minutes: own === seen.minutes ? undefined : own,
    });
  }
  return { ...seen, changed };
};

const everything = { start: Date.UTC(2000, 0), end: Date.UTC(2099, 0), timezone: 'UTC' };

const check = async (series: Series): Promise<void> => {
  const { occurrences } = await readOccurrences(actor.user.id, everything);
  const found = occurrences.map(({ event, start, end, recurrenceId, override }) => {
    const times = `${toTimeField(event, start)} ${toTimeField(event, end)}`;
    return `${recurrenceId}: ${override?.title ?? event.title} ${times}`;
  });
  expect(found.sort()).toEqual(seenOf(series));
};

describe('moved series', () => {
  it('keeps its exceptions at their local times in every zone and across DST changes', async () => {
    const numRuns = 100;
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(
        begin,
        fc.array(Operation, { minLength: 4, maxLength: 10, size: 'max' }),
        async (given, operations) => {
          const none = { cancelled: new Set<string>(), changed: new Map<string, Changed>() };
          let series = move({ ...given, ...none }, given);
          const rrule = `FREQ=${letters[given.unit]};INTERVAL=${given.every};COUNT=${given.count}`;
          const { id } = await create(actor, fields, { ...timesOf(series), rrule }, [], change);
          try {
            for (const operation of operations) {
              series = await apply(id, series, operation);
              await check(series);
            }
          } finally {
            await remove(actor, id, undefined, change);
          }
          kept += series.cancelled.size + series.changed.size;
        },
      ),
      { numRuns },
    );
    expect(kept).toBeGreaterThan(numRuns);
  });
});
