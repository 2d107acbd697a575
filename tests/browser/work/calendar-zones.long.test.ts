// Hours where clocks change. How times are reckoned is in `web/site/calendar/time.test.ts`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { column, drag, hour } from '../../support/pages/calendar-page.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('time zones in the calendar', () => {
  const desk = { width: 1440, height: 900 };
  const topOf = async (page: Page, date: string, title: string) => {
    const entry = column(page, date).locator('.ev', { hasText: title });
    const top = await entry.evaluate<string, HTMLElement>(({ style }) => style.top);
    return Number.parseFloat(top) / 100;
  };

  /** Starts a service with Ann, who has no time zone but her device’s. */
  const start = async (all: readonly object[]) => {
    const service = await startConsole(browser, [{ name: 'Ann', permissions: ['calendar:*'] }]);
    const { url, signIn } = service;
    const token = await signIn('ann@example.com');
    for (const body of all) {
      const made = await send(`${url}/api/calendar/events`, { method: 'POST', token, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    const stored = async (from: string, to: string) =>
      (await send(`${url}/api/calendar/events?start=${from}&end=${to}`, { token })).body.data
        .items as { title: string; start: string; end: string }[];
    const open = (zone: string, path: string) => service.open('ann@example.com', path, desk, zone);
    return { ...service, open, stored };
  };

  const weekly = {
    title: 'Review',
    start: '2026-10-12T09:00',
    end: '2026-10-12T10:00',
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=WEEKLY;COUNT=5',
  };

  it('are the device’s for who has none, and a series keeps the hours of its own', async () => {
    const { open } = await start([weekly]);
    // Between the ends of summer time in Berlin and in New York, it is an hour later there.
    const weeks = [
      ['2026-10-19', 9, 3],
      ['2026-10-26', 9, 4],
      ['2026-11-02', 9, 3],
    ] as const;
    for (const zone of ['Europe/Berlin', 'America/New_York'] as const) {
      const { page, complaints } = await open(zone, '/calendar?view=week&date=2026-10-19');
      for (const [date, inBerlin, inNewYork] of weeks) {
        await page.goto(`${page.url().split('?')[0]}?view=week&date=${date}`);
        await column(page, date).locator('.ev').waitFor();
        const expected = zone === 'Europe/Berlin' ? inBerlin : inNewYork;
        expect(await topOf(page, date, 'Review'), `${zone} ${date}`).toBeCloseTo(hour(expected), 3);
      }
      expect(complaints).toEqual([]);
    }
  });

  it.each([
    // The night in which clocks go back has 25 hours, and from 1 to 3 is three of them.
    ['America/New_York', '2026-11-01', '2026-11-01T05:00:00.000Z', '2026-11-01T08:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T23:00:00.000Z', '2026-10-25T02:00:00.000Z'],
    // The night in which they go forward has 23, and from 1 to 3 or 4 is one less.
    ['America/New_York', '2027-03-14', '2027-03-14T06:00:00.000Z', '2027-03-14T07:00:00.000Z'],
    ['Europe/Berlin', '2027-03-28', '2027-03-28T00:00:00.000Z', '2027-03-28T01:00:00.000Z'],
  ])(
    'count the hours of the night in which clocks change in %s, %s',
    async (zone, date, from, to) => {
      const { open } = await start([]);
      const { page } = await open(zone, `/calendar?view=week&date=${date}`);
      const night = column(page, date);
      await night.waitFor();
      await page
        .locator('.hours, .week')
        .first()
        .evaluate((element) => element.scrollTo(0, 0));
      await drag(page, night, night, [hour(1.02), hour(3)]);
      const at = (name: string) => new URL(page.url()).searchParams.get(name);
      await expect.poll(() => at('start')).toBe(from);
      expect(at('end')).toBe(to);
      const time = page.getByLabel('Start time', { exact: true });
      await expect.poll(() => time.inputValue()).toBe('01:00');
    },
  );

  it('of an event that is moved across a change of clocks keep its hour', async () => {
    const { open, stored } = await start([
      { title: 'Walk', start: '2026-11-02T14:00:00Z', end: '2026-11-02T15:00:00Z' },
      { title: 'Talk', start: '2027-03-12T14:00:00Z', end: '2027-03-12T15:00:00Z' },
    ]);
    // Sunday is the first day of the week there.
    const { page } = await open('America/New_York', '/calendar?view=week&date=2026-11-01');
    const walk = page.locator('.col .ev', { hasText: 'Walk' });
    await walk.waitFor();
    expect(await topOf(page, '2026-11-02', 'Walk')).toBeCloseTo(hour(9), 3);
    await drag(page, walk, column(page, '2026-11-01'), [0.5, hour(9.5)]);
    await expect
      .poll(async () => (await stored('2026-10-31', '2026-11-03'))[0])
      .toMatchObject({ start: '2026-11-01T14:00:00.000Z', end: '2026-11-01T15:00:00.000Z' });
    await page.goto(`${page.url().split('?')[0]}?date=2027-03-15`);
    const talk = page.locator('.ev', { hasText: 'Talk' });
    await talk.waitFor();
    await drag(page, talk, page.locator('[data-day="2027-03-16"]'), [0.5, 0.8]);
    await expect
      .poll(async () => (await stored('2027-03-10', '2027-03-20'))[0])
      .toMatchObject({ start: '2027-03-16T13:00:00.000Z', end: '2027-03-16T14:00:00.000Z' });
  });
});
