import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { column, drag, hour } from '../../support/pages/calendar-page.ts';
import { send } from '../../support/run/process.ts';
import { ann, day, heading, meeting, start, titles } from '../flows/calendar.ts';

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
