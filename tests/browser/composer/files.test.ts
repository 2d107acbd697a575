// Files of a share in the composer. What the tree, uploads and references do by themselves is in `tests/web/site/composer`.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { zipFiles } from '../../support/archives/zip.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  codeMirror,
  openEdit,
  openSignedIn,
  previewFrame,
  read,
  saved,
  share,
  shareAndRead,
  startComposer,
} from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const site = {
  'mill/index.html':
    '<!doctype html>\n<link rel="stylesheet" href="style.css">\n<h1>Mill</h1>\n<img src="img/wheel.png" alt="Wheel">\n<img src="img/gone.png" alt="Gone">\n<a href="pages/visit.html">Visit</a>\n<script type="module" src="app.js"></script>\n',
  'mill/style.css': 'h1 { color: rgb(1, 2, 3) }\n',
  'mill/app.js':
    'import { word } from "./lib/word.js";\ndocument.querySelector("h1").dataset.word = word;\n',
  'mill/lib/word.js': 'export const word = "module";\n',
  'mill/img/wheel.png': png,
  'mill/pages/visit.html': '<h1>Visit</h1><a href="../index.html">Back</a>',
  'mill/.DS_Store': 'x',
};

const archive = () => ({
  name: 'mill.zip',
  mimeType: 'application/zip',
  buffer: zipFiles(site),
});

const tree = (page: Page) => page.getByRole('tree', { name: 'Files of the share' });
const row = (page: Page, path: string) => tree(page).locator(`[data-path="${path}"]`);
const line = (page: Page) => page.locator('#readers');

/** Waits until all is uploaded and checked. */
const isReady = (page: Page, text: string): Promise<void> =>
  expect.poll(() => line(page).innerText()).toBe(text);

const openSite = async () => {
  const url = await startComposer();
  const opened = await openSignedIn(browser, url);
  await codeMirror(opened.page);
  await opened.page.locator('#file').setInputFiles(archive());
  await isReady(opened.page, '6 files · 1 missing');
  return { url, ...opened };
};

/** The width that an image has of its own; 0 if it couldn’t be loaded. */
const width = (image: Locator) =>
  image.evaluate((one) => (one instanceof HTMLImageElement ? one.naturalWidth : undefined));

/** The path of the row that has the focus. */
const focused = (page: Page) => page.evaluate('document.activeElement.dataset.path');

const toast = (page: Page, text: string) => page.locator('#toasts').getByText(text);

const undo = (page: Page) => page.locator('#toasts').getByRole('button', { name: 'Undo' }).click();

