import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeInColumns } from '../../../../functions/web/site/calendar/layout/columns.ts';
import { placeInLanes } from '../../../../functions/web/site/calendar/layout/lanes.ts';
import { toSegment, toSpan } from '../../../../functions/web/site/calendar/layout/spans.ts';
import { listDays } from '../../../../functions/web/site/calendar/time/days.ts';

const berlin = 'Europe/Berlin';
const at = (start: string, end: string) => ({ start, end, allDay: false });

describe('the days of an event', () => {
  it('are those of its dates, or of its hours in the time zone', () => {
    const allDay = { start: '2026-11-19', end: '2026-11-21', allDay: true };
    expect(toSpan(allDay, berlin)).toEqual({
      first: '2026-11-19',
      last: '2026-11-20',
      isBar: true,
    });
    const late = at('2026-11-19T22:30:00Z', '2026-11-19T23:30:00Z');
    expect(toSpan(late, berlin)).toEqual({ first: '2026-11-19', last: '2026-11-20', isBar: false });
    expect(toSpan(late, 'America/New_York').last).toBe('2026-11-19');
    const toMidnight = at('2026-11-19T20:00:00Z', '2026-11-19T23:00:00Z');
    expect(toSpan(toMidnight, berlin).last).toBe('2026-11-19');
    expect(toSpan(at('2026-11-19T08:00:00Z', '2026-11-20T08:00:00Z'), berlin).isBar).toBe(true);
  });

  it('have its hours, up to midnight', () => {
    const late = at('2026-11-19T22:30:00Z', '2026-11-20T00:30:00Z');
    expect(toSegment(late, '2026-11-19', berlin)).toMatchObject({ from: 1_410, to: 1_440 });
    expect(toSegment(late, '2026-11-20', berlin)).toMatchObject({ from: 0, to: 90 });
    expect(toSegment(late, '2026-11-21', berlin)).toBeUndefined();
  });

  it('show 30 minutes at least, also where clocks go back', () => {
    const short = at('2026-11-19T09:00:00Z', '2026-11-19T09:00:00Z');
    expect(toSegment(short, '2026-11-19', berlin)).toMatchObject({ from: 600, to: 630 });
    const last = at('2026-11-19T22:59:00Z', '2026-11-19T22:59:30Z');
    expect(toSegment(last, '2026-11-19', berlin)).toMatchObject({ from: 1_410, to: 1_440 });
    // From 02:45 in summer to 02:15 in winter.
    const back = at('2026-10-25T00:45:00Z', '2026-10-25T01:15:00Z');
    expect(toSegment(back, '2026-10-25', berlin)).toMatchObject({ from: 165, to: 195 });
  });
});

const days = listDays('2026-11-16', 7);
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: -2, max: 8 }), fc.integer({ min: 0, max: 4 }))
    .map(([from, length]) => ({
      first: listDays('2026-11-14', 20)[from + 2] ?? '',
      last: listDays('2026-11-14', 20)[from + 2 + length] ?? '',
      isBar: true,
      event: {},
    })),
  { maxLength: 12 },
);

describe('the lanes of a row', () => {
  it('have each event once a day, in the same lane on all of its days', () => {
    fc.assert(
      fc.property(spans, (placed) => {
        const lanes = placeInLanes(placed, days);
        for (const one of placed) {
          const own = days.filter((day) => day >= one.first && day <= one.last);
          const found = own.map((day) => lanes.get(day)?.indexOf(one));
          expect(new Set(found).size).toBeLessThanOrEqual(1);
          expect(found).not.toContain(-1);
        }
        const count = [...lanes.values()].flat().filter((one) => one !== undefined).length;
        const expected = placed.flatMap((one) =>
          days.filter((day) => day >= one.first && day <= one.last),
        );
        expect(count).toBe(expected.length);
      }),
    );
  });

  it('leave no lane empty that an event could have', () => {
    const place = (first: string, last: string) => ({ first, last, isBar: true, event: {} });
    const [long, short, later] = [
      place('2026-11-16', '2026-11-18'),
      place('2026-11-16', '2026-11-16'),
      place('2026-11-17', '2026-11-17'),
    ] as const;
    const lanes = placeInLanes([later, short, long], days);
    expect(lanes.get('2026-11-16')).toEqual([long, short]);
    expect(lanes.get('2026-11-17')).toEqual([long, later]);
  });
});

describe('the columns of a day', () => {
  const segments = fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 1_400 }), fc.integer({ min: 15, max: 300 }))
      .map(([from, length]) => ({ event: {}, from, to: Math.min(from + length, 1_440) })),
    { maxLength: 15 },
  );

  it('have no two events at the same time in the same column', () => {
    fc.assert(
      fc.property(segments, (given) => {
        const columns = placeInColumns(given);
        expect(columns).toHaveLength(given.length);
        for (const one of columns) {
          expect(one.column).toBeLessThan(one.columns);
          const clash = columns.filter(
            (other) =>
              other !== one &&
              other.column === one.column &&
              other.from < one.to &&
              one.from < other.to,
          );
          expect(clash).toEqual([]);
        }
      }),
    );
  });

  it('give an event alone the whole width', () => {
    const [one, two, three] = placeInColumns([
      { event: 'a', from: 60, to: 120 },
      { event: 'b', from: 90, to: 150 },
      { event: 'c', from: 150, to: 200 },
    ]);
    expect([one, two].map((some) => [some?.column, some?.columns])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect([three?.column, three?.columns]).toEqual([0, 1]);
  });
});
