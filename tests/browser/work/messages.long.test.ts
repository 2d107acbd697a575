import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { send } from '../../support/run/process.ts';
import { ann, bob, reply, start, subjects, texts, unread } from '../flows/messages.ts';

describe.skipIf(!hasBrowser)('messages in a browser', () => {
  it('are answered to one or to all', async () => {
    const { open, write, ids } = await start();
    await write({ recipients: [ids.bob, ids.cem], subject: 'Trip' });
    const { page, complaints } = await open(bob, '/messages');
    await page.locator('.convs li a').click();
    await page.getByText('You, Ann and Cem').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type('To all');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => texts(page)).toEqual(['Hi', 'To all']);
    await page.getByRole('button', { name: 'Ann', exact: true }).click();
    await page.getByRole('heading', { name: 'Trip' }).click();
    await page.keyboard.press('r');
    await page.keyboard.type('To Ann');
    await inspect(page, 'messages-group');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => texts(page)).toEqual(['Hi', 'To all', 'To Ann']);
    const cem = await open('cem@example.com', '/messages');
    await cem.page.locator('.convs li a').click();
    await expect.poll(() => texts(cem.page)).toEqual(['Hi', 'To all']);
    expect(complaints).toEqual([]);
  });

  it('are found by words, and their attachments downloaded as long as they exist', async () => {
    const { open, write, url, signIn } = await start();
    const token = await signIn(ann);
    const body = new FormData();
    body.append('file', new File(['Ink'], 'paper.txt'));
    const headers = { authorization: `Bearer ${token}` };
    const made = await fetch(`${url}/api/files/upload`, { method: 'POST', headers, body });
    const { id } = (await made.json()).data;
    await write({ subject: 'Paper', attachments: [id] });
    await write({ subject: 'Other' });
    const { page, complaints } = await open(bob, '/messages');
    await page.keyboard.press('/');
    await page.keyboard.type('ann pap');
    await expect.poll(() => subjects(page)).toEqual(['Unread: Paper']);
    expect(page.url()).toContain('search=ann+pap');
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('nothing');
    await page.getByText('No messages match your search.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: /Paper/ }).click();
    const attached = page.getByRole('link', { name: /paper\.txt/ });
    const [download] = await Promise.all([page.waitForEvent('download'), attached.click()]);
    expect(download.suggestedFilename()).toBe('paper.txt');
    await inspect(page, 'messages-attachment');
    expect(complaints).toEqual([]);
    await send(`${url}/api/files/${id}`, { method: 'DELETE', token });
    await attached.press('Enter');
    await page.getByText('This file has been deleted.').waitFor();
  });

  it('lead from the list to a conversation and back on a phone', async () => {
    const { open, write } = await start();
    await write({ subject: 'One' });
    const { page, complaints } = await open(bob, '/messages', { width: 390, height: 844 });
    await page.locator('.convs li a').click();
    await reply(page).waitFor();
    await expect.poll(() => page.locator('.convs').isHidden()).toBe(true);
    await inspect(page, 'messages-phone');
    await page.getByRole('button', { name: 'Back to conversations' }).click();
    await page.locator('.convs li a').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(complaints).toEqual([]);
  });

  it('scroll smoothly however many there are', async () => {
    const { open, write } = await start();
    const one = await write({ subject: 'One' });
    const { page } = await open(bob, '/messages');
    await page.locator('.convs li a').waitFor();
    const total = 10_000;
    const size = 50;
    const toMessage = (at: number, own: object) => ({
      ...one,
      id: total - at,
      read: true,
      content: `Text ${total - at}`,
      ...own,
    });
    const answer = async (toItem: (at: number) => object) => {
      await page.route(/\/api\/messages\/conversations(\/1)?\?/, async (route) => {
        const query = new URL(route.request().url()).searchParams;
        const first = Number(query.get('cursor') ?? 0);
        const items = Array.from({ length: size }, (_, at) => toItem(first + at));
        const nextCursor = first + size < total ? String(first + size) : null;
        const data = { items, participants: [], total, page: 1, pageSize: size, nextCursor };
        await route.fulfill({ json: { success: true, data } });
      });
    };
    await answer((at) => {
      const message = toMessage(at, { subject: `Subject ${total - at}` });
      return {
        id: total - at,
        participants: [],
        lastMessage: { ...message, conversationId: total - at },
        unreadCount: 0,
      };
    });
    await page.reload();
    await page.getByText('Subject 10000').waitFor();
    const rows = page.locator('.convs li');
    const box = page.locator('.convs .rows');
    const seen: number[] = [];
    for (let pageNumber = 2; pageNumber <= 6; pageNumber += 1) {
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page
        .getByText(`Subject ${total - (pageNumber - 1) * size}`)
        .waitFor({ state: 'attached' });
      seen.push(await rows.count());
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(45);
    // Back at the top, the first is there again.
    await box.evaluate((element) => element.scrollTo(0, 0));
    await page.getByText('Subject 10000').waitFor();

    await page.unroute(/\/api\/messages\/conversations(\/1)?\?/);
    await answer((at) => toMessage(at, { conversationId: 1 }));
    await page.goto(`${new URL(page.url()).origin}/messages?open=1`);
    await page.getByText('Text 10000', { exact: true }).waitFor();
    const log = page.locator('.talk');
    const articles = page.locator('.msg');
    const counts: number[] = [];
    for (let text = 9_900; text >= 9_500; text -= 100) {
      await expect
        .poll(async () => {
          await log.evaluate((element) => element.scrollTo(0, 0));
          return page.getByText(`Text ${text}`, { exact: true }).count();
        })
        .toBe(1);
      counts.push(await articles.count());
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(100);
    await expect
      .poll(async () => {
        await log.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return page.getByText('Text 10000', { exact: true }).count();
      })
      .toBe(1);
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
