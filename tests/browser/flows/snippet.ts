import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** Opens a share of HTML, and returns the page with its frame and the notice above it. The script of the page waits for `ready`. */
export const show = async (content: string, ready?: (page: Page) => Promise<unknown>) => {
  const { share } = await serveShares();
  const url = await share({ content });
  const context = await openContext(browser);
  if (ready) {
    await context.route('**/scripts/share.*', async (route) => {
      await ready(route.request().frame().page());
      await route.continue();
    });
  }
  const { page } = await openPage(context, url);
  const frame = page.frameLocator('iframe');
  const notice = page.locator('.blocked summary');
  const says = (text: string) => notice.filter({ hasText: text }).waitFor();
  return { page, context, frame, says, notice, url };
};

export const expectOnePage = async (page: Page, url: string) => {
  expect(page.context().pages()).toEqual([page]);
  expect(page.url()).toBe(url);
  await expect.poll(() => page.getByRole('alert').isVisible()).toBe(false);
};

/** A script with which a snippet saves a page of its own under a name. */
export const saveFile = `const save = (name, connect) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['<script>parent.hit = 1</' + 'script>'], { type: 'text/html' }));
  link.download = name;
  if (connect) document.body.append(link);
  link.click();
  URL.revokeObjectURL(link.href);
};`;
