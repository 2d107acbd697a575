// The parts of second factors by keyboard, on a page of their own. What pages do with them is in `account/`.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { inspect } from '../support/pages/open-page.ts';
import { button, log, useComponents } from './components-page.ts';

const field = (page: Page) => page.getByLabel('Enter the code it shows');
const isFocused = (page: Page, name: string) =>
  button(page, name).and(page.locator(':focus')).waitFor();
const getCells = (page: Page) =>
  page.locator('.code6 > span').evaluateAll((all) => all.map(({ className }) => className));

describe.skipIf(!hasBrowser)('the parts of second factors in a browser', () => {
  const start = useComponents('factors', '.row');
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  const open = async (name: string) => {
    const opened = await start(options);
    await button(opened.page, name).focus();
    await opened.page.keyboard.press('Enter');
    return opened;
  };

  it('prove an authenticator app by the code that it shows, which the sixth digit sends', async () => {
    const { page, complaints } = await open('Set up');
    await field(page).and(page.locator(':focus')).waitFor();
    await page.locator('.qr path[d^=M]').waitFor();
    await page.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP').waitFor();
    await page.keyboard.type('7a1');
    expect(await field(page).inputValue()).toBe('71');
    expect(await getCells(page)).toEqual(['', '', 'at', '', '', '']);
    await inspect(page, 'factors-steps');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the 6 digits that your authenticator app shows.').waitFor();
    await page.keyboard.type('482915');
    await page.getByText('Incorrect code. Try again.').waitFor();
    // What was typed stays, and the next code replaces it.
    expect(await field(page).inputValue()).toBe('482915');
    await inspect(page, 'factors-steps-wrong');
    await page.keyboard.type('000000');
    await page.getByText('The service can’t be reached.').waitFor();
    await page.getByRole('button', { name: 'Copy key' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
    await page.evaluate('navigator.clipboard.writeText("123 456")');
    await field(page).focus();
    await field(page).selectText();
    await page.keyboard.press('Control+V');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await isFocused(page, 'Set up');
    expect(await log(page)).toBe('482915 000000 123456');
    expect(complaints).toEqual([]);
  });

  it('are copied and downloaded as recovery codes, and done once they are saved', async () => {
    const { page, complaints } = await open('Codes');
    await isFocused(page, 'Copy');
    await inspect(page, 'factors-codes');
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()')).split('\n');
    expect(copied).toHaveLength(10);
    await page.keyboard.press('Tab');
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toBe('handbill-recovery-codes.txt');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toContain('maria@example.com');
    expect(text.trimEnd().split('\n').slice(-10)).toEqual(copied);
    await page.evaluate('globalThis.print = () => document.body.classList.add("printed")');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.printed').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.codes').isVisible()).toBe(true);
    expect(await page.locator('.saving').evaluate((all) => getComputedStyle(all).opacity)).toBe(
      '0',
    );
    await page.emulateMedia({ media: 'screen' });
    await button(page, 'Done').click({ force: true });
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.getByLabel('I saved the codes').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await isFocused(page, 'Codes');
    expect(complaints).toEqual([]);
  });
});
