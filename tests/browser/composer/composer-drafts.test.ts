// The draft of a share that is edited, kept in the browser beside the share’s own versions.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  isKept,
  kept,
  openEdit,
  openOptions,
  passwordMode,
  save,
  saved,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const stored = {
  content: '# Before',
  language: 'markdown',
  title: 'A note',
  password: 'Abc123',
  viewLimit: 5,
};

describe.skipIf(!hasBrowser)('the draft of an edited share', () => {
  const views = (page: Page) => page.getByLabel('View limit');

  it('is restored on reload, with the options of the share', async () => {
    const { page, own } = await openEdit(browser, stored);
    await text(page).fill('# Mine');
    await openOptions(page);
    await choosePassword(page, 'None');
    await views(page).fill('');
    await page.keyboard.press('Escape');
    await isKept(page, '# Mine');
    await page.reload();
    await page.getByText('Draft restored.').waitFor();
    await textIs(page, '# Mine');
    await expect.poll(() => passwordMode(page).inputValue()).toBe('keep');
    await expect.poll(() => views(page).inputValue()).toBe('5');
    await save(page).click();
    await saved(page);
    await expect
      .poll(() => own())
      .toMatchObject({ content: '# Mine', protected: true, viewLimit: 5 });
    await expect.poll(() => kept(page)).toBe('{}');
  });
});
