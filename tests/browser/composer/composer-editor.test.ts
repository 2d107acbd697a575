import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  codeMirror,
  newContext,
  startComposer,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the editor of the composer', () => {
  const area = (page: Page) => page.locator('textarea');

  /** Opens the composer and holds CodeMirror back until it is released. */
  const openHeld = async () => {
    const context = await newContext(browser);
    const released = Promise.withResolvers<void>();
    await context.route('**/code-editor.*', async (route) => {
      await released.promise;
      await route.continue();
    });
    return { ...(await openPage(context, await startComposer())), release: released.resolve };
  };

  it('is a textarea until CodeMirror takes over, with its text, selection and history', async () => {
    const { page, complaints, release } = await openHeld();
    await area(page).pressSequentially('one');
    await page.keyboard.press('Enter');
    await area(page).pressSequentially('two three');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    release();
    await page.waitForResponse(/code-editor/);
    await expect.poll(() => area(page).isVisible()).toBe(true);
    await page.getByLabel('Title').focus();
    await codeMirror(page);
    await expect.poll(() => area(page).count()).toBe(0);
    await textIs(page, 'one\ntwo three');
    await text(page).focus();
    await page.keyboard.type('3');
    await textIs(page, 'one\ntwo 3');
    await page.keyboard.press('Control+z');
    await textIs(page, 'one\ntwo three');
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+z');
    await textIs(page, '');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await textIs(page, 'one\ntwo three');
    // The policy allows its styles, because they are adopted by a shadow root.
    expect(complaints).toEqual([]);
    expect(
      await page.evaluate(
        "getComputedStyle(document.querySelector('.editor').shadowRoot.querySelector('.cm-scroller')).fontFamily",
      ),
    ).toContain('monospace');
  });
});
