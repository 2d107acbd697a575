import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  countDays,
  getFirstWeekday,
  listMonth,
  startOfWeek,
} from '../../../../functions/web/site/calendar/time/days.ts';
import { toInstant, toLocal } from '../../../../functions/web/site/calendar/time/zone.ts';
import { modes, parseView, toUrl } from '../../../../functions/web/site/calendar/view.ts';

const iso = (day: string, minute: number, zone: string) =>
  new Date(toInstant({ day, minute }, zone)).toISOString();

describe('times of a zone', () => {
  it('are what clocks show', () => {
    const at = Date.parse('2026-11-23T23:30:00Z');
    expect(toLocal(at, 'Europe/Berlin')).toEqual({ day: '2026-11-24', minute: 30 });
    expect(toLocal(at, 'America/New_York')).toEqual({ day: '2026-11-23', minute: 1_110 });
    expect(toLocal(at, 'Asia/Kolkata')).toEqual({ day: '2026-11-24', minute: 300 });
  });

  it('go both ways for each half hour of the days of changes', () => {
    const days = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-06-01'];
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      for (const day of days) {
        const start = toInstant({ day, minute: 0 }, zone);
        const end = toInstant({ day: addDays(day, 1), minute: 0 }, zone);
        for (let at = start; at < end; at += 1_800_000) {
          const local = toLocal(at, zone);
          expect(local.day).toBe(day);
          const back = toInstant(local, zone);
          // A time that clocks show twice is the first of both.
          expect(back === at || (back < at && toLocal(back, zone).minute === local.minute)).toBe(
            true,
          );
        }
      }
    }
  });

  it('are the first of two, and later by what clocks skip', () => {
    expect(iso('2026-10-25', 150, 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(iso('2026-11-01', 90, 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    // 02:30 is skipped: 03:30 in summer.
    expect(iso('2026-03-29', 150, 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(iso('2026-03-08', 150, 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  });
});

describe('days', () => {
  it('are counted without time zones', () => {
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
    expect(countDays('2026-03-01', '2026-04-01')).toBe(31);
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  });

  it('make weeks from the first weekday of a language', () => {
    expect(['de', 'en-GB', 'en-US', 'ar-EG'].map(getFirstWeekday)).toEqual([1, 1, 7, 6]);
    expect([1, 7, 6].map((first) => startOfWeek('2026-11-25', first))).toEqual([
      '2026-11-23',
      '2026-11-22',
      '2026-11-21',
    ]);
  });

  it('of a month are its whole weeks', () => {
    const november = listMonth('2026-11-15', 1);
    expect([november[0], november.at(-1), november.length]).toEqual([
      '2026-10-26',
      '2026-12-06',
      42,
    ]);
    expect(listMonth('2027-02-10', 1)).toHaveLength(28);
  });
});

describe('the address of the calendar', () => {
  it('says what is shown and open, and ignores unknown values', () => {
    const views = [
      { open: undefined, start: undefined, end: undefined },
      { open: 7, start: '2026-11-23', end: undefined },
      { open: 'new', start: '2026-11-23T09:00:00.000Z', end: '2026-11-23T10:00:00.000Z' },
      { open: 'feed', start: undefined, end: undefined },
    ] as const;
    for (const mode of modes) {
      for (const open of views) {
        const view = { mode, date: '2026-11-23', ...open };
        expect(parseView(new URL(toUrl(view), 'http://localhost').searchParams)).toEqual(view);
      }
    }
    expect(
      parseView(new URLSearchParams('view=year&date=2026-13-45&open=x&start=1&end=2')),
    ).toEqual({ mode: 'month', date: undefined, ...views[0] });
  });
});
