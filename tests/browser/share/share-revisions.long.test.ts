import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openEdit, openMoreOptions } from '../../support/pages/composer-page.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the revisions of a share', () => {
  const openRevisions = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByRole('heading', { name: 'Revisions', exact: true }).waitFor();
  };

  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes saved' }).waitFor();
  };

  it('are seen by readers without a script, if the owner says so', async () => {
    const { page, url, id, own } = await openEdit(browser, {
      content: '# One\n',
      language: 'markdown',
      title: 'Notes',
    });
    await page.getByLabel('Content', { exact: true }).fill('# Two\n');
    await openMoreOptions(page);
    await page.getByRole('switch', { name: 'Readers see revisions' }).check();
    await page.keyboard.press('Escape');
    await save(page);
    await expect.poll(() => own()).toMatchObject({ showsRevisions: true });

    const context = await openContext(browser, { javaScriptEnabled: false });
    const { page: reader } = await openPage(context, `${url}/s/${id}`);
    await openRevisions(reader);
    await reader.getByRole('link', { name: 'Changes' }).click();
    await reader.getByRole('group', { name: 'Differences' }).getByText('+# Two').waitFor();
    await expect.poll(() => reader.getByRole('button', { name: 'Restore' }).count()).toBe(0);
    await reader.getByRole('link', { name: 'Raw' }).click();
    await expect.poll(() => reader.locator('body').innerText()).toContain('# One');
  });

  it('stay as they are if restoring fails', async () => {
    const { page, url, id, change } = await openEdit(browser, { content: '<p>One</p>' });
    await change({ content: '<p>Two</p>' });
    await page.goto(`${url}/s/${id}`);
    await openRevisions(page);
    await page.route('**/restore', (route) => route.abort());
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Couldn’t restore the revision').waitFor();
    await page.unroute('**/restore');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.waitForURL(`${url}/s/${id}`);
  });
});
