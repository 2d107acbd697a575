import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { drawer, rows, start } from '../flows/audit-log.ts';
import { exportAs } from './export-as.ts';

describe.skipIf(!hasBrowser)('the audit log in a browser', () => {
  it('works by keyboard, on phones and with only the permission', async () => {
    const { open } = await start();
    const { page, complaints } = await open('vera@example.com', '/audit', {
      width: 390,
      height: 844,
    });
    await rows(page).first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Anyone' }).count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'What changed' }).waitFor();
    await expect.poll(() => drawer(page).locator('dd a').count()).toBe(0);
    await inspect(page, 'audit-phone');
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer(page).count()).toBe(0);
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("tr")?.rowIndex'))
      .toBe(2);
    expect(complaints).toEqual([]);
    const { page: denied } = await open('gus@example.com', '/audit');
    await denied.getByRole('heading', { name: 'No access' }).waitFor();
    await expect.poll(() => denied.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });

  it('saves the listed entries as CSV, in which nothing is a formula', async () => {
    const { open } = await start();
    const { page } = await open(root, '/audit?action=user.update');
    await rows(page).first().waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      exportAs(page, 'CSV, for spreadsheets'),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFat,action,actorId,actor,tokenId,token,client,tool,subject,subjectName,address,requestId,before,after,id',
    );
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(',user.update,');
    expect(lines[1]).toContain(",'=Anna,");
    expect(lines[1]).toContain('"{""name"":""=Anna"",""role"":""admin"",');
    await page.getByText('The download begins').waitFor();
  });

  it('says why it can’t list, and tries again', async () => {
    const { open, url } = await start();
    const { page } = await open(root, '/users');
    await page.route('**/api/audit?*', (route) =>
      route.fulfill({ status: 503, json: { error: { message: 'Busy. Try again.' } } }),
    );
    await page.goto(`${url}/audit`);
    await page.getByText('Busy. Try again.').waitFor();
    await page.unroute('**/api/audit?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Change', { exact: true }).selectOption('Sale recorded');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No entries match your filters.').waitFor();
  });
});
