import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openOptions, read } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { openShares } from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the copy of a share in a browser', () => {
  const duplicate = async (page: Page, name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByText('You’re writing a new share that began as a copy.').waitFor();
  };

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
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('none');

    await send(`${url}/api/share/${made[0]?.id}/end`, { method: 'POST', token });
    await page.goto(`${url}/?duplicate=${made[0]?.id}`);
    await page.getByText('This share has ended and can’t be duplicated.').waitFor();
  });
});
