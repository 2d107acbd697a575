// What is being named has all keys. What else isn't saved is in `unsaved.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { choose, line, named, openFiles, startFiles } from '../support/pages/files-page.ts';
import { browser } from '../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('unsaved changes in a browser', () => {
  it('of a name have the keys as soon as F2 is pressed, wherever the menu shows F2', async () => {
    const service = await startFiles();
    const { page } = await openFiles(browser, service);
    await page.locator('#choose').setInputFiles([named('plan.txt', 'A plan')]);
    await line(page, 'plan.txt').waitFor();
    const rename = page.getByRole('dialog', { name: /^Rename/ });
    const close = async () => {
      await rename.getByRole('textbox').waitFor();
      await page.keyboard.press('Escape');
      await rename.waitFor({ state: 'detached' });
    };
    // The code of the dialog is still on its way while the user types.
    let letIn = () => {};
    const isLetIn = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route('**/scripts/files-late*', async (route) => {
      await isLetIn;
      await route.continue();
    });
    await page.getByRole('link', { name: 'plan.txt' }).focus();
    await page.keyboard.press('F2');
    await page.keyboard.press('c');
    letIn();
    await close();
    expect(new URL(page.url()).pathname).toBe('/files');

    const more = page.getByRole('button', { name: 'Actions for plan.txt' });
    await more.focus();
    await page.keyboard.press('F2');
    await close();
    await more.click();
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await page.keyboard.press('F2');
    await close();
    await choose(page, 'plan.txt', 'Preview');
    await page.locator('dialog.drawer[open]').getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('F2');
    await close();
  });
});
