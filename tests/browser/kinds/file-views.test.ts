// CSV and JSON files as they are read. What they become is in `shared/markdown/kinds`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { filesToMarkdown } from '../../../shared/markdown/files/files-to-markdown.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';
import { openLive, untilAsked } from '../flows/live.ts';

const rows = Array.from({ length: 300 }, (_, at) => `Customer ${at};${at * 7},50;A note of ${at}`);
const csv = `customer;amount;notes\n${rows.join('\n')}\n`;
const json = JSON.stringify({
  name: 'handbill',
  id: 1,
  versions: Array.from({ length: 120 }, (_, at) => ({ number: at, tags: ['a', 'b'] })),
  long: 'word '.repeat(100),
});

const open = async (name: string, text: string, hash = '', javaScriptEnabled = true) => {
  const { share } = await serveShares();
  const content = filesToMarkdown([{ name, text }]);
  const url = await share({ language: 'markdown', content, fileName: name });
  return openPage(await openContext(browser, { javaScriptEnabled }), `${url}${hash}`);
};

const phone = { width: 390, height: 664 };
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  return box ?? { x: NaN, y: NaN, width: NaN, height: NaN };
};

describe.skipIf(!hasBrowser)('the page of a CSV file', () => {
  it('is a table with a header that stays, and its lines by keys', async () => {
    const { page, complaints } = await open('sales.csv', csv);
    await inspect(page, 'share-csv');
    const table = page.getByRole('table');
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'customer',
      'amount',
      'notes',
    ]);
    expect(await table.getByRole('row').count()).toBe(301);
    await page.getByText('300 rows · 3 columns').waitFor();
    const group = page.getByRole('group', { name: 'Table' });
    await expect.poll(() => group.getAttribute('tabindex')).toBe('0');
    await group.focus();
    await page.keyboard.press('End');
    await table.getByText('Customer 299').waitFor();
    await expect
      .poll(async () => (await boxOf(page, 'thead th')).y - (await boxOf(page, '.scroll')).y)
      .toBeLessThan(3);
    await page.getByRole('radio', { name: 'Table' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => table.isVisible()).toBe(false);
    expect(await page.locator('code').textContent()).toBe(csv);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => table.isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('fits on a phone, where wide tables scroll within', async () => {
    const wide = `${Array.from({ length: 40 }, (_, at) => `column ${at}`).join(',')}\n`.repeat(50);
    const { page, complaints } = await open('wide.csv', wide);
    await page.setViewportSize(phone);
    const { width } = await boxOf(page, '.scroll');
    expect(width).toBeLessThanOrEqual(390);
    expect((await boxOf(page, 'table')).width).toBeGreaterThan(390);
    await page.getByRole('group', { name: 'Table' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate('document.querySelector(".scroll").scrollLeft > 0'))
      .toBe(true);
    await page.getByText('Text', { exact: true }).click();
    await expect.poll(() => page.locator('table').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('shows the lines that an address names', async () => {
    const { page } = await open('sales.csv', csv, '#L210-L212');
    await expect.poll(() => page.locator('b.marked').count()).toBe(3);
    await expect.poll(async () => (await boxOf(page, '#L211')).y).toBeGreaterThan(60);
    await expect.poll(() => page.getByRole('table').isVisible()).toBe(false);
  });

  it('switches without a script', async () => {
    const { page } = await open('sales.csv', csv, '', false);
    expect(await page.getByRole('table').isVisible()).toBe(true);
    expect(await page.locator('code').isVisible()).toBe(false);
    await page.getByText('Text', { exact: true }).click();
    await expect.poll(() => page.locator('code').isVisible()).toBe(true);
    expect(await page.getByRole('table').isVisible()).toBe(false);
    const lines = await open('sales.csv', csv, '#L5', false);
    await expect.poll(() => lines.page.locator('#L5').isVisible()).toBe(true);
  });

  it('stays at what its reader chose when the file is edited', async () => {
    const toContent = (text: string) => filesToMarkdown([{ name: 'sales.csv', text }]);
    const live = await openLive({ content: toContent('a;b\n1;2\n'), language: 'markdown' });
    const { page, pass, edit, complaints } = live;
    await page.getByText('Text', { exact: true }).click();
    await pass();
    await untilAsked(live, 1);
    await edit({ content: toContent('a;b\n3;4\n') });
    await pass();
    await page.getByText('3;4').waitFor();
    await expect.poll(() => page.getByRole('table').isVisible()).toBe(false);
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('cell', { name: '3' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says why it has the lines only', async () => {
    const { page } = await open('sales.csv', 'a,b\n1,2\n"x"y,3\n');
    await page.getByText('Shown as text: line 3 has text after a closing').waitFor();
    await page.getByRole('link', { name: 'line 3' }).click();
    await expect.poll(() => page.locator('b.marked').getAttribute('id')).toBe('L3');
  });
});

describe.skipIf(!hasBrowser)('the page of a JSON file', () => {
  it('is a tree that opens by keys', async () => {
    const { page, complaints } = await open('data.json', json);
    await inspect(page, 'share-json');
    await page.getByText('{ 4 keys }').waitFor();
    const versions = page.locator('summary', { hasText: '"versions"' });
    const first = page.locator('summary', { hasText: '{ 2 keys }' }).first();
    expect(await first.isVisible()).toBe(false);
    await versions.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => first.isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press(' ');
    await page.getByText('"number": 0').waitFor();
    const long = page.locator('summary', { hasText: '500 characters' });
    await long.click();
    await page.setViewportSize(phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByText('Text', { exact: true }).click();
    expect(await page.locator('code').textContent()).toBe(`${json}\n`);
    expect(complaints).toEqual([]);
  });

  it('stays quick with 20,000 values and 10,000 rows', async () => {
    const many = JSON.stringify(Array.from({ length: 6_000 }, (_, at) => ({ id: at, n: 'a' })));
    const { page } = await open('many.json', many);
    await page.getByText('18,001 values').waitFor();
    const table = await open('many.csv', `a,b,c\n${'1,2,3\n'.repeat(12_000)}`);
    await table.page.getByText('2,000 more rows').waitFor();
    expect(await table.page.locator('tbody tr').count()).toBe(10_000);
  });
});
