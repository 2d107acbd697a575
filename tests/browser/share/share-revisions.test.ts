import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openEdit } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { chooseAction } from '../../support/pages/shares-page.ts';

describe.skipIf(!hasBrowser)('the revisions of a share', () => {
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
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.waitForURL(`${url}/s/${id}`);
    await expect.poll(() => own()).toMatchObject({ version: 3 });
    await page.goBack();
    await page.reload();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(2);
    expect(complaints).toEqual([]);
  });
});
