// Who may only read messages, and what a search finds in them. Whom replies go to is in `messages-people.test.ts`.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { addressOf, start } from '../flows/conversation.ts';
import { look, reply, texts } from '../flows/messages.ts';

describe.skipIf(!hasBrowser)('a conversation in a browser', () => {
  it('is only read by those who may not write, and the page says so', async () => {
    const { open, write, idOf } = await start();
    const { page, complaints } = await open('rea@example.com', '/messages', {
      width: 1280,
      height: 800,
    });
    await page.getByRole('heading', { name: 'Messages you get appear here' }).waitFor();
    await page.getByText('You can read messages, but not write any.').waitFor();
    await page.getByText('No messages yet').waitFor();
    expect(await page.getByRole('link', { name: 'New message' }).count()).toBe(0);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await inspect(page, 'messages-none');
    await page.goto(`${page.url()}?new=1`);
    await page.getByRole('heading', { name: 'Messages you get appear here' }).waitFor();
    await write('Jonas Okafor', { recipients: [idOf('Rea')], subject: 'Plans' });
    await look(page);
    await page.getByRole('link', { name: /Plans/ }).click();
    await expect.poll(() => texts(page)).toEqual(['Hi']);
    expect(await reply(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('is found by words of its messages and names of files, and scrolls to what was found', async () => {
    const { open, write, idOf, url, signIn } = await start();
    const to = { recipients: [idOf('Maria Keller'), idOf('Lena Brandt')] };
    const { id } = await write('Jonas Okafor', { ...to, subject: 'Covers for spring' });
    const toAll = { conversationId: id };
    const body = new FormData();
    body.append('file', new File(['1;2'], 'figures.csv'));
    const token = await signIn(addressOf('Ana Vidal'));
    const headers = { authorization: `Bearer ${token}` };
    const made = await fetch(`${url}/api/files/upload`, { method: 'POST', headers, body });
    const file = (await made.json()).data.id;
    const content =
      'The figures for both print runs are attached. See https://example.com/figures.';
    const { id: text } = await write('Jonas Okafor', { ...toAll, content });
    for (let at = 0; at < 54; at += 1) {
      await write(at % 2 ? 'Jonas Okafor' : 'Lena Brandt', { ...toAll, content: `No ${at}` });
    }
    await write('Ana Vidal', { ...to, subject: 'Sales', content: 'Look', attachments: [file] });
    const long = `${'Nothing to see. '.repeat(90)}The figures are last.`;
    await write('Ana Vidal', { ...to, subject: 'Long', content: long });
    const { page, complaints } = await open(addressOf('Maria Keller'), '/messages', {
      width: 1280,
      height: 800,
    });
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('FIGUR');
    const lines = page.locator('.convs li p:last-of-type');
    await expect
      .poll(async () => (await lines.allInnerTexts()).map((line) => line.slice(0, 25)))
      .toEqual([
        'Nothing to see. Nothing t',
        'Attachment: figures.csv',
        'The figures for both prin',
      ]);
    expect(await page.locator('.convs mark').allInnerTexts()).toEqual(['figur', 'figur', 'figur']);
    await page.getByRole('link', { name: /The figures for both/ }).click();
    const hit = page.locator(`[data-id="${text}"]`);
    await expect.poll(() => hit.locator('mark').allInnerTexts()).toEqual(['figur', 'figur']);
    const isSeen = () =>
      hit.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const log = one.closest('.talk')?.getBoundingClientRect();
        return log !== undefined && top >= log.top && bottom <= log.bottom;
      });
    await expect.poll(isSeen).toBe(true);
    expect(page.url()).toContain(`search=FIGUR&open=${id}&at=${text}`);
    await inspect(page, 'messages-search');
    await page.reload();
    await expect.poll(isSeen).toBe(true);
    await expect.poll(() => page.locator('.convs a[aria-current]').count()).toBe(1);

    // What was found behind the part that is shown.
    await page.getByRole('link', { name: /Long/ }).click();
    await expect.poll(() => page.locator('.msg mark').allInnerTexts()).toEqual(['figur']);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => page.locator('mark').count()).toBe(0);
    await expect.poll(() => page.locator('.convs li').count()).toBe(3);
    expect(complaints).toEqual([]);
  });
});
