// Where the focus goes when what has it goes away, on a page of its own.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { button, focused, useComponents } from './components-page.ts';

describe.skipIf(!hasBrowser)('the focus in a browser', () => {
  const open = useComponents('lists', 'h1');

  it('goes to the same control of the next row, the one before, and then to the heading', async () => {
    const { page, complaints } = await open();
    await button(page, 'Revoke Two').press('Enter');
    await expect.poll(() => focused(page)).toBe('Revoke Three');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Revoke One');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Keys');
    expect(complaints).toEqual([]);
  });

  it('goes beside a button that is disabled, and to the heading where a part is replaced', async () => {
    const { page } = await open();
    await button(page, 'Next').press('Enter');
    await expect.poll(() => focused(page)).toBe('Previous');
    await button(page, 'Ask').press('Enter');
    await expect.poll(() => focused(page)).toBe('Question');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('Done');
  });

  it('stays away from what the user leaves', async () => {
    const { page } = await open();
    await button(page, 'Ask').focus();
    await page.getByText('Nothing to focus').click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BUTTON');
    await expect.poll(() => focused(page)).not.toBe('Question');
  });
});
