import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { column, drag, hour } from '../../support/pages/calendar-page.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the calendar in a browser', () => {
  const ann = 'ann@example.com';
  const events = (page: Page) => page.locator('#calendar .ev:not(.gap) b:visible');
  const titles = (page: Page) => events(page).allInnerTexts();
  const day = (page: Page, date: string) => page.locator(`[data-day="${date}"]`);
  const heading = (page: Page) => page.locator('.cal-tools h2').innerText();

  /** Starts a service with events of Ann, whose time zone is given. */
  const start = async (timezone: string, all: readonly object[]) => {
    const service = await startConsole(browser, [
      { name: 'Ann', permissions: ['calendar:*'], timezone },
      { name: 'Vera' },
    ]);
    const { url, signIn } = service;
    const token = await signIn(ann);
    for (const body of all) {
      const made = await send(`${url}/api/calendar/events`, { method: 'POST', token, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    const stored = async (from: string, to: string) =>
      (await send(`${url}/api/calendar/events?start=${from}&end=${to}`, { token })).body.data
        .items as { title: string; start: string; end: string; status: string }[];
    return { ...service, stored };
  };

  const meeting = (title: string, from: string, to: string) => ({ title, start: from, end: to });

  it('shows months, weeks, days and a list, by keyboard and in the address', async () => {
    const { open } = await start('Europe/Berlin', [
      meeting('Review', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
      { title: 'Fair', start: '2026-11-19', end: '2026-11-21', allDay: true },
      ...['A', 'B', 'C', 'D'].map((name) =>
        meeting(name, '2026-11-25T09:00:00Z', '2026-11-25T10:00:00Z'),
      ),
    ]);
    const { page, complaints } = await open(ann, '/calendar?date=2026-11-23');
    await expect.poll(() => titles(page)).toEqual(['Fair', 'Fair', 'Review', 'A', 'B']);
    expect(await heading(page)).toBe('November 2026');
    await page.getByRole('button', { name: /^2 more on Wednesday/ }).waitFor();
    await inspect(page, 'calendar month');
    await page.locator('main').focus();
    await page.keyboard.press('w');
    await expect.poll(() => page.url()).toContain('view=week');
    await expect
      .poll(async () => (await titles(page)).toSorted())
      .toEqual(['A', 'B', 'C', 'D', 'Review']);
    await inspect(page, 'calendar week');
    await page.keyboard.press('PageUp');
    await expect.poll(() => titles(page)).toEqual(['Fair', 'Fair']);
    await page.keyboard.press('a');
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.url()).toContain('date=2026-12-16');
    await page.getByText('No events in these 30 days.').waitFor();
    await page.keyboard.press('PageUp');
    await expect.poll(async () => (await titles(page)).length).toBe(7);
    await inspect(page, 'calendar agenda');
    await page.reload();
    await expect.poll(async () => (await titles(page)).length).toBe(7);

    // Days by arrows, and a new event on one.
    await page.keyboard.press('m');
    await expect.poll(() => heading(page)).toBe('November 2026');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).toContain('date=2026-11-24');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('24');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('start')).toBe('2026-11-24');
    await page.locator('dialog.drawer[open]').waitFor();
    expect(complaints).toEqual([]);
  });

  it('creates, moves and resizes by dragging', async () => {
    const { open, stored } = await start('Europe/Berlin', [
      meeting('Review', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
    ]);
    const { page, complaints } = await open(ann, '/calendar?view=week&date=2026-11-23');
    const review = page.locator('.col .ev', { hasText: 'Review' });
    await review.waitFor();
    const monday = column(page, '2026-11-23');
    const tuesday = column(page, '2026-11-24');
    const timesAre = (from: string, to: string) =>
      expect
        .poll(async () => (await stored('2026-11-23', '2026-11-29'))[0])
        .toMatchObject({ start: from, end: to });

    // From 10:30, its middle, to 14:30 on Tuesday.
    await drag(page, review, tuesday, [0.5, hour(14.5)]);
    await timesAre('2026-11-24T13:00:00.000Z', '2026-11-24T14:00:00.000Z');
    await expect.poll(() => tuesday.locator('.ev').count()).toBe(1);
    await drag(page, review.locator('.edge'), tuesday, [0.5, hour(16.5)]);
    await timesAre('2026-11-24T13:00:00.000Z', '2026-11-24T15:30:00.000Z');

    // Escape leaves it where it is.
    const box = await review.boundingBox();
    if (!box) throw new Error('It is gone');
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 120, { steps: 4 });
    await page.locator('.ev.ghost').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await timesAre('2026-11-24T13:00:00.000Z', '2026-11-24T15:30:00.000Z');
    expect(new URL(page.url()).searchParams.has('open')).toBe(false);

    // Over free hours, it makes a new one.
    await drag(page, monday, monday, [hour(9), hour(10.5)]);
    await expect
      .poll(() => new URL(page.url()).searchParams.get('end'))
      .toBe('2026-11-23T09:30:00.000Z');
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-11-23T08:00:00.000Z');
    expect(complaints).toEqual([]);
  });

  it('moves events to other days of the month, and puts back what is refused', async () => {
    const { open, stored } = await start('Europe/Berlin', [
      { title: 'Fair', start: '2026-11-10', end: '2026-11-12', allDay: true },
      // Across the end of summer time, the hour stays.
      meeting('Walk', '2026-10-23T07:00:00Z', '2026-10-23T08:00:00Z'),
    ]);
    const { page } = await open(ann, '/calendar?date=2026-11-10');
    const fair = page.locator('.ev', { hasText: 'Fair' }).first();
    await fair.waitFor();
    await drag(page, fair, day(page, '2026-11-18'), [0.5, 0.8]);
    await expect
      .poll(async () => (await stored('2026-11-01', '2026-11-30'))[0])
      .toMatchObject({ start: '2026-11-18', end: '2026-11-20' });

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

  it('checks off tasks, and shows what others change without reload', async () => {
    const { open, stored, url, token, find } = await start('Europe/Berlin', [
      { title: 'Proofs', type: 'task', start: '2026-11-24T15:00:00Z', end: '2026-11-24T15:00:00Z' },
    ]);
    const { page } = await open(ann, '/calendar?date=2026-11-24');
    await page.getByRole('checkbox', { name: 'Done: Proofs' }).click();
    await expect
      .poll(async () => (await stored('2026-11-24', '2026-11-24'))[0]?.status)
      .toBe('done');
    await page.reload();
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Done: Proofs' }).isChecked())
      .toBe(true);
    await page.goto(`${url}/calendar?date=2027-11-24`);
    const look = async () => {
      const polled = page.waitForResponse('**/api/notifications/updates');
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await polled;
    };
    await look();
    const { id } = await find('Ann');
    const made = await send(`${url}/api/calendar/events`, {
      method: 'POST',
      token,
      body: {
        ...meeting('Invited', '2027-11-24T08:00:00Z', '2027-11-24T09:00:00Z'),
        attendees: [{ id }],
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    // A job tells of the invitation.
    const titlesNow = async () => {
      await look();
      return titles(page);
    };
    await expect.poll(titlesNow).toEqual(['Invited']);
  });

  it('is read only without the permissions, and fits on phones', async () => {
    const { open } = await start('Europe/Berlin', []);
    const { page, complaints } = await open('vera@example.com', '/calendar?view=week');
    await page.locator('.col').first().waitFor();
    expect(await page.getByRole('link', { name: 'New event' }).count()).toBe(0);
    await page
      .locator('.col')
      .nth(2)
      .click({ position: { x: 20, y: 300 } });
    expect(new URL(page.url()).searchParams.has('new')).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${page.url().split('?')[0]}?date=2026-11-24`);
    await page.getByText('No events', { exact: true }).waitFor();
    await inspect(page, 'calendar on phones');
    expect(complaints).toEqual([]);
  });
});
