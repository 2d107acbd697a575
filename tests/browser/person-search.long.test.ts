// The search for people by keyboard, on a page of its own: each of its states. What pages do with it is in `work/`.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { inspect } from '../support/pages/open-page.ts';
import { button, log, useComponents } from './components-page.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'People' });
const options = (page: Page) => page.getByRole('option');
const said = (page: Page) => page.locator('.people [role=status]').innerText();
const active = (page: Page) =>
  page.evaluate(
    'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.querySelector("b").textContent',
  );

/** The texts of the requests that were sent. */
const sent = (page: Page) => page.evaluate('requests.map(({ text }) => text)');

const end = (page: Page, text: string, how: 'succeed' | 'fail') =>
  page.evaluate(`requests.findLast((one) => one.text === ${JSON.stringify(text)}).${how}()`);

describe.skipIf(!hasBrowser)('the search for people in a browser', () => {
  const open = useComponents('person-search', 'form');
  const start = async (hash = '', options: BrowserContextOptions = {}) => {
    const { page, complaints } = await open(options);
    if (hash !== '') {
      await page.goto(`${page.url()}#${hash}`);
      await page.reload();
    }
    await field(page).focus();
    return { page, complaints };
  };

  it('picks by arrows and Enter, and never submits the form', async () => {
    const { page, complaints } = await start();
    await page.keyboard.press('Enter');
    await page.keyboard.type('jo');
    await expect.poll(() => active(page)).toBe('Jonas Okafor');
    await expect.poll(() => said(page)).toBe('3 people found');
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('mark').allInnerTexts()).toEqual(['Jo', 'Jo', 'Jo']);
    await inspect(page, 'person-search');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => active(page)).toBe('Lena Jost');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toBe('José Ruiz');
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('José Ruiz; sent 0');
    await expect.poll(() => said(page)).toBe('José Ruiz added, 1 person');
    // The field keeps the focus, and is ready for the next one.
    await page.keyboard.type('lena');
    await expect.poll(() => active(page)).toBe('Lena Jost');
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('José Ruiz, Lena Jost; sent 0');
    // Tab leaves, and from another field Enter submits.
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('after');
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('José Ruiz, Lena Jost; sent 1');
    expect(complaints).toEqual([]);
  });

  it('removes the last by Backspace twice, and any by its button', async () => {
    const { page } = await start();
    for (const name of ['jonas', 'lena']) {
      await page.keyboard.type(name);
      await expect.poll(() => options(page).count()).toBe(1);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Backspace');
    await page.getByText('Backspace again removes Lena Jost.').waitFor();
    await inspect(page, 'person-search-armed');
    // Esc and another key take the mark away.
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText(/^Backspace again/).count()).toBe(0);
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await expect.poll(() => log(page)).toBe('Jonas Okafor; sent 0');
    await expect.poll(() => said(page)).toBe('Lena Jost removed, 1 person');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('; sent 0');
    await page.keyboard.type('sam');
    await expect.poll(() => options(page).count()).toBe(1);
  });

  it('closes its list by Esc and keeps the text', async () => {
    const { page } = await start();
    await page.keyboard.type('jo');
    await expect.poll(() => options(page).count()).toBe(3);
    await page.keyboard.press('Escape');
    await expect.poll(() => options(page).count()).toBe(0);
    expect(await field(page).inputValue()).toBe('jo');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toBe('Jonas Okafor');
  });

  it('shows those added and those who can’t be, and picks neither', async () => {
    const { page } = await start();
    await page.keyboard.type('jonas');
    await expect.poll(() => options(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.keyboard.type('jo');
    await expect.poll(() => active(page)).toBe('José Ruiz');
    await expect
      .poll(() => page.locator('[aria-disabled=true]').allInnerTexts())
      .toEqual(['JO\nJonas Okafor\njonas.okafor@example.com\nAdded']);
    await page.locator('[aria-disabled=true]').click({ force: true });
    await field(page).fill('sam');
    await page.getByRole('option', { name: /Owner/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('Jonas Okafor; sent 0');
    expect(await findViolations(page)).toEqual([]);
  });

  it('says that nobody is found, that there are more, and that a text isn’t enough', async () => {
    const { page } = await start();
    await page.keyboard.type('zzyx');
    await page.getByText('No one here is called “zzyx”.').first().waitFor();
    await page.keyboard.press('Enter');
    await field(page).fill('max');
    await page.getByText('The first 8. Type more to find others.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    const { page: exact } = await start('exact');
    await exact.keyboard.type('lena@exam');
    await exact.getByText('Enter the whole email address.').waitFor();
    await exact.keyboard.press('Enter');
    expect(await sent(exact)).toEqual([]);
    await exact.keyboard.type('ple.com');
    await exact.keyboard.press('Enter');
    await expect.poll(() => sent(exact)).toEqual(['lena@example.com']);
  });

  it('says that it is full, and finds nobody then', async () => {
    const { page } = await start();
    for (const name of ['jonas', 'lena', 'jose']) {
      await page.keyboard.type(name);
      await expect.poll(() => options(page).count()).toBe(1);
      await page.keyboard.press('Enter');
    }
    await expect.poll(() => page.locator('.people > .hint').innerText()).toBe('3 people at most.');
    await page.keyboard.type('t');
    await expect.poll(() => page.locator('.people > .err').innerText()).toBe('3 people at most.');
    expect(await field(page).getAttribute('aria-invalid')).toBe('true');
    expect(await sent(page)).not.toContain('t');
    await inspect(page, 'person-search-full');
  });

  it('never lets a late answer replace a newer one', async () => {
    const { page } = await start('hold');
    await page.keyboard.type('jo');
    await expect.poll(() => sent(page)).toEqual(['jo']);
    await expect.poll(() => page.locator('.hits .sk').count()).toBe(3);
    await page.keyboard.type('s');
    await expect.poll(() => sent(page)).toEqual(['jo', 'jos']);
    await end(page, 'jos', 'succeed');
    await expect.poll(() => options(page).count()).toBe(2);
    await end(page, 'jo', 'succeed');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active(page)).toBe('Lena Jost');
    expect(await options(page).count()).toBe(2);
    // Those of an earlier answer who match are there at once.
    await page.keyboard.type('t');
    await expect.poll(() => active(page)).toBe('Lena Jost');
  });

  it('picks the only one for an Enter before the answer, and of several none', async () => {
    const { page } = await start('hold');
    for (const [text, chosen] of [
      ['tom', 'Tomás Ruiz; sent 0'],
      ['jo', 'Tomás Ruiz; sent 0'],
    ] as const) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => sent(page)).toContain(text);
      await end(page, text, 'succeed');
      await expect.poll(() => log(page)).toBe(chosen);
    }
    await expect.poll(() => active(page)).toBe('Jonas Okafor');
  });

  it('says why a search failed, and tries again by button and when it is online again', async () => {
    const { page } = await start('hold');
    await page.keyboard.type('lena');
    await expect.poll(() => sent(page)).toEqual(['lena']);
    await end(page, 'lena', 'fail');
    await page.getByRole('alert').getByText('Can’t reach the server.').waitFor();
    await inspect(page, 'person-search-failed');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent(page)).toEqual(['lena', 'lena']);
    await expect.poll(() => field(page).evaluate((it) => it.matches(':focus'))).toBe(true);
    await end(page, 'lena', 'fail');
    await page.getByRole('alert').waitFor();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await expect.poll(() => sent(page)).toEqual(['lena', 'lena', 'lena']);
    await end(page, 'lena', 'succeed');
    await expect.poll(() => active(page)).toBe('Lena Jost');
  });

  it('picks nobody while a word is composed', async () => {
    const { page } = await start();
    const client = await page.context().newCDPSession(page);
    await client.send('Input.imeSetComposition', {
      text: 'lena',
      selectionStart: 4,
      selectionEnd: 4,
    });
    await expect.poll(() => active(page)).toBe('Lena Jost');
    const press = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
    await field(page).dispatchEvent('keydown', press);
    await field(page).dispatchEvent('keydown', { ...press, isComposing: false, keyCode: 229 });
    expect(await log(page)).toBe('; sent 0');
    expect(await options(page).count()).toBe(1);
    await client.send('Input.insertText', { text: 'lena' });
    await page.keyboard.press('Enter');
    await expect.poll(() => log(page)).toBe('Lena Jost; sent 0');
  });

  it('sends nothing while someone is typed and not picked', async () => {
    const { page } = await start();
    await page.keyboard.type('lena');
    await button(page, 'Send').click();
    await page.getByText('Choose someone for “lena”, or clear the field.').waitFor();
    await expect.poll(() => field(page).evaluate((it) => it.matches(':focus'))).toBe(true);
    expect(await log(page)).toBe('; sent 0');
    await field(page).fill('');
    await button(page, 'Send').click();
    await expect.poll(() => log(page)).toBe('; sent 1');
  });

  it('makes chips of a pasted list, and leaves what finds nobody', async () => {
    const { page } = await start();
    const paste = (text: string) =>
      field(page).evaluate((input, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        const init = { clipboardData, bubbles: true, cancelable: true };
        input.dispatchEvent(new ClipboardEvent('paste', init));
      }, text);
    await paste('Lena <lena.jost@example.com>; nobody@example.com\nlena@,jonas.okafor@example.com');
    await expect.poll(() => log(page)).toBe('Lena Jost, Jonas Okafor; sent 0');
    await page.getByText('Not an email address: lena@.').waitFor();
    expect(await field(page).inputValue()).toBe('lena@, nobody@example.com');
  });

  it('is used by touch on a phone: the finger picks, and the field keeps the focus', async () => {
    const { page } = await start('', {
      viewport: { width: 390, height: 664 },
      hasTouch: true,
      isMobile: true,
    });
    await field(page).tap();
    await page.keyboard.type('max');
    await expect.poll(() => options(page).count()).toBe(8);
    const box = await page.locator('.hits').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(664);
    expect((await options(page).first().boundingBox())?.height).toBeGreaterThanOrEqual(40);
    await options(page).first().tap();
    await expect.poll(() => log(page)).toBe('Max 1; sent 0');
    await expect.poll(() => field(page).evaluate((it) => it.matches(':focus'))).toBe(true);
    await inspect(page, 'person-search-phone');
  });
});
