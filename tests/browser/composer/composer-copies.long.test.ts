// “Duplicate” in the list of shares.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openOptions, passwordMode, read } from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { openShares } from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the copy of a share in a browser', () => {
  const duplicate = async (page: Page, name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByText('You’re writing a new share that began as a copy.').waitFor();
  };

  it('has its content and options, and a link and a password of its own', async () => {
    const expiresAt = new Date(Date.now() + 90_000_000).toISOString();
    const { page, url, token, made, complaints } = await openShares(browser, [
      {
        content: '# Team\r\n\r\nnotes',
        language: 'markdown',
        title: 'Notes',
        description: 'Weekly',
        slug: 'team-notes',
        password: 'Abc123',
        viewLimit: 5,
        expiresAt,
        notify: true,
        embedOrigins: ['https://blog.example.com'],
      },
    ]);
    await duplicate(page, 'Notes');
    await page.getByText('It gets a link and a password of its own').waitFor();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Notes');
    await expect.poll(() => page.locator('#share-slug').inputValue()).toBe('');
    await expect.poll(() => passwordMode(page).inputValue()).toBe('random');
    await inspect(page, 'duplicate');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('heading', { name: 'Your page is ready' }).waitFor();
    const { items } = (await send(`${url}/api/share?mine=true`, { token })).body;
    expect(items).toMatchObject([
      {
        title: 'Notes',
        description: 'Weekly',
        slug: null,
        protected: true,
        viewLimit: 5,
        expiresAt: `${expiresAt.slice(0, 16)}:00.000Z`,
        notify: true,
        embedOrigins: ['https://blog.example.com'],
      },
      { id: made[0]?.id, slug: 'team-notes', version: 1 },
    ]);
    const own = await send(`${url}/api/share?mine=true&id=${items[0].id}`, { token });
    expect(own.body.content).toBe('# Team\r\n\r\nnotes');
    expect(complaints).toEqual([]);
  });

  it('leaves the draft of another share, and can’t be of an ended one', async () => {
    const { page, url, token, made } = await openShares(browser, [
      { content: '<p>One</p>', title: 'One' },
    ]);
    await page.goto(url);
    await page.getByLabel('Content', { exact: true }).fill('My draft');
    await page.goto(`${url}/shares`);
    await duplicate(page, 'One');
    await expect.poll(() => read(page)).toBe('<p>One</p>');
    await page.getByText('You have a draft of another share.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Restore my draft' }).click();
    await page.getByText('Draft restored.').waitFor();
    await expect.poll(() => read(page)).toBe('My draft');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => read(page)).toBe('<p>One</p>');
    await openOptions(page);
    await expect.poll(() => passwordMode(page).inputValue()).toBe('none');

    await send(`${url}/api/share/${made[0]?.id}/end`, { method: 'POST', token });
    await page.goto(`${url}/?duplicate=${made[0]?.id}`);
    await page.getByText('This share has ended and can’t be duplicated.').waitFor();
  });
});
