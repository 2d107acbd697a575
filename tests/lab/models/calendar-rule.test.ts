import { describe, expect, it } from 'vitest';
import type { Recurrence } from '../../../functions/api/calendar/recurrence/recurrence.ts';
import { iso, recurrenceOf, startsIn } from '../../support/calendar/recurrences.ts';
import fc from '../../support/run/properties.ts';
import { aRule, plainly, textOf } from '../support/calendar/rule-model.ts';

const dayMs = 86_400_000;

/** Parses a recurrence. Returns `undefined` if it has no occurrences, such as June 31. */
const tryRecurrence = (...args: Parameters<typeof recurrenceOf>): Recurrence | undefined => {
  try {
    return recurrenceOf(...args);
  } catch {
    return undefined;
  }
};

describe('generated rule', () => {
  it('has the occurrences of its definition from any start of a window', () => {
    let [found, tried] = [0, 0];
    fc.assert(
      fc.property(
        aRule,
        fc.integer({ min: 0, max: 3_650 }),
        fc.integer({ min: 0, max: 4_000 }),
        (rule, day, later) => {
          const start = Date.UTC(2020, 0, 1, 9, 30) + day * dayMs;
          const recurrence = tryRecurrence(textOf(rule), new Date(start).toISOString());
          const [first] = plainly(rule, start, start, 1);
          tried++;
          if (first === undefined) return;
          found++;
          expect(recurrence && iso([recurrence.start])).toEqual(iso([first]));
          const from = start + later * dayMs;
          const { starts } = startsIn(recurrence as Recurrence, from, Date.UTC(2060), 12);
          expect(iso(starts)).toEqual(iso(plainly(rule, start, from, 12)));
        },
      ),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThan(tried / 2);
  });

  it('has the same occurrences in pieces as in one window, in every zone', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
    fc.assert(
      fc.property(
        aRule,
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1_439 }),
        (rule, zone, minute) => {
          const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().slice(0, 16);
          const recurrence = tryRecurrence(textOf(rule), time, zone);
          fc.pre(recurrence !== undefined);
          const [from, to] = [Date.UTC(2027, 0), Date.UTC(2028, 6)];
          const starts = (at: number, end: number) =>
            startsIn(recurrence as Recurrence, at, end, 20_000).starts;
          const whole = starts(from, to);
          const pieces: number[] = [];
          for (let at = from; at < to; at += 17 * dayMs) {
            pieces.push(...starts(at, Math.min(to, at + 17 * dayMs)));
          }
          expect(iso(pieces)).toEqual(iso(whole));
          expect(whole).toEqual([...whole].sort((a, b) => a - b));
        },
      ),
      { numRuns: 25 },
    );
  });
});