describe.skipIf(!hasBrowser)('files of a share in the composer', () => {
  it('come from a ZIP, are previewed and shared', async () => {
    const { page, context, complaints } = await openSite();
    const heading = previewFrame(page).getByRole('heading', { name: 'Mill' });
    await heading.waitFor();
    expect(await heading.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
    await expect.poll(() => heading.getAttribute('data-word')).toBe('module');
    const wheel = previewFrame(page).getByAltText('Wheel');
    await expect.poll(() => width(wheel)).toBe(1);
    expect(await previewFrame(page).getByAltText('Gone').getAttribute('src')).toMatch(/^data:/);
    await page.getByText('1 file is missing').waitFor();
    await page.getByText('6 of 200 files').waitFor();
    await inspect(page, 'composer-share-files');

    await previewFrame(page).getByRole('link', { name: 'Visit' }).click();
    await previewFrame(page).getByRole('heading', { name: 'Visit' }).waitFor();
    expect(await row(page, 'pages/visit.html').getAttribute('aria-selected')).toBe('true');

    const url = await shareAndRead(page);
    await page.locator('#result').getByText('img/gone.png in index.html, line 5').waitFor();
    const reader = await context.newPage();
    await reader.goto(url);
    const frame = reader.frameLocator('iframe');
    await expect
      .poll(() => frame.getByRole('heading', { name: 'Mill' }).getAttribute('data-word'))
      .toBe('module');
    await frame.getByRole('link', { name: 'Visit' }).click();
    await frame.getByRole('heading', { name: 'Visit' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('are opened, renamed and removed by the keyboard, with Undo', async () => {
    const { page, complaints } = await openSite();
    await row(page, 'index.html').focus();
    for (const [key, path] of [
      ['ArrowDown', 'app.js'],
      ['End', 'pages/visit.html'],
      ['ArrowLeft', 'pages'],
      ['ArrowLeft', 'pages'],
      ['i', 'index.html'],
      ['i', 'img'],
      ['ArrowRight', 'img/wheel.png'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page), { message: key }).toBe(path);
    }
    expect(await row(page, 'pages').getAttribute('aria-expanded')).toBe('false');

    // The name has the keys at once.
    await page.keyboard.press('F2');
    await page.keyboard.type('gear');
    await page.keyboard.press('Enter');
    await toast(page, 'Renamed to “gear.png”, 1 reference updated').waitFor();
    await expect.poll(() => focused(page)).toBe('img/gear.png');
    expect(await read(page)).toContain('<img src="img/gear.png" alt="Wheel">');
    await undo(page);
    await row(page, 'img/wheel.png').waitFor();
    await expect.poll(() => read(page)).toContain('<img src="img/wheel.png" alt="Wheel">');

    await row(page, 'img/wheel.png').focus();
    await page.keyboard.press('Delete');
    await toast(page, 'Removed “wheel.png”').waitFor();
    await expect.poll(() => focused(page)).toBe('lib');
    await isReady(page, '5 files · 2 missing');
    await undo(page);
    await isReady(page, '6 files · 1 missing');

    await row(page, 'style.css').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Content of style.css' }).waitFor();
    await page.getByRole('textbox', { name: 'Content of style.css' }).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('h1 { background: url(paper.png) }');
    await isReady(page, '6 files · 2 missing');
    await page.getByRole('button', { name: 'index.html, line 5' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('share-content');
    expect(complaints).toEqual([]);
  });

  it('that are missing are added by their names, and a share is edited with its files', async () => {
    const { page, url, complaints } = await openSite();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add them' }).click(),
    ]);
    await chooser.setFiles({ name: 'gone.png', mimeType: 'image/png', buffer: png });
    await row(page, 'img/gone.png').waitFor();
    await isReady(page, '7 files');
    const link = await shareAndRead(page);
    const id = link.split('/').at(-1);
    await page.goto(`${url}/?edit=${id}`);
    await isReady(page, '7 files');
    await row(page, 'style.css').click();
    await page.getByLabel('Main page', { exact: true }).selectOption('pages/visit.html');
    await previewFrame(page).getByRole('heading', { name: 'Visit' }).waitFor();
    await row(page, 'img/gone.png').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    const reader = await page.context().newPage();
    await reader.goto(link);
    await reader.frameLocator('iframe').getByRole('heading', { name: 'Visit' }).waitFor();
    await reader.goto(`${url}/?edit=${id}`);
    await isReady(reader, '6 files · 1 missing');
    expect(await reader.getByLabel('Main page', { exact: true }).inputValue()).toBe(
      'pages/visit.html',
    );
    expect(complaints).toEqual([]);
  });

  it('survive a reload of the page, with what was uploaded, and are discarded with Undo', async () => {
    const { page, complaints } = await openSite();
    await page.getByText('Draft saved').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await expect
      .poll(async () => {
        await page.reload();
        await isReady(page, '6 files · 1 missing');
        return sent.splice(0);
      })
      .toEqual([]);
    await previewFrame(page).getByRole('heading', { name: 'Mill' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).first().click();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await tree(page).waitFor({ state: 'detached' });
    expect(await read(page)).toBe('');
    await page.locator('#notices').getByRole('button', { name: 'Undo' }).click();
    await isReady(page, '6 files · 1 missing');
    expect(complaints).toEqual([]);
  });

  it.each([
    ['Markdown', '# Notes', '![image](image.png)'],
    ['HTML', 'Notes', '<img src="image.png" alt="image">'],
  ])('begin with an image that is pasted into %s, which shows it', async (name, typed, written) => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await codeMirror(page);
    await page.getByRole('button', { name, exact: true }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.evaluate((bytes) => {
      const data = new DataTransfer();
      const image = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
      data.items.add(new File([image], 'image.png', { type: 'image/png' }));
      const init = { clipboardData: data, bubbles: true, cancelable: true };
      document.querySelector('#share-content')?.dispatchEvent(new ClipboardEvent('paste', init));
    }, png.toString('base64'));
    await row(page, 'image.png').waitFor();
    await expect.poll(() => read(page)).toBe(`${typed}\n${written}`);
    const preview = name === 'HTML' ? previewFrame(page) : page.locator('#preview');
    const image = preview.getByAltText('image');
    await expect.poll(() => width(image)).toBe(1);
    await isReady(page, '2 files');
    const url = await shareAndRead(page);
    await page.goto(url);
    const shown = (name === 'HTML' ? page.frameLocator('iframe') : page).getByAltText('image');
    await expect.poll(() => width(shown)).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('say which can’t be taken and which failed, and share once all are there', async () => {
    const { page } = await openSignedIn(browser, await startComposer());
    let isAway = true;
    await page.route(/handbill-files/, (route) => (isAway ? route.abort() : route.continue()));
    await page.locator('#file').setInputFiles([
      { name: 'index.html', mimeType: '', buffer: Buffer.from('<img src="a.png">') },
      { name: 'a.png', mimeType: '', buffer: png },
      { name: 'film.mp4', mimeType: '', buffer: Buffer.alloc(4 * 1024 ** 2 + 1) },
      { name: 'broken.zip', mimeType: '', buffer: Buffer.from('PK') },
    ]);
    await page.getByText('2 files weren’t added').waitFor();
    await page.getByText('4.1 MB. 4 MB at most.').waitFor();
    await page.getByText(/^broken\.zipCan’t read broken\.zip\./).waitFor();
    await row(page, 'a.png').getByText('Failed').waitFor();
    await isReady(page, 'You can share when 1 upload is done');
    // It says why not.
    await share(page).click({ force: true });
    await page.locator('#notices').getByText('You can share when 1 upload is done').waitFor();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await isReady(page, '2 files');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await shareAndRead(page);
  });

  it('take the place of the text on a phone, where a row’s menu changes the main page', async () => {
    const { page, complaints } = await openSite();
    await page.setViewportSize({ width: 390, height: 664 });
    await expect.poll(() => page.locator('.src').first().isVisible()).toBe(false);
    await row(page, 'style.css').click();
    await page.getByRole('textbox', { name: 'Content of style.css' }).waitFor();
    await tree(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await row(page, 'pages/visit.html').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Make main page' }).click();
    await row(page, 'pages/visit.html').getByText('Main').waitFor();
    await shareAndRead(page);
    expect(complaints).toEqual([]);
  });

  it('are added to a share that had none', async () => {
    const { page, own } = await openEdit(browser, { content: '# Hi', language: 'markdown' });
    await page.locator('#file').setInputFiles({ name: 'a.png', mimeType: '', buffer: png });
    await row(page, 'a.png').waitFor();
    await isReady(page, '2 files');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    const { files, main } = (await own()) as {
      readonly files: readonly { readonly path: string }[];
      readonly main: string;
    };
    expect(files.map(({ path }) => path).sort()).toEqual(['a.png', 'index.md']);
    expect(main).toBe('index.md');
  });
});
