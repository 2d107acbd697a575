import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const start = () => startConsole(browser, [{ name: 'Ann', role: 'user' }]);

const choose = (page: Page, lines: readonly string[]) =>
  page.locator('#csv').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });

/** Has links in the responses, as where email is off. */
const withLinks = (page: Page) =>
  page.route('**/api/users/import', async (route) => {
    const response = await route.fetch();
    const { data, ...json } = await response.json();
    const toLinked = (line: { id: number }) => ({
      ...line,
      link: `http://localhost/invite?token=${line.id}`,
    });
    const lines = data.dryRun ? data.lines : data.lines.map(toLinked);
    await route.fulfill({ response, json: { ...json, data: { ...data, lines } } });
  });

const lines = [
  'Name;E-mail;Role',
  'Zoe Zed;zoe@example.com;',
  'Ann;ann@example.com;admin',
  'Yan;yan@example.com;boss',
  'Xi Xu;xi@example.com;guest',
  'Broken;"x"y;',
];

describe.skipIf(!hasBrowser)('importing users in a browser', () => {
  it('checks a file, creates its users and shows their links', async () => {
    const { open, find } = await start();
    const { page, complaints } = await open(root, '/users');
    await withLinks(page);
    await page.getByRole('link', { name: 'Import CSV' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
    await inspect(page, 'users-import');
    await choose(page, lines);
    await page.getByText('2 users can be created.').waitFor();
    await page.getByText('1 user exists already.').waitFor();
    await page.getByText('2 lines have errors and are left out.').waitFor();
    const problems = page.locator('.problems tbody tr');
    await expect.poll(() => problems.count()).toBe(2);
    await expect
      .poll(() => problems.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^6\s+has text after a closing quotation mark/),
        expect.stringMatching(/^4\s+Role\s+must be one of .*Now “boss”/s),
      ]);
    await inspect(page, 'users-import-check');
    await page.getByRole('button', { name: 'Create and invite 2 users' }).click();
    await page.getByRole('heading', { name: 'Import finished' }).waitFor();
    await page.getByText('2 users created and invited').waitFor();
    const link = page.getByLabel('Link for zoe@example.com', { exact: true });
    await expect.poll(() => link.inputValue()).toContain('/invite?token=');
    await inspect(page, 'users-import-done');
    expect(await find('Zoe')).toMatchObject({
      email: 'zoe@example.com',
      role: 'user',
      invited: true,
    });
    await page.getByRole('button', { name: 'Show users' }).click();
    await page.getByRole('link', { name: 'Xi Xu' }).waitFor();

    // The same file again creates nobody.
    await page.getByRole('link', { name: 'Import CSV' }).click();
    await choose(page, lines);
    await page.getByText('No line can be imported.').waitFor();
    await page.getByText('3 users exist already.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('asks for columns that it doesn’t find, and goes on after a failure', async () => {
    const { open, find } = await start();
    const { page } = await open(root, '/users?import=csv', { width: 390, height: 664 });
    await choose(page, ['Person;Contact', 'Zoe Zed;zoe@example.com']);
    await page.getByText('Choose the column of Email and Name.').waitFor();
    await page.getByLabel('Email').selectOption('Contact');
    await page.getByLabel('Name', { exact: true }).selectOption('Person');
    await page.getByText('1 user can be created.').waitFor();
    await inspect(page, 'users-import-phone');
    await page.route('**/api/users/import', (route) =>
      route.fulfill({ status: 409, json: { error: { message: 'Not now.' } } }),
    );
    await page.getByRole('button', { name: 'Create and invite 1 user' }).click();
    await page.getByText('Not now.').waitFor();
    await page.getByText('Stopped. 1 user left.').waitFor();
    await page.unroute('**/api/users/import');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('1 user created and invited').waitFor();
    expect(await find('Zoe')).toMatchObject({ email: 'zoe@example.com' });
  });
});
