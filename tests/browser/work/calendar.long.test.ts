// What the calendar shows of rarer events, and how it fits. Its flows are in `calendar.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { column, drag, hour } from '../../support/pages/calendar-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, day, meeting, start } from '../flows/calendar.ts';

describe.skipIf(!hasBrowser)('the calendar in a browser', () => {
  it('moves events to other days of the month, and puts back what is refused', async () => {
    const { open, stored } = await start('Europe/Berlin', [
      { title: 'Fair', start: '2026-11-10', end: '2026-11-13', allDay: true },
      // Across the end of summer time, the hour stays.
      meeting('Walk', '2026-10-23T07:00:00Z', '2026-10-23T08:00:00Z'),
    ]);
    const { page } = await open(ann, '/calendar?date=2026-11-10');
    const fair = page.locator('.ev', { hasText: 'Fair' }).first();
    await fair.waitFor();
    // Pressed on its second day.
    await drag(page, fair, day(page, '2026-11-19'), [0.5, 0.8]);
    await expect
      .poll(async () => (await stored('2026-11-01', '2026-11-30'))[0])
      .toMatchObject({ start: '2026-11-18', end: '2026-11-21' });

    await page.goto(`${page.url().split('?')[0]}?date=2026-10-20`);
    const walk = page.locator('.ev', { hasText: 'Walk' });
    await walk.waitFor();
    await drag(page, walk, day(page, '2026-10-26'), [0.5, 0.8]);
    await expect
      .poll(async () => (await stored('2026-10-20', '2026-10-31'))[0])
      .toMatchObject({ start: '2026-10-26T08:00:00.000Z' });

    await page.route('**/api/calendar/events/*', (route) => route.abort());
    await drag(page, walk, day(page, '2026-10-29'), [0.5, 0.8]);
    await page.getByText('Couldn’t move “Walk”.').waitFor();
    await expect.poll(() => day(page, '2026-10-26').locator('.ev').count()).toBe(1);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-29T07:00:00.000Z', '2026-03-28T23:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25T08:00:00.000Z', '2026-10-24T22:30:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T13:00:00.000Z', '2026-03-08T05:30:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T14:00:00.000Z', '2026-11-01T04:30:00.000Z'],
  ])('has the hours of %s in the week of %s', async (zone, date, nine, night) => {
    const later = (iso: string) => new Date(Date.parse(iso) + 1_800_000).toISOString();
    const { open } = await start(zone, [
      meeting('At nine', nine, later(nine)),
      meeting('At night', night, later(night)),
    ]);
    const { page } = await open(ann, `/calendar?view=week&date=${date}`);
    const at = async (title: string) => {
      const entry = column(page, date).locator('.ev', { hasText: title });
      return Number.parseFloat(await entry.evaluate<string, HTMLElement>(({ style }) => style.top));
    };
    await expect.poll(() => column(page, date).locator('.ev').count()).toBe(2);
    expect(await at('At nine')).toBeCloseTo(hour(9) * 100, 1);
    expect(await at('At night')).toBeCloseTo(hour(0.5) * 100, 1);
  });

  it('is read only without the permissions, and fits on phones', async () => {
    const { open } = await start('Europe/Berlin', []);
    const { page, complaints } = await open('vera@example.com', '/calendar?view=week');
    await page.locator('.col').first().waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'New event' }).count()).toBe(0);
    await page
      .locator('.col')
      .nth(2)
      .click({ position: { x: 20, y: 300 } });
    expect(new URL(page.url()).searchParams.has('new')).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${page.url().split('?')[0]}?view=week&date=2026-11-30`);
    const period = page.locator('.cal-tools h2');
    await expect.poll(() => period.innerText()).toMatch(/Nov.+Dec/s);
    expect(await period.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.goto(`${page.url().split('?')[0]}?date=2026-11-24`);
    await page.getByText('No events', { exact: true }).waitFor();
    await inspect(page, 'calendar on phones');
    expect(complaints).toEqual([]);
  });

  it('shows an event of several days as one bar in its color, which any of its days moves', async () => {
    const { open, stored } = await start('Europe/Berlin', [
      { title: 'Fair', start: '2026-11-19', end: '2026-11-25', allDay: true, color: '#2b8a3e' },
    ]);
    const { page } = await open(ann, '/calendar?date=2026-11-23');
    const bars = page.locator('.ev.all', { hasText: 'Fair' });
    // From Thursday to Saturday, and three days of the next week.
    await expect.poll(() => bars.count()).toBe(2);
    const cells = [day(page, '2026-11-19'), day(page, '2026-11-21')];
    const [bar, first, last] = await Promise.all(
      [bars.first(), ...cells].map((one) => one.boundingBox()),
    );
    if (!bar || !first || !last) throw new Error('Not shown');
    expect(bar.x).toBeGreaterThan(first.x);
    expect(bar.x).toBeLessThan(first.x + 10);
    expect(bar.x + bar.width).toBeGreaterThan(last.x + last.width - 10);
    expect(bar.x + bar.width).toBeLessThan(last.x + last.width);
    const colors = await bars.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).getPropertyValue('--own')),
    );
    expect(colors).toEqual(['#2b8a3e', '#2b8a3e']);

    // Pressed on Friday and dropped on Tuesday, it is 4 days later.
    await page.mouse.move(first.x + first.width * 1.5, bar.y + bar.height / 2);
    await page.mouse.down();
    const tuesday = await day(page, '2026-11-24').boundingBox();
    if (!tuesday) throw new Error('Not shown');
    await page.mouse.move(tuesday.x + 20, tuesday.y + tuesday.height - 10, { steps: 6 });
    await page.mouse.up();
    await expect
      .poll(async () => (await stored('2026-11-01', '2026-11-30'))[0]?.start)
      .toBe('2026-11-23');
  });

  it('keeps titles whole before times, and the toolbar in one row', async () => {
    const { open } = await start('Europe/Berlin', [
      meeting('Ink', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
      meeting('Manuscripts of the spring', '2026-11-25T09:00:00Z', '2026-11-25T10:00:00Z'),
    ]);
    const { page } = await open(ann, '/calendar?date=2026-11-23');
    const isTimeShown = (title: string): Promise<boolean> =>
      page
        .getByRole('button', { name: title })
        .evaluate(
          (button) =>
            (button.querySelector('time')?.getBoundingClientRect().top ?? 0) <
            button.getBoundingClientRect().bottom - 1,
        );
    /** How the toolbar chooses views, and whether anything is wrapped, overlaps or sticks out. */
    const look = () =>
      page.locator('.cal-tools').evaluate((tools) => {
        const parts = [...tools.children].flatMap((one) => {
          const box = one.getBoundingClientRect();
          return box.width > 0 ? [box] : [];
        });
        const end = tools.getBoundingClientRect().right;
        const isShown = (selector: string) => (tools.querySelector(selector)?.clientWidth ?? 0) > 0;
        return {
          zone: isShown('.zone'),
          views: isShown('.seg') ? 'tabs' : isShown('select') ? 'menu' : undefined,
          isTidy: parts.every(
            (box, at) => box.height < 45 && box.right <= (parts[at + 1]?.left ?? end) + 1,
          ),
        };
      });
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => isTimeShown('Ink')).toBe(true);
    expect(await isTimeShown('Manuscripts of the spring')).toBe(false);
    expect(await look()).toEqual({ zone: true, views: 'tabs', isTidy: true });
    await page.getByRole('button', { name: 'Ink' }).click();
    await page.getByRole('list', { name: 'Details' }).waitFor();
    expect(await look()).toEqual({ zone: false, views: 'tabs', isTidy: true });
    await page.setViewportSize({ width: 390, height: 664 });
    expect(await look()).toEqual({ zone: false, views: 'menu', isTidy: true });
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('combobox', { name: 'View' }).selectOption('Week');
    await expect.poll(() => page.url()).toContain('view=week');
    expect(await look()).toEqual({ zone: false, views: 'menu', isTidy: true });
  });
});
