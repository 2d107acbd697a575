import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  link,
  openSignedIn,
  ready,
  share,
  startComposer,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const code = 'let a = 1;\r\n\r\nexport { a };';

const toFile = (name: string, text: string) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(text),
});

const read = async (url: string): Promise<string> => (await fetch(url)).text();

/** Shares what is in the composer and returns the link. */
const shareAndRead = async (page: Page): Promise<string> => {
  await share(page).click();
  await ready(page);
  return link(page).inputValue();
};

describe.skipIf(!hasBrowser)('files in the composer', () => {
  it('become a page with line numbers and their exact texts', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await page.locator('#file').setInputFiles(toFile('app.ts', code));
    await page.locator('#preview figure').getByText('app.ts · TypeScript').waitFor();
    expect(await page.locator('#preview b[id]').count()).toBe(3);
    expect(await page.getByLabel('Title').inputValue()).toBe('app.ts');
    const url = await shareAndRead(page);
    expect(await read(`${url}/raw`)).toBe(code);
    expect(complaints).toEqual([]);
  });
});
