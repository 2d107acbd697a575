// A conversation keeps its people, whoever the newest message went to.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { addressOf, names, start } from '../flows/conversation.ts';
import { look, reply, texts } from '../flows/messages.ts';

describe.skipIf(!hasBrowser)('a conversation in a browser', () => {
  it('keeps its people, and replies go to whom it says', async () => {
    const { open, write, idOf } = await start();
    const { id } = await write('Jonas Okafor', {
      recipients: [idOf('Maria Keller'), idOf('Lena Brandt'), idOf('Ana Vidal')],
      subject: 'Covers for spring',
      content: 'Two drafts are in the files. I prefer the one with the mill.',
    });
    const toAll = { conversationId: id };
    await write('Lena Brandt', { ...toAll, content: 'The mill, with the green of page 6.' });
    const { id: figures } = await write('Ana Vidal', { ...toAll, content: 'The mill is cheaper.' });
    await write('Jonas Okafor', {
      ...toAll,
      recipients: [idOf('Maria Keller'), idOf('Lena Brandt')],
      content: 'Don’t tell Ana.',
    });
    await write('Jonas Okafor', {
      ...toAll,
      recipients: [idOf('Maria Keller')],
      content: 'Only for you: can we talk about the budget on Tuesday?',
    });
    const { page, complaints } = await open(addressOf('Maria Keller'), '/messages', {
      width: 1280,
      height: 800,
    });
    const row = page.locator('.convs li a');
    await expect.poll(() => row.locator('b').innerText()).toBe('Jonas, Lena, Ana');
    expect(await row.locator('p').last().innerText()).toContain('Jonas: Only for you');
    await row.click();
    await page.getByText('You, Jonas Okafor, Lena Brandt and Ana Vidal').waitFor();
    await expect
      .poll(() => page.locator('.msg .badge').allInnerTexts())
      .toEqual(['Only you and Lena', 'Only you']);
    expect(await page.locator('.msg').first().innerText()).toContain('to everyone');

    // To everyone unless chosen otherwise; `r` keeps what is chosen, `a` is everyone.
    const receivers = page.locator('.reply-to > .cut');
    const segments = page.getByRole('group', { name: 'Reply to' }).getByRole('button');
    const active = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(await receivers.innerText()).toBe('To Jonas, Lena and Ana');
    expect(await segments.allInnerTexts()).toEqual(['Reply all', 'Jonas']);
    await page.getByRole('heading', { name: 'Covers for spring' }).click();
    await page.keyboard.press('r');
    await expect.poll(active).toBe('Reply to everyone');
    await inspect(page, 'messages-people');
    await segments.nth(1).click();
    await expect.poll(() => receivers.innerText()).toBe('To Jonas Okafor only');
    await page.getByRole('heading', { name: 'Covers for spring' }).click();
    await page.keyboard.press('r');
    await expect.poll(active).toBe('Reply to Jonas Okafor');
    await page.keyboard.type('Tuesday is fine');
    await inspect(page, 'messages-one');
    // What was chosen stays with the draft, or it would reach everyone after a reload.
    await page.reload();
    await expect.poll(() => receivers.innerText()).toBe('To Jonas Okafor only');
    expect(await reply(page).inputValue()).toBe('Tuesday is fine');
    await reply(page).press('Control+Enter');
    await expect.poll(async () => (await texts(page)).at(-1)).toBe('Tuesday is fine');
    expect(await page.locator('.msg .badge').last().innerText()).toBe('Only Jonas');
    expect(await receivers.innerText()).toBe('To Jonas Okafor only');

    // A message’s own reply goes to its sender, never to “You”.
    await page.locator(`[data-id="${figures}"]`).hover();
    await page.getByRole('button', { name: 'More about the message from Ana Vidal' }).click();
    await page.getByRole('menuitem', { name: 'Reply' }).click();
    await expect.poll(() => segments.allInnerTexts()).toEqual(['Reply all', 'Ana']);
    await page.getByRole('heading', { name: 'Covers for spring' }).click();
    await page.keyboard.press('a');
    await expect.poll(active).toBe('Reply to everyone');
    await page.keyboard.type('Thanks');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await texts(page)).at(-1)).toBe('Thanks');
    expect(await segments.allInnerTexts()).toEqual(['Reply all', 'Jonas']);
    await page.getByText('You, Jonas Okafor, Lena Brandt and Ana Vidal').waitFor();

    // Lena gets what went to everyone, although the message before went to Jonas alone.
    const lena = await open(addressOf('Lena Brandt'), `/messages?open=${id}`);
    await expect.poll(async () => (await texts(lena.page)).at(-1)).toBe('Thanks');
    expect(await texts(lena.page)).not.toContain('Tuesday is fine');
    await expect
      .poll(() => lena.page.locator('.msg .badge').allInnerTexts())
      .toEqual(['Only you and Maria']);

    // With more people, the line counts them, and a dialog names them.
    await write('Jonas Okafor', { ...toAll, recipients: names.slice(2).map(idOf) });
    await write('Jonas Okafor', { ...toAll, recipients: [idOf('Maria Keller'), idOf('Rea')] });
    await write('Jonas Okafor', {
      ...toAll,
      recipients: [idOf('Maria Keller'), idOf('Tomas Ruiz')],
    });
    await look(page);
    await page.getByRole('button', { name: 'and 2 more' }).click();
    await expect
      .poll(() => page.getByRole('dialog').locator('li b').allInnerTexts())
      .toEqual(['Maria Keller', 'Jonas Okafor', 'Lena Brandt', 'Ana Vidal', 'Rea', 'Tomas Ruiz']);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('and 2 more');
    expect([...complaints, ...lena.complaints]).toEqual([]);
  });
});
