// An open drawer stays while the list changes. What changes within it is in `own-changes.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('a record in an open drawer', () => {
  it('stays open with what is typed while the list shows others', async () => {
    const { open } = await startConsole(browser, [{ name: 'Ann', role: 'user' }]);
    const { page } = await open(root, '/users');
    await page.getByRole('link', { name: 'Ann' }).click();
    const name = page.locator('dialog.drawer[open]').getByLabel('Name', { exact: true });
    await name.fill('Anna');
    await page.getByRole('searchbox').first().fill('nobody');
    await page.getByText('No users match').waitFor();
    expect(await name.inputValue()).toBe('Anna');
  });
});
