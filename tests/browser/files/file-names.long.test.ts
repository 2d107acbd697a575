import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { expectTold, line, named, openFiles, startFiles } from '../../support/pages/files-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const long = `Minutes of the meeting ${'about everything '.repeat(8)}part-2.txt`;

/** Returns what is drawn of the end of a name, and whether it is within the element that holds the name. */
const readEnd = (holder: Locator) =>
  holder.evaluate((element) => {
    const name = element.querySelector('.fname') as HTMLElement;
    const { content } = getComputedStyle(name, '::after');
    return { content, isInside: name.scrollWidth <= element.clientWidth };
  });

describe.skipIf(!hasBrowser)('a long name of a file', () => {
  it.each([1280, 390])(
    'keeps its end in the list, the tray and the drawer, %d wide',
    async (width) => {
      const { page, complaints } = await openFiles(browser, await startFiles());
      await page.setViewportSize({ width, height: 664 });
      await page.locator('#choose').setInputFiles([named(long, 'a'), named('b.txt', 'b')]);
      await expectTold(page, '2 files uploaded');
      const end = { content: '"rt-2.txt" / ""', isInside: true };
      const tray = page.locator('.tray li .cut').filter({ hasText: long });
      expect(await readEnd(tray)).toEqual(end);
      await page.getByRole('button', { name: 'Clear list' }).click();

      const row = line(page, long);
      expect(await readEnd(row.locator('b'))).toEqual(end);
      expect(await row.locator('b').getAttribute('title')).toBe(long);
      expect(await line(page, 'b.txt').locator('.fname').count()).toBe(0);

      await row.getByRole('link', { name: long, exact: true }).click();
      const title = page.getByRole('dialog', { name: long, exact: true }).getByRole('heading');
      expect(await readEnd(title)).toEqual(end);
      await title.click({ clickCount: 3 });
      await expect.poll(() => page.evaluate('getSelection().toString().trim()')).toBe(long);
      expect(complaints).toEqual([]);
    },
  );
});
