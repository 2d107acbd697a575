import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the first steps of a new user', () => {
  it('tick themselves off, and go when all are done', async () => {
    const { open, url, token } = await startConsole(browser, []);
    const { page, complaints } = await open(root, '/dashboard');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.waitFor();
    const left = () => steps.getByRole('link').allInnerTexts();
    await expect
      .poll(() => left())
      .toEqual(['Share something', 'Upload a file', 'Invite someone', 'Add an event']);
    await inspect(page, 'first steps');
    const post = async (path: string, body: object) => {
      const made = await send(`${url}${path}`, { method: 'POST', token, body });
      expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    };
    await post('/api/share', { content: '# Hi', language: 'markdown' });
    await post('/api/users', { name: 'Ann', email: 'ann@example.com', password: 'correct horse' });
    await page.reload();
    await expect.poll(left).toEqual(['Upload a file', 'Add an event']);
    await steps.getByText('Share something, done').waitFor();
    await post('/api/calendar/events', { title: 'Review', start: new Date().toISOString() });
    await page.reload();
    await expect.poll(left).toEqual(['Upload a file']);
    await steps.getByRole('link', { name: 'Upload a file' }).click();
    await page.waitForURL('**/files*');
    await page
      .locator('#choose')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.locator('td.m a', { hasText: 'a.txt' }).waitFor();
    await page.goto(`${url}/dashboard`);
    await page.getByText('Active shares').waitFor();
    await expect.poll(() => page.locator('#shares, #today').count()).toBeGreaterThan(0);
    await expect.poll(() => steps.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
