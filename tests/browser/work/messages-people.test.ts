// A conversation keeps its people, whoever the newest message went to.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';
import { look, reply, texts } from '../flows/messages.ts';

const names = ['Maria Keller', 'Jonas Okafor', 'Lena Brandt', 'Ana Vidal', 'Tomas Ruiz'] as const;
type Name = (typeof names)[number];

const addressOf = (name: Name) => `${name.split(' ')[0]?.toLowerCase()}@example.com`;

/** Starts a service with people who may write, and someone who may only read. */
const start = async () => {
  const service = await startConsole(browser, [
    ...names.map((name) => ({
      name,
      email: addressOf(name),
      permissions: ['messages:*', 'files:*'],
    })),
    { name: 'Rea' },
  ]);
  const users = new Map<string, { id: number; token: string }>();
  for (const name of [...names, 'Rea' as const]) {
    const email = name === 'Rea' ? 'rea@example.com' : addressOf(name);
    const { id } = await service.find(email);
    users.set(name, { id, token: await service.signIn(email) });
  }
  const idOf = (name: Name | 'Rea') => users.get(name)?.id ?? 0;
  const write = async (by: Name, body: object) => {
    const token = users.get(by)?.token ?? '';
    const url = `${service.url}/api/messages`;
    const made = await send(url, { method: 'POST', token, body: { content: 'Hi', ...body } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data;
  };
  return { ...service, idOf, write };
};

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
