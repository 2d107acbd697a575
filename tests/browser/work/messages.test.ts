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
    await a.page.getByRole('combobox', { name: 'To' }).focus();
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

  it('are marked as unread, deleted with undo, and filtered in the address', async () => {
    const { open, write } = await start();
    for (const subject of ['One', 'Two', 'Three']) await write({ subject });
    const { page, complaints } = await open(bob, '/messages');
    await expect.poll(() => unread(page)).toBe(3);
    await page.getByRole('link', { name: /Two/ }).click();
    await expect.poll(() => unread(page)).toBe(2);
    await page.keyboard.press('u');
    await expect.poll(() => unread(page)).toBe(3);
    await page.getByText('Choose a conversation').waitFor();

    await page.getByRole('link', { name: /Two/ }).click();
    await expect.poll(() => unread(page)).toBe(2);
    await page.getByRole('button', { name: /^Unread/ }).click();
    await expect.poll(() => subjects(page)).toEqual(['Unread: Three', 'Unread: One']);
    await page.reload();
    await expect.poll(() => subjects(page)).toEqual(['Unread: Three', 'Unread: One']);
    await page.getByRole('button', { name: 'Sent', exact: true }).click();
    await page.getByText('You haven’t sent any messages.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await subjects(page)).length).toBe(3);

    const remove = async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete conversation' }).click();
    };
    await page.getByRole('link', { name: /Two/ }).click();
    await remove();
    await expect.poll(async () => (await subjects(page)).length).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await subjects(page)).length).toBe(3);
    await page.getByRole('link', { name: /Two/ }).click();
    await remove();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect
      .poll(async () => {
        await page.reload();
        await page.locator('.convs li').first().waitFor();
        return (await subjects(page)).length;
      })
      .toBe(2);

    // One message of a conversation.
    await page.getByRole('link', { name: /One/ }).click();
    await page.locator('.msg').hover();
    await page.getByRole('button', { name: 'More about the message from Ann' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('This conversation doesn’t exist').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => texts(page)).toEqual(['Hi']);
    expect(complaints).toEqual([]);
  });

  it('keep a draft while offline, and say what fails', async () => {
    const { open, write } = await start();
    await write({ subject: 'One' });
    const { page } = await open(bob, '/messages');
    await page.route('**/read', (route) => route.abort());
    await page.locator('.convs li a').click();
    await page.getByText('Couldn’t mark as read.').waitFor();
    await expect.poll(() => unread(page)).toBe(1);
    await page.unroute('**/read');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => unread(page)).toBe(0);

    await page.context().setOffline(true);
    await reply(page).fill('Later');
    const button = page.getByRole('button', { name: 'Send' });
    await expect
      .poll(() => button.getAttribute('title'))
      .toBe('You’re offline. Your draft is kept.');
    await reply(page).press('Control+Enter');
    await page.context().setOffline(false);
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null);
    await page.reload();
    await expect.poll(() => reply(page).inputValue()).toBe('Later');
    await button.click();
    await expect.poll(() => texts(page)).toEqual(['Hi', 'Later']);
    await expect.poll(() => reply(page).inputValue()).toBe('');
    await page.goto(`${new URL(page.url()).origin}/messages?open=1`);
    await page.getByRole('alert').getByText('Conversation not found.').waitFor();
  });
});
