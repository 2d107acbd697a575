// The dashboard of a service with numbers. How these are counted is in `api/dashboard/`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { inspect } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { send } from '../support/run/process.ts';
import {
  openDashboard,
  pixelsOf,
  region,
  rowsOf,
  settled,
  startDashboard,
  widthOfAxis,
} from './dashboard-page.ts';

const dayMs = 86_400_000;
const now = Date.now();
const dayAgo = (days: number) => new Date(now - days * dayMs).toISOString().slice(0, 10);
const monthAgo = (months: number) => {
  const at = new Date(now);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months)).toISOString();
};

describe.skipIf(!hasBrowser)('the dashboard in a browser', () => {
  it('shows all numbers to permitted users, as charts and as tables', async () => {
    const service = await startDashboard();
    const { url, admin, post, countDay } = service;
    const token = await service.signIn(admin);
    const record = (amount: number, cost: number, soldAt: string, category: string | null) =>
      post('/api/sales', { amount, cost, soldAt, category }, token);
    for (let at = 0; at < 10; at++) await record(100 * (10 - at), 50, monthAgo(at), `Kind ${at}`);
    await record(1_234.56, 2_000, monthAgo(2), '<b>Books</b>');
    await record(400, 0, monthAgo(20), null);
    for (let ago = 1; ago < 90; ago++) {
      const visits = 40 + ((ago * 37) % 23);
      await countDay(dayAgo(ago), {
        visits,
        uniqueVisitors: Math.round(visits * 0.7),
        pageViews: visits * 3,
      });
    }
    const { page, asked, complaints, origins } = await openDashboard(browser, service, admin, {
      path: '/dashboard?view=service',
    });
    expect(asked.slice().sort()).toEqual([
      '/api/dashboard/pie?by=category',
      '/api/dashboard/sales?months=6',
      '/api/dashboard/stats',
      '/api/dashboard/visits?days=7',
      '/api/shares?reported=true&pageSize=5',
    ]);
    const tiles = region(page, 'Figures').locator('.tile');
    // The last complete month has 900, the one before it 800 and 1,234.56.
    await expect
      .poll(() => tiles.nth(1).innerText())
      .toMatch(/^Revenue\s+\$7,134\.56\s+▼ -55\.8% · All time$/);
    await expect.poll(() => tiles.nth(1).locator('.dn').innerText()).toBe('▼ -55.8%');
    await expect.poll(() => tiles.nth(2).innerText()).toMatch(/^Orders\s+12\s+.* · 1 this month$/);

    for (const id of ['visits', 'sales']) {
      for (const color of ['#4350c8', '#0b6b74']) {
        await expect
          .poll(() => pixelsOf(page, id, color), { message: `${id} ${color}` })
          .toBeGreaterThan(50);
      }
      await expect.poll(() => page.locator(`#${id}-plot canvas`).count()).toBe(1);
      await expect.poll(() => widthOfAxis(page, id)).toBeGreaterThan(20);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => pixelsOf(page, 'sales', '#5a67e4')).toBeGreaterThan(1_000);
    expect(await pixelsOf(page, 'sales', '#4350c8')).toBe(0);
    await inspect(page, 'dashboard');
    await region(page, 'Sales').getByText('Show as table').click();
    const sales = await rowsOf(page, 'sales');
    expect(sales).toHaveLength(7);
    expect(sales[0]).toBe('Month (UTC) | Sales | Profit | Orders');
    expect(sales.at(-3)).toMatch(/ \| \$2,034\.56 \| -\$15\.44 \| 2$/);
    await expect
      .poll(() => page.locator('#sales-summary').innerText())
      .toBe('Last 6 months: $5,734.56 in sales, $3,434.56 profit, 7 orders.');

    await page.getByLabel('Sales period').selectOption('24 months');
    await page.getByText('Last 24 months: $7,134.56 in sales').waitFor();
    await page.getByLabel('Visits period').selectOption('90 days');
    await page.locator('#visits-summary').filter({ hasText: 'Last 90 days: ' }).waitFor();
    await expect.poll(async () => (await rowsOf(page, 'visits')).length).toBe(91);
    await region(page, 'Visits').getByText('Show as table').click();
    expect(page.url()).toBe(`${url}/dashboard?view=service&days=90&months=24`);

    await region(page, 'Breakdown').getByText('<b>Books</b>').waitFor();
    const parts = () => page.locator('#parts .parts > li').allInnerTexts();
    await expect.poll(() => parts()).toHaveLength(9);
    await expect
      .poll(async () => (await parts())[0])
      .toMatch(/^<b>Books<\/b>\s+\$1,234\.56 · 17\.3%/);
    await expect.poll(async () => (await parts())[8]).toMatch(/^4 more\s+\$1,000\.00 · 14%/);
    await page.getByLabel('Break down by').selectOption('Content by type');
    await page.getByText('No content yet.').waitFor();
    await page.reload();
    await settled(page);
    await expect.poll(() => page.getByLabel('Sales period').inputValue()).toBe('24');
    await expect.poll(() => page.getByLabel('Break down by').inputValue()).toBe('content');
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });

  it('finishes a task, takes it back, and adds one by keyboard', async () => {
    const service = await startDashboard();
    const token = await service.newUser('ann@example.com', { role: 'admin' });
    const task = { title: 'Send the proofs', start: '2090-01-01', allDay: true, type: 'task' };
    const { data } = await service.post('/api/calendar/events', task, token);
    const { page, complaints } = await openDashboard(browser, service, 'ann@example.com');
    const tasks = region(page, 'Your tasks');
    await tasks.getByLabel('Send the proofs').press('Space');
    await tasks.getByText('No open tasks.').waitFor();
    const readStatus = async () =>
      (await send(`${service.url}/api/calendar/events/${data.id}`, { token })).body.data.status;
    await page.getByText('“Send the proofs” done').waitFor();
    await expect.poll(() => readStatus()).toBe('done');
    await page.getByRole('button', { name: 'Undo' }).click();
    await tasks.getByLabel('Send the proofs').waitFor();
    await expect.poll(() => readStatus()).toBe('pending');

    await tasks.getByRole('button', { name: 'New task' }).press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('task-title');
    await page.keyboard.press('Enter');
    await tasks.getByText('Enter a title.').waitFor();
    await page.keyboard.type('Call the printer');
    await inspect(page, 'dashboard-new-task');
    await tasks.getByLabel('Title').press('Enter');
    await tasks.getByLabel('Call the printer').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('New task');
    expect(complaints).toEqual([]);
  });
});
