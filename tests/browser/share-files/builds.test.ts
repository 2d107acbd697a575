// What tools build works as a share: its modules run, its fonts and images load, and its links lead to its pages.

import type { FrameLocator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { rootAdvice } from '../../../shared/share-files/missing.ts';
import { zipFiles } from '../../support/archives/zip.ts';
import { exportNotebook, writeReport } from '../../support/builds/report.ts';
import { buildSite } from '../../support/builds/site.ts';
import { buildViteApp } from '../../support/builds/vite-app.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** Shares files as an archive and opens the page. */
const show = async (
  files: ReadonlyMap<string, Buffer>,
  options: Readonly<Record<string, string>> = {},
) => {
  const { shareArchive } = await serveShares();
  const { url, missing } = await shareArchive(zipFiles(Object.fromEntries(files)), options);
  const { page, complaints } = await openPage(await openContext(browser), url);
  return { page, complaints, missing, frame: page.frameLocator('iframe') };
};

/** Waits until an image is shown. */
const waitForImage = (frame: Pick<FrameLocator, 'getByAltText'>, name: string) =>
  expect
    .poll(() =>
      frame
        .getByAltText(name, { exact: true })
        .evaluate((image) => 'naturalWidth' in image && image.naturalWidth),
    )
    .toBeGreaterThan(0);

/** Returns the fonts of a frame that are loaded. */
const findFonts = (frame: FrameLocator) =>
  frame
    .locator('body')
    .evaluate(async () =>
      [...(await document.fonts.ready)]
        .filter(({ status }) => status === 'loaded')
        .map(({ family }) => family),
    );

describe.skipIf(!hasBrowser)('an app that Vite built', () => {
  it('runs with its modules, fonts, images and data', async () => {
    const { frame, missing, complaints } = await show(await buildViteApp('./'));
    expect(missing).toBeUndefined();
    await frame.getByRole('heading', { name: 'Tide 42' }).waitFor();
    await waitForImage(frame, 'Wave');
    await expect.poll(() => findFonts(frame)).toEqual(['Tide']);
    await frame.getByText('Husum').waitFor();
    await frame.getByRole('button', { name: 'More' }).click();
    const details = frame.getByText('Details');
    expect(await details.evaluate((section) => getComputedStyle(section).color)).toBe(
      'rgb(1, 2, 3)',
    );
    expect(complaints).toEqual([]);
  });

  it('is shown with what its scripts ask the root for named, if it was built for the root', async () => {
    const { frame, missing } = await show(await buildViteApp('/'));
    await frame.getByRole('heading', { name: 'Tide 42' }).waitFor();
    await expect.poll(() => findFonts(frame)).toEqual(['Tide']);
    const found = (path: RegExp) => ({
      path: expect.stringMatching(path),
      from: expect.stringMatching(/^assets\/index-.*\.js$/),
      line: expect.any(Number),
      advice: rootAdvice,
    });
    expect(missing).toEqual([
      found(/^\/assets\/details-.*\.js$/),
      found(/^\/assets\/details-.*\.css$/),
      found(/^\/assets\/wave-.*\.svg$/),
      found(/^\/data\.json$/),
    ]);
  });
});

describe.skipIf(!hasBrowser)('a site of several pages', () => {
  it.each([{}, { viewLimit: '1' }])(
    'leads from page to page in its frame, with %j',
    async (options) => {
      const { page, frame, missing, complaints } = await show(await buildSite(), options);
      expect(missing).toBeUndefined();
      if ('viewLimit' in options) await page.getByRole('button', { name: 'Open snippet' }).click();
      await frame.getByRole('heading', { name: 'Home' }).waitFor();
      await waitForImage(frame, 'Dune');
      await expect.poll(() => findFonts(frame)).toEqual(['Site']);
      await frame.getByRole('link', { name: 'Read the guide' }).click();
      await frame.getByRole('heading', { name: 'Guide' }).waitFor();
      await frame.getByRole('link', { name: 'First steps' }).click();
      await frame.getByRole('heading', { name: 'First steps' }).waitFor();
      await waitForImage(frame, 'Logo');
      expect(await frame.locator('nav').getAttribute('data-pages')).toBe('3');
      await frame.getByRole('link', { name: 'Back to the guide' }).click();
      await frame.getByRole('heading', { name: 'Guide' }).waitFor();
      await frame.getByRole('link', { name: 'Start' }).click();
      await frame.getByRole('heading', { name: 'Home' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

describe.skipIf(!hasBrowser)('a report with figures', () => {
  it('shows them and leads to its data', async () => {
    const { page, missing } = await show(writeReport());
    expect(missing).toBeUndefined();
    await page.getByRole('heading', { name: 'Levels' }).waitFor();
    await waitForImage(page, 'Levels by month');
    await waitForImage(page, 'Map');
    const href = await page.getByRole('link', { name: 'All values' }).getAttribute('href');
    const response = await page.request.get(new URL(href ?? '', page.url()).href);
    expect(await response.text()).toContain('February,2.4');
  });
});

describe.skipIf(!hasBrowser)('a notebook that was exported', () => {
  it('shows its figures, and the reader is told what it can’t do', async () => {
    const { page, frame, missing } = await show(exportNotebook());
    expect(missing).toBeUndefined();
    await waitForImage(frame, 'Out 1');
    await waitForImage(frame, 'Out 2');
    await frame.getByText('not sent').waitFor();
    await page.locator('.blocked summary').filter({ hasText: '1 request blocked' }).waitFor();
  });
});
