// The calendar as it is read and dragged. The routes are in `api/calendar/`, events in `calendar-event.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { column, drag, hour } from '../../support/pages/calendar-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { send } from '../../support/run/process.ts';
import { ann, heading, meeting, start, titles } from '../flows/calendar.ts';

describe.skipIf(!hasBrowser)('the calendar in a browser', () => {
  it('shows months, weeks, days and a list, by keyboard and in the address', async () => {
    const { open } = await start('Europe/Berlin', [
      meeting('Review', '2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'),
      { title: 'Fair', start: '2026-11-19', end: '2026-11-21', allDay: true },
      ...['A', 'B', 'C', 'D'].map((name) =>
        meeting(name, '2026-11-25T09:00:00Z', '2026-11-25T10:00:00Z'),
      ),
    ]);
    const { page, complaints } = await open(ann, '/calendar?date=2026-11-23');
    await expect.poll(() => titles(page)).toEqual(['Fair', 'Review', 'A', 'B']);
    await expect.poll(() => heading(page)).toBe('November 2026');
    await page.getByRole('button', { name: /^2 more on Wednesday/ }).waitFor();
    await inspect(page, 'calendar');
    await page.locator('main').focus();
    await page.keyboard.press('w');
    await expect.poll(() => page.url()).toContain('view=week');
    await expect
      .poll(async () => (await titles(page)).toSorted())
      .toEqual(['A', 'B', 'C', 'D', 'Review']);
    await page.keyboard.press('PageUp');
    await expect.poll(() => titles(page)).toEqual(['Fair']);
    await page.keyboard.press('a');
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.url()).toContain('date=2026-12-16');
    await page.getByText('No events in these 30 days.').waitFor();
    await page.keyboard.press('PageUp');
    await expect.poll(async () => (await titles(page)).length).toBe(7);
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
});
