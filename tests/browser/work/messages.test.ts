import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { ann, bob, look, reply, start, subjects, texts, unread } from '../flows/messages.ts';

describe.skipIf(!hasBrowser)('messages in a browser', () => {
  it('go between two people in two browsers, without reload', async () => {
    const { open } = await start();
    const a = await open(ann, '/messages');
    const b = await open(bob, '/messages');
    await b.page.getByText('No messages yet').waitFor();

    // Ann writes to two people by keyboard.
    await a.page.getByRole('link', { name: 'New message' }).press('Enter');
    await expect.poll(() => a.page.evaluate('document.activeElement.role')).toBe('combobox');
    for (const name of ['Bob', 'Cem']) {
      await a.page.keyboard.type(name);
      await a.page.getByRole('option', { name: `${name.toLowerCase()}@example.com` }).waitFor();
      await a.page.keyboard.press('Enter');
      await a.page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    }
    await a.page.keyboard.press('Backspace');
    await a.page.keyboard.press('Backspace');
    await expect.poll(() => a.page.getByRole('button', { name: 'Remove Cem' }).count()).toBe(0);
    await a.page.getByLabel('Subject', { exact: true }).fill('Plans');
    await a.page
      .getByLabel('Message', { exact: true })
      .fill('See https://example.com/plan.\n\nOk?');
    await a.page.keyboard.press('Control+Enter');
    await a.page.getByText('Message sent').waitFor();
    await a.page.getByRole('heading', { name: 'Plans' }).waitFor();
    expect(a.page.url()).toMatch(/\?open=\d+$/);
    await expect
      .poll(() => a.page.locator('.msg a').getAttribute('href'))
      .toBe('https://example.com/plan');

    // It appears at Bob’s, who opens it by keyboard; so it is read.
    await look(b.page);
    await expect.poll(() => subjects(b.page)).toEqual(['Unread: Plans']);
    const count = b.page.locator('[data-count=messages]').first();
    await expect.poll(() => count.innerText()).toBe('1');
    await b.page.keyboard.press('ArrowDown');
    await expect.poll(() => b.page.evaluate('document.activeElement.dataset.at')).toBe('0');
    await b.page.keyboard.press('Enter');
    await expect.poll(() => texts(b.page)).toEqual(['See https://example.com/plan.\n\nOk?']);
    await expect.poll(() => unread(b.page)).toBe(0);
    await expect.poll(() => count.isHidden()).toBe(true);

    // He answers, and Ann sees it.
    await b.page.keyboard.press('r');
    await expect
      .poll(() => b.page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Reply to Ann');
    await b.page.keyboard.type('Fine');
    await b.page.keyboard.press('Control+Enter');
    await expect.poll(() => reply(b.page).inputValue()).toBe('');
    await look(a.page);
    await expect
      .poll(() => texts(a.page))
      .toEqual(['See https://example.com/plan.\n\nOk?', 'Fine']);
    await expect.poll(() => unread(a.page)).toBe(0);
    await expect.poll(() => a.page.locator('.dayline').count()).toBe(0);

    // Where names aren’t found, those of one’s conversations are.
    await b.page.getByRole('link', { name: 'New message' }).click();
    await b.page.getByPlaceholder('Whole email address, or name').fill('c');
    await b.page.getByText('Nobody found.').first().waitFor();
    await b.page.getByPlaceholder('Whole email address, or name').fill('an');
    await b.page.getByRole('option', { name: 'Ann' }).click();
    await b.page.getByLabel('Message', { exact: true }).fill('Another');
    await b.page.reload();
    await b.page.getByRole('button', { name: 'Remove Ann' }).waitFor();
    await b.page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => texts(b.page)).toEqual(['Another']);
    await look(a.page);
    await expect.poll(() => subjects(a.page)).toEqual(['Unread: No subject', 'Plans']);
    expect([...a.complaints, ...b.complaints]).toEqual([]);
  });
});
