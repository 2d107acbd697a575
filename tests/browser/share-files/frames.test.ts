// What the pages of a share with files can do in their frame, and what they can’t.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { zipFiles } from '../../support/archives/zip.ts';
import { drawPng } from '../../support/builds/draw-png.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const picture = drawPng(40, () => [200, 40, 40]);

/** `service` is where the session of a reader is. */
const toFiles = (service: string) => ({
  'index.html': `<!doctype html><html><head><title>Home</title>
<link rel="stylesheet" href="css/site.css">
<script type="module" src="js/app.js"></script></head>
<body><h1>Home</h1><p id="said">waits</p><p id="data">waits</p><p id="other">waits</p>
<img src="img/mill.png" alt="The mill"><div style="height: 3000px"></div>
<img id="late" src="img/late.png" alt="Later" loading="lazy">
<a href="docs/">Docs</a> <a href="about.html" target="_blank">About</a> <a href="data.json">Data</a>
<a href="data.json" download="figures.json">Save</a> <a href="gone.html">Gone</a></body></html>`,
  'about.html': '<!doctype html><title>About</title><h1>About</h1><a href="./">Home</a>',
  'docs/index.html':
    '<!doctype html><title>Docs</title><h1>Docs</h1><img src="../img/mill.png" alt="Mill"><a href="../">Home</a>',
  'css/site.css': 'body { background: url(../img/mill.png) } h1 { color: rgb(1, 2, 3) }',
  'js/app.js': `import { said } from './part.js';
document.querySelector('#said').textContent = said;
const show = (id, text) => { document.querySelector(id).textContent = text; };
fetch('data.json').then((response) => response.json()).then(({ figures }) => show('#data', figures.join(' ')));
fetch('${service}/api/auth/me').then(() => show('#other', 'read'), () => show('#other', 'refused'));
navigator.serviceWorker?.register('js/app.js').catch(() => undefined);`,
  'js/part.js': "export const said = 'from a module';",
  'data.json': '{"figures":[1,2,3]}',
  'img/mill.png': picture,
  'img/late.png': picture,
});

const openSite = async (options: Readonly<Record<string, string>> = {}) => {
  const { service, shareArchive, viewsOf } = await serveShares();
  const { url } = await shareArchive(zipFiles(toFiles(service)), options);
  const { page, complaints } = await openPage(await openContext(browser), url);
  return { page, url, complaints, viewsOf, frame: page.frameLocator('iframe') };
};

/** Opens a share that asks first. */
const openIt = async (page: Page) => page.getByRole('button', { name: /^Open/ }).click();

describe.skipIf(!hasBrowser)('the pages of a share with files', () => {
  it.each([
    ['that everyone can read', {}],
    ['with one view', { viewLimit: '1' }],
  ])('load modules, styles, pictures and data of a share %s', async (_, options) => {
    const { page, frame } = await openSite(options);
    if ('viewLimit' in options) await openIt(page);
    await frame.getByText('from a module').waitFor();
    await frame.getByText('1 2 3').waitFor();
    await frame.getByText('refused').waitFor();
    const heading = frame.getByRole('heading', { name: 'Home' });
    await expect
      .poll(() => heading.evaluate((one) => getComputedStyle(one).color))
      .toBe('rgb(1, 2, 3)');
    const width = (alt: string) =>
      frame.getByAltText(alt).evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(() => width('The mill')).toBe(40);
    await frame.getByAltText('Later').scrollIntoViewIfNeeded();
    await expect.poll(() => width('Later')).toBe(40);
  });

  it('lead to each other in the frame, and back', async () => {
    const { page, frame, url } = await openSite({ viewLimit: '3' });
    await openIt(page);
    await frame.getByRole('link', { name: 'Docs' }).click();
    await frame.getByRole('heading', { name: 'Docs' }).waitFor();
    await frame.getByRole('link', { name: 'Home' }).click();
    await frame.getByText('from a module').waitFor();
    await frame.getByRole('link', { name: 'About' }).click();
    await frame.getByRole('heading', { name: 'About' }).waitFor();
    expect(page.context().pages()).toEqual([page]);
    expect(page.url()).toBe(url);
  });

  it('open other files in a new tab, save them by the page, and say what isn’t there', async () => {
    const { page, frame } = await openSite();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      frame.getByRole('link', { name: 'Data' }).click(),
    ]);
    await opened.getByText('{"figures":[1,2,3]}').waitFor();
    await opened.close();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      frame.getByRole('link', { name: 'Save' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('figures.json');
    await frame.getByRole('link', { name: 'Gone' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('alert').getByRole('button').click();
    await frame.getByText('from a module').waitFor();
  });

  it('are one view', async () => {
    const { page, frame, url, viewsOf } = await openSite({ viewLimit: '5' });
    await openIt(page);
    await frame.getByText('1 2 3').waitFor();
    await frame.getByRole('link', { name: 'Docs' }).click();
    await frame.getByRole('heading', { name: 'Docs' }).waitFor();
    expect(await viewsOf(url)).toBe(1);
  });
});

describe.skipIf(!hasBrowser)('a page of Markdown with files', () => {
  it.each([
    ['that everyone can read', {}],
    ['with one view', { viewLimit: '1' }],
  ])('shows its pictures and leads to its files, of a share %s', async (_, options) => {
    const { shareArchive } = await serveShares();
    const archive = zipFiles({
      'README.md': '# Notes\n\n![The mill](img/mill.png)\n\n[Data](data.json)',
      'img/mill.png': picture,
      'data.json': '{"figures":[1]}',
    });
    const { url } = await shareArchive(archive, options);
    const { page, complaints } = await openPage(await openContext(browser), url);
    if ('viewLimit' in options) await openIt(page);
    const mill = page.getByAltText('The mill');
    const getWidth = () => mill.evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(getWidth).toBe(40);
    const data = await page.getByRole('link', { name: 'Data' }).getAttribute('href');
    expect(await (await page.request.get(data ?? '')).text()).toBe('{"figures":[1]}');
    expect(complaints).toEqual([]);
  });
});
