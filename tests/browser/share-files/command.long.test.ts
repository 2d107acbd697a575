// What tools build is shared by the command, as a folder and as an archive, and opened by readers.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { rootAdvice } from '../../../shared/share-files/missing.ts';
import { zipFiles } from '../../support/archives/zip.ts';
import { exportNotebook } from '../../support/builds/report.ts';
import { buildSite } from '../../support/builds/site.ts';
import { buildViteApp } from '../../support/builds/vite-app.ts';
import { signIn } from '../../support/cli/session.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const write = async (folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> => {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
};

const open = async (url: string) => {
  const opened = await openPage(await openContext(browser), url.trim());
  return { ...opened, frame: opened.page.frameLocator('iframe') };
};

const waitForImage = (frame: FrameLocator, name: string) =>
  expect
    .poll(() =>
      frame
        .getByAltText(name, { exact: true })
        .evaluate((image) => 'naturalWidth' in image && image.naturalWidth),
    )
    .toBeGreaterThan(0);

describe.skipIf(!hasBrowser)('handbill share', () => {
  it('shares an app that Vite built, and tells what its base breaks', async () => {
    const { folder, run } = await signIn();
    await write(join(folder, 'dist'), await buildViteApp('./'));
    const shared = await run(['share', './dist']);
    expect(shared).toMatchObject({ code: 0, err: '' });
    const { frame, complaints } = await open(shared.out);
    await frame.getByRole('heading', { name: 'Tide 42' }).waitFor();
    await waitForImage(frame, 'Wave');
    await frame.getByText('Husum').waitFor();
    expect(complaints).toEqual([]);

    await write(join(folder, 'rooted'), await buildViteApp('/'));
    const { err } = await run(['share', 'rooted', '--update', shared.out.trim()]);
    expect(err).toMatch(/^\/assets\/\S+ is missing \(assets\/index-\S+\.js, line \d+\)\n/);
    expect(err.endsWith(`\n${rootAdvice}\n`)).toBe(true);
  });

  it('shares an archive of a site for one view, with all its pages', async () => {
    const { folder, run } = await signIn();
    const archive = zipFiles(Object.fromEntries(await buildSite()));
    await writeFile(join(folder, 'site.zip'), archive);
    const shared = await run(['share', 'site.zip', '--views', '1']);
    expect(shared).toMatchObject({ code: 0, err: '' });
    const { page, frame, complaints } = await open(shared.out);
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await frame.getByRole('heading', { name: 'Home' }).waitFor();
    await waitForImage(frame, 'Dune');
    await frame.getByRole('link', { name: 'Read the guide' }).click();
    await frame.getByRole('link', { name: 'First steps' }).click();
    await waitForImage(frame, 'Logo');
    expect(complaints).toEqual([]);
    const { page: later } = await open(shared.out);
    await later.getByText('reached its view limit').first().waitFor();
  });

  it('shares a notebook that was exported', async () => {
    const { folder, run } = await signIn();
    await write(join(folder, 'report'), exportNotebook());
    const { out } = await run(['share', 'report', '--password', 'abc123']);
    const { page, frame } = await open(out);
    await page.getByLabel('Password').fill('abc123');
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await waitForImage(frame, 'Out 1');
    await page.locator('.blocked summary').filter({ hasText: '1 request blocked' }).waitFor();
  });
});
