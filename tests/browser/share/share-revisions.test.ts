import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openEdit, openOptions } from '../../support/pages/composer-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { chooseAction } from '../../support/pages/shares-page.ts';

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
    await openOptions(page);
    await page.getByLabel('Readers see revisions').selectOption('Yes');
    await page.keyboard.press('Escape');
    await save(page);
    expect(await own()).toMatchObject({ showsRevisions: true });

    const context = await openContext(browser, { javaScriptEnabled: false });
    const { page: reader } = await openPage(context, `${url}/s/${id}`);
    await openRevisions(reader);
    await reader.getByRole('link', { name: 'Changes' }).click();
    await reader.getByRole('group', { name: 'Differences' }).getByText('+# Two').waitFor();
    expect(await reader.getByRole('button', { name: 'Restore' }).count()).toBe(0);
    await reader.getByRole('link', { name: 'Raw' }).click();
    expect(await reader.locator('body').innerText()).toContain('# One');
  });

  it('are restored by the owner', async () => {
    const { page, url, id, own, change, complaints } = await openEdit(browser, {
      content: '<p>One</p>',
      title: 'Notes',
      password: 'Abc123',
    });
    await change({ content: '<p>Two</p>' });
    await page.goto(`${url}/shares`);
    await chooseAction(page, 'Notes', 'Revisions');
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('+<p>Two</p>').waitFor();
    await inspect(page, 'share-revisions');
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.waitForURL(`${url}/s/${id}`);
    expect(await own()).toMatchObject({ version: 3 });
    await page.goBack();
    await page.reload();
    expect(await page.getByRole('listitem').count()).toBe(2);
    expect(complaints).toEqual([]);
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
