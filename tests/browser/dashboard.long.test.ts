import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { openDashboard, region, rowsOf, startDashboard } from './dashboard-page.ts';

const dayMs = 86_400_000;
const now = Date.now();
const dayAgo = (days: number) => new Date(now - days * dayMs).toISOString().slice(0, 10);

describe.skipIf(!hasBrowser)('the dashboard in a browser', () => {
  it('redirects signed-out users to sign in, and back', async () => {
    const service = await startDashboard();
    const { url } = service;
    const { page, complaints, origins } = await openPage(
      await openContext(browser),
      `${url}/dashboard?days=30`,
    );
    await page.waitForURL(`${url}/login?next=/dashboard%3Fdays%3D30`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill('Gus Guest');
    await page.getByLabel('Email').fill('gus@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm password').fill('correct horse');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${url}/dashboard?days=30`);
    await region(page, 'Your tasks').getByText('No open tasks.').waitFor();
    await region(page, 'Today').getByText('No events today.').waitFor();
    await page.getByRole('link', { name: 'Set time zone' }).waitFor();
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });

  it('shows empty states to a guest', async () => {
    const service = await startDashboard();
    await service.newUser('gus@example.com', { role: 'guest' });
    const { page, complaints } = await openDashboard(browser, service, 'gus@example.com', {
      path: '/dashboard?view=service&days=30',
    });
    await region(page, 'Sales').getByText('No sales in this period.').waitFor();
    await region(page, 'Breakdown').getByText('No sales yet.').waitFor();
    await expect.poll(() => page.getByLabel('Visits period').inputValue()).toBe('30');
    const tiles = region(page, 'Figures').locator('.tile');
    await expect
      .poll(() => tiles.nth(0).innerText())
      .toMatch(/^Users\s+2\s+No comparison yet · 2 active$/);
    await expect
      .poll(() => tiles.nth(1).innerText())
      .toMatch(/^Revenue\s+\$0\.00\s+No comparison yet/);
    await expect.poll(() => tiles.getByText('No comparison yet').count()).toBe(4);
    await expect.poll(() => tiles.locator('.up, .dn').count()).toBe(0);
    await inspect(page, 'dashboard-empty');
    expect(complaints).toEqual([]);
  });

  it('shows the values of the day at the pointer and resizes the chart', async () => {
    const service = await startDashboard();
    await service.countDay(dayAgo(6), { visits: 4_321, uniqueVisitors: 9, pageViews: 77 });
    const { page, complaints } = await openDashboard(browser, service, service.admin, {
      path: '/dashboard?view=service',
    });
    const key = page.locator('#visits .key');
    await expect.poll(() => key.innerText()).not.toContain('4,321');
    const plot = page.locator('#visits-plot .u-over');
    await plot.hover({ position: { x: 5, y: 50 } });
    await key.filter({ hasText: 'Visits: 4,321' }).waitFor();
    await expect
      .poll(() => key.innerText())
      .toMatch(/Visits: 4,321\s+Unique visitors: 9\s+Page views: 77/);
    await page.mouse.move(0, 0);
    await key.filter({ hasNotText: '4,321' }).waitFor();

    const width = async () => (await page.locator('#visits-plot .uplot').boundingBox())?.width ?? 0;
    await page.setViewportSize({ width: 360, height: 700 });
    await expect.poll(width).toBeLessThan(330);
    await page.setViewportSize({ width: 1_280, height: 700 });
    await expect.poll(width).toBeGreaterThan(450);
    expect(complaints).toEqual([]);
  });

  it('shows the other sections if one fails, and retries that one', async () => {
    const service = await startDashboard();
    const { post, admin } = service;
    await post('/api/sales', { amount: 10 });
    const { page } = await openDashboard(browser, service, admin, {
      path: '/dashboard?view=service',
      prepare: async (page) => {
        await page.route('**/api/dashboard/stats', (route) =>
          route.fulfill({ status: 500, json: { error: { message: 'Broken' } } }),
        );
        await page.route('**/api/dashboard/pie*', (route) => route.abort());
        await page.route('**/scripts/plot.*', (route) => route.abort());
      },
    });
    const numbers = region(page, 'Figures');
    const parts = region(page, 'Breakdown');
    await numbers.getByRole('alert').filter({ hasText: 'Broken' }).waitFor();
    await parts.getByText(/^Can’t reach the server\./).waitFor();
    await expect.poll(() => numbers.locator('.tiles').count()).toBe(0);
    const sales = region(page, 'Sales');
    await sales.getByText('The chart couldn’t be loaded. The numbers are shown instead.').waitFor();
    await sales.getByRole('cell', { name: '$10.00' }).first().waitFor();
    await inspect(page, 'dashboard-failed');

    const held = Promise.withResolvers<void>();
    await page.route('**/api/dashboard/stats', async (route) => {
      await held.promise;
      await route.fallback();
    });
    await numbers.getByRole('button', { name: 'Try again' }).click();
    await numbers.locator('button[aria-busy]').waitFor();
    held.resolve();
    await numbers.locator('button:not([aria-busy])').waitFor();
    await expect.poll(() => numbers.getByRole('alert').innerText()).toContain('Broken');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Try again');
    await page.unroute('**/api/dashboard/stats');
    await page.unroute('**/api/dashboard/pie*');
    await page.unroute('**/scripts/plot.*');
    await numbers.getByRole('button', { name: 'Try again' }).click();
    await numbers.getByText('$10.00').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('figures-title');
    await parts.getByRole('button', { name: 'Try again' }).click();
    await parts.getByText('Uncategorized').waitFor();
    await page.reload();
    await expect.poll(() => page.locator('#sales-plot canvas').count()).toBe(1);
  });

  it('shows the last selection, regardless of the order of responses', async () => {
    const service = await startDashboard();
    await service.countDay(dayAgo(1), { visits: 5, uniqueVisitors: 5, pageViews: 5 });
    const { page } = await openDashboard(browser, service, service.admin, {
      path: '/dashboard?view=service',
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/dashboard/visits?days=90', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const days = page.getByLabel('Visits period');
    await days.selectOption('90 days');
    await days.selectOption('30 days');
    await expect.poll(async () => (await rowsOf(page, 'visits')).length).toBe(31);
    const late = page.waitForResponse('**/api/dashboard/visits?days=90');
    release();
    await (await late).finished();
    await page.evaluate('new Promise((done) => setTimeout(done))');
    await expect.poll(() => rowsOf(page, 'visits')).toHaveLength(31);
    await expect.poll(() => page.locator('#visits').getAttribute('aria-busy')).toBe('false');
  });

  it('keeps in the URL whose figures it shows', async () => {
    const service = await startDashboard();
    const { page } = await openDashboard(browser, service, service.admin);
    await page.getByRole('button', { name: 'Service' }).click();
    await region(page, 'Figures').waitFor();
    expect(page.url()).toBe(`${service.url}/dashboard?view=service`);
    await page.reload();
    await region(page, 'Figures').waitFor();
    await page.getByRole('button', { name: 'Mine' }).click();
    await region(page, 'Today').waitFor();
    expect(page.url()).toBe(`${service.url}/dashboard`);
  });

  it('requests only the user’s own data without further permissions, in the user’s time zone', async () => {
    const service = await startDashboard();
    const { url, post } = service;
    const token = await service.newUser('ann@example.com', { role: 'admin' });
    const date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(Date.now());
    const make = (fields: object) =>
      post('/api/calendar/events', { timezone: 'Asia/Tokyo', ...fields }, token);
    await make({ title: 'A <i>day</i> off', start: date, allDay: true, type: 'holiday' });
    await make({
      title: 'Board meeting',
      start: `${date}T09:00`,
      end: `${date}T10:30`,
      location: 'Room 1',
      type: 'meeting',
    });
    await make({ title: 'Elsewhen', start: '2026-01-05T09:00', type: 'meeting' });
    await make({
      title: 'Long overdue',
      start: '2026-01-05T09:00',
      end: '2026-01-05T10:00',
      type: 'task',
      priority: 'high',
      status: 'in_progress',
    });
    for (let at = 1; at <= 7; at++) {
      await make({ title: `Task ${at}`, start: `2090-01-0${at}`, allDay: true, type: 'task' });
    }
    const { page, asked, complaints } = await openDashboard(browser, service, 'ann@example.com');
    const undated = asked.map((path) => path.replace(/\d{4}-\d\d-\d\d/g, 'day'));
    expect(undated.sort()).toEqual([
      // What the first steps of a new user look for.
      '/api/calendar/events?start=day&end=day',
      '/api/dashboard/calendar',
      '/api/dashboard/tasks',
      '/api/files/usage',
      '/api/share/summary',
      '/api/share?mine=true&pageSize=5',
      '/api/users?pageSize=2',
    ]);
    await expect.poll(() => page.getByRole('button', { name: 'Service' }).count()).toBe(0);
    await page.getByText('1 task is overdue').first().waitFor();
    await page.getByText('in your time zone, Asia/Tokyo.').waitFor();
    await expect
      .poll(() => page.locator('#today .list > li').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^All day\s+A <i>day<\/i> off\s+Holiday$/),
        expect.stringMatching(/^9:00.AM\s+Board meeting\s+Until 10:30.AM · Room 1 · Meeting/),
      ]);
    const tasks = page.locator('#tasks .list > li');
    await expect.poll(() => tasks.count()).toBe(6);
    await expect
      .poll(() => tasks.first().innerText())
      .toMatch(/^Long overdue\s*In progress · High priority\s+Overdue: Jan 5, 2026, 10:00.AM$/);
    await expect.poll(() => tasks.nth(1).innerText()).toMatch(/^Task 1\s+Jan 1, 2090$/);
    await page.getByRole('button', { name: 'Show all 8' }).click();
    await expect.poll(() => tasks.count()).toBe(8);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('tasks-title');

    await service.newUser('bob@example.com', { role: 'user' });
    const bob = await openDashboard(browser, service, 'bob@example.com');
    expect(bob.asked).toHaveLength(5);
    await bob.page.getByText('No open tasks.').waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL(`${url}/login?next=/dashboard`);
    expect(complaints).toEqual([]);
  });
});
