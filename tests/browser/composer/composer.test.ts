import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  choosePassword,
  codeMirror,
  discard,
  isChosen,
  isKept,
  kept,
  link,
  newContext,
  openOptions,
  openSignedIn,
  person,
  previewFrame,
  ready,
  share,
  startComposer,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { inspect, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the composer in a browser', () => {
  const open = async (url: string) => openPage(await newContext(browser), url);

  it('keeps a text during registration, shares it, and shows it to a visitor', async () => {
    const url = await startComposer();
    const { page, complaints, origins } = await open(url);
    await page.getByLabel('Title').fill('A note & more');
    await page.getByLabel('Description').fill('What it is about');
    const content =
      '# Hello\n\nShared with **Handbill** and [a link](https://example.com).\n\n- [x] done\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nconst answer = 42;\n```\n';
    await text(page).fill(content);
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
    await openOptions(page);
    await choosePassword(page, 'Custom');
    await page.getByLabel('Custom password').fill('Abc123');
    await page.getByLabel('View limit').fill('3');
    await page.getByLabel('Expiration').selectOption('In 1 week');
    await inspect(page, 'composer-options');
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.locator('.setting').allInnerTexts())
      .toEqual(['Anyone', 'Password', '1 week', '3 views']);
    await expect
      .poll(() => page.getByText('You can write without an account.').isVisible())
      .toBe(true);

    await share(page).click();
    await page.waitForURL(`${url}/login?next=/`);
    await expect.poll(() => kept(page)).not.toContain('Abc123');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name').fill(person.name);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByLabel('Confirm password').fill(person.password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${url}/`);
    await page.getByText('Enter the password again; drafts don’t store passwords.').waitFor();
    await textIs(page, content);
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('A note & more');
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('What it is about');
    await expect.poll(() => page.getByLabel('View limit').inputValue()).toBe('3');
    await expect.poll(() => page.getByLabel('Expiration').inputValue()).toBe('604800');
    await expect.poll(() => page.getByLabel('Custom password').inputValue()).toBe('');
    await openOptions(page);
    await choosePassword(page, 'Generate');
    await page.keyboard.press('Escape');
    await share(page).click();
    await ready(page);
    await inspect(page, 'composer-result');
    await expect.poll(() => kept(page)).toBe('{}');
    const password = await page
      .locator('#result')
      .getByLabel('Password', { exact: true })
      .inputValue();
    expect(password).toMatch(/^[A-Za-z0-9]{6}$/);
    await page
      .getByText(/^Anyone with the link and the password · Expires \w{3} \d+, \d{4}, .+ · 3 views$/)
      .waitFor();
    await page.getByRole('button', { name: 'Copy link', exact: true }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(copied).toBe(await link(page).inputValue());
    await page.getByRole('button', { name: 'Copy both' }).press('Enter');
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`${copied}\nPassword: ${password}`);

    const stranger = await open(copied);
    await stranger.page.getByLabel('Password').fill(password);
    await stranger.page.getByRole('button', { name: 'Open' }).click();
    await stranger.page.getByRole('heading', { name: 'Hello' }).waitFor();
    expect(await stranger.page.title()).toContain('A note & more');

    await page.getByRole('link', { name: 'New share' }).click();
    await page.waitForURL(`${url}/`);
    await textIs(page, '');
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });

  it('keeps a text after a reload, a closed tab or a failed request', async () => {
    const url = await startComposer();
    const { page, context } = await openSignedIn(browser, url);
    await choose(page, 'HTML');
    await text(page).fill('<p>Not lost</p>');
    await page.reload();
    await textIs(page, '<p>Not lost</p>');
    await expect.poll(() => isChosen(page, 'HTML')).toBe(true);
    await text(page).fill('<p>Still there</p>');
    await isKept(page, 'Still there');
    await page.close({ runBeforeUnload: false });

    const again = await openPage(context, url);
    await textIs(again.page, '<p>Still there</p>');
    await context.setOffline(true);
    await share(again.page).click();
    await again.page
      .getByText('Can’t reach the server. Check your connection and try again.')
      .waitFor();
    await context.setOffline(false);
    await again.page.reload();
    await textIs(again.page, '<p>Still there</p>');
    await discard(again.page);
    await textIs(again.page, '');
    await again.page.getByRole('button', { name: 'Undo' }).click();
    await textIs(again.page, '<p>Still there</p>');
    await discard(again.page);
    await expect.poll(() => kept(again.page)).toBe('{}');
    await again.page.reload();
    await textIs(again.page, '');
  });

  it('creates one share if the request is repeated after a lost response', async () => {
    const url = await startComposer();
    const { page, token } = await openSignedIn(browser, url);
    await text(page).fill('Only once');
    await page.route('**/api/share', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await share(page).click();
    await page.getByText('Can’t reach the server. Check your connection and try again.').waitFor();
    await page.unroute('**/api/share');
    await share(page).click();
    await ready(page);
    const { body } = await send(`${url}/api/share?mine=true`, { token });
    expect(body.items.map((one: { url: string }) => one.url)).toEqual([
      await link(page).inputValue(),
    ]);
  });

  it('previews HTML in the sandbox of its page', async () => {
    const url = await startComposer();
    const { page, origins, complaints } = await open(url);
    await choose(page, 'HTML');
    const hostile = (mark: string) => `<!doctype html><h1>${mark}</h1><ul></ul><script>
const mark = '${mark}';
const tell = (text) => document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: text }));
const attempt = (name, act) => { try { act(); tell(name + ' done'); } catch { tell(name + ' refused'); } };
tell(self.origin + ' ' + document.compatMode);
attempt('cookie', () => document.cookie);
attempt('storage', () => localStorage.length);
attempt('parent', () => parent.document.body);
attempt('top', () => { top.location = 'https://evil.test/'; });
fetch('${url}/api/users/me', { credentials: 'include' }).then(() => tell('fetch done'), () => tell('fetch refused'));
parent.postMessage('ready', '*');
</script>`;
    for (const mark of ['First', 'Second']) {
      await text(page).fill(hostile(mark));
      await previewFrame(page).getByRole('heading', { name: mark }).waitFor();
      await previewFrame(page).getByText('fetch refused').waitFor();
      await expect
        .poll(async () => (await previewFrame(page).locator('li').allInnerTexts()).sort())
        .toEqual([
          'cookie refused',
          'fetch refused',
          'null CSS1Compat',
          'parent refused',
          'storage done',
          'top refused',
        ]);
      await expect.poll(() => page.locator('#preview iframe').count()).toBe(1);
    }
    expect(page.url()).toBe(`${url}/`);
    expect([...origins].filter((origin) => origin.includes('evil'))).toEqual([]);
    await choose(page, 'Markdown');
    await text(page).fill('<script>document.title = "bad"</script>\n\n**safe**');
    await page.locator('#preview strong').waitFor();
    await expect.poll(() => page.locator('#preview script').count()).toBe(0);
    expect(complaints.every((one) => !one.includes(`${url}/assets`))).toBe(true);
  });

  it('accepts a chosen or dropped file and shows upload progress', async () => {
    const url = await startComposer();
    const { page, token } = await openSignedIn(browser, url);
    const file = (name: string, bytes: string | Buffer) => ({
      name,
      mimeType: '',
      buffer: Buffer.from(bytes),
    });
    const input = page.locator('#file');
    const wrong = page.locator('#share-content-wrong');
    await input.setInputFiles(file('program.exe', Buffer.from([0x4d, 0x5a, 0x90, 0x00, 0x03])));
    await wrong.filter({ hasText: /^program\.exe is not a text file in UTF-8, UTF-16/ }).waitFor();
    await input.setInputFiles(file('big.md', 'x'.repeat(600 * 1_024)));
    await wrong.filter({ hasText: 'This is 600 KB. Markdown can be at most 512 KB.' }).waitFor();
    await textIs(page, '');

    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['# Dropped'], 'notes.md'));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    await page.locator('#preview h1').filter({ hasText: 'Dropped' }).waitFor();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('notes');
    await expect.poll(() => isChosen(page, 'Markdown')).toBe(true);

    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['# f', new Uint8Array([0xfc]), 'r *all*'], 'pasted.txt'));
      document.querySelector('#share-content').dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }`);
    await page.locator('#preview [data-file="pasted.txt"]').getByText('# für *all*').waitFor();
    await page
      .getByText('Content replaced with pasted.txt. pasted.txt was read as Windows-1252.')
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await textIs(page, '# Dropped');

    const large = `<h1>Large</h1><!--${'x'.repeat(1_500_000)}-->`;
    await input.setInputFiles(file('large.html', large));
    await page.getByText('Content replaced with large.html.').waitFor();
    await expect.poll(() => isChosen(page, 'HTML')).toBe(true);
    await previewFrame(page).getByRole('heading', { name: 'Large' }).waitFor();
    await page.evaluate(`{
      globalThis.seen = [];
      const place = document.querySelector('#sending');
      new MutationObserver(() => place.hidden || seen.push(document.querySelector('#percent').textContent))
        .observe(place, { subtree: true, childList: true, attributes: true });
    }`);
    await share(page).click();
    await ready(page);
    const seen = (await page.evaluate('seen')) as string[];
    expect(seen[0]).toMatch(/^Uploading… \d+%$/);
    expect(seen.at(-1)).toBe('Saving…');
    const id = (await link(page).inputValue()).split('/').at(-1);
    const { body } = await send(`${url}/api/share?mine=true&id=${id}`, { token });
    expect([body.language, body.title, body.content === large]).toEqual(['html', 'notes', true]);
  });

  it('supports the keyboard', async () => {
    const url = await startComposer();
    const { page } = await openSignedIn(browser, url);
    const focused = () => page.evaluate('document.activeElement.name || document.activeElement.id');
    await codeMirror(page);
    const tabTo = async (name: string) => {
      for (let at = 0; at < 30 && (await focused()) !== name; at++)
        await page.keyboard.press('Tab');
      await expect.poll(() => focused()).toBe(name);
    };
    // The editor has the focus at first; the way through the page begins before it.
    await expect.poll(() => focused()).toBe('share-content');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await tabTo('title');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await expect.poll(() => link(page).isVisible()).toBe(false);
    await tabTo('markdown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused()).toBe('html');
    await page.keyboard.press('Enter');
    await expect.poll(() => isChosen(page, 'HTML')).toBe(true);
    // The toolbar is one stop.
    await page.keyboard.press('Tab');
    await expect.poll(() => focused()).toBe('share-content');
    await page.keyboard.type('<h1>Typed</h1>');
    await page.keyboard.press('Control+BracketRight');
    await textIs(page, '  <h1>Typed</h1>');
    // An option is one key away: its chip leads into its field, and back.
    await tabTo('chip-views');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('viewLimit');
    await page.keyboard.type('3');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused()).toBe('chip-views');
    await page.keyboard.press('Control+Enter');
    await ready(page);
    await expect.poll(() => focused()).toBe('copy-link');
    await page.keyboard.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
  });
});
