// A Markdown share as it is read. What Markdown becomes is in `shared/markdown/`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { content, open } from '../flows/markdown-page.ts';

describe.skipIf(!hasBrowser)('a Markdown page in a browser', () => {
  it('shows alerts and math without breaking its policy', async () => {
    const { page, complaints } = await open({ content });
    await inspect(page, 'share-extras');
    await expect.poll(() => page.getByRole('note').count()).toBe(5);
    const fraction = page.locator('mfrac').first();
    const [above, below] = await Promise.all(
      [0, 1].map((at) => fraction.locator('> *').nth(at).boundingBox()),
    );
    // The denominator is below the numerator, in any font.
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) / 2);
    // A long formula scrolls, and can be reached by keyboard for that.
    await page.setViewportSize({ width: 400, height: 800 });
    const formula = page.getByRole('group', { name: 'Formula' }).first();
    await expect.poll(() => formula.getAttribute('tabindex')).toBe('0');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('light');
    await expect.poll(() => page.locator('.reader-bar').isVisible()).toBe(false);
    await expect.poll(() => page.locator('.colophon').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('leads to lines of a file and makes links to them', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `const value${at + 1} = ${at};`);
    const file = `\`\`\`js title="app.js"\n${lines.join('\n')}\n\`\`\`\n`;
    const { page, url, complaints } = await open({ content: file }, '#L210-L212');
    const marked = () =>
      page.evaluate('Array.from(document.querySelectorAll(".marked"), ({ id }) => id).join(" ")');
    await expect.poll(marked).toBe('L210 L211 L212');
    const box = await page.locator('#L211').boundingBox();
    expect(box?.y).toBeGreaterThan(60);
    expect(box?.y).toBeLessThan(800);
    const press = (line: string, shift = false) =>
      page.locator(line).click({
        position: { x: 5, y: 5 },
        modifiers: shift ? ['Shift'] : [],
      });
    await press('#L208');
    expect(page.url()).toBe(`${url}#L208`);
    await press('#L214', true);
    expect(page.url()).toBe(`${url}#L208-L214`);
    await expect.poll(() => marked()).toBe('L208 L209 L210 L211 L212 L213 L214');
    await page.evaluate('location.hash = "#L3"');
    await expect.poll(marked).toBe('L3');
    expect(complaints).toEqual([]);
  });

  it('leads to each heading by its slug, whatever the page calls its own parts', async () => {
    const filler = 'Words. '.repeat(600);
    const names = ['Main', 'Actions', 'Stop', 'Footnote label', 'Qr heading', '🚀 Start', 'L10'];
    const parts = names.map((name) => `## ${name}\n\n${filler}`);
    const links = '[up](#MAIN) [start](#-start)[^1]';
    const text = `# Names\n\n${links}\n\n${parts.join('\n\n')}\n\n[^1]: A note.\n`;
    const { page, url, complaints } = await open({ content: text }, '#actions');
    const topOf = async (name: string) =>
      (await page.getByRole('heading', { name, level: 2 }).boundingBox())?.y ?? -1;
    const expectAtTop = async (name: string) => {
      await expect.poll(() => topOf(name)).toBeGreaterThan(50);
      await expect.poll(() => topOf(name)).toBeLessThan(120);
    };
    await expectAtTop('Actions');
    const slugs = ['main', 'stop', 'footnote-label', 'qr-heading', '-start', 'l10'];
    for (const [at, slug] of slugs.entries()) {
      await page.evaluate(`location.hash = '#${slug}'`);
      if (slug !== 'l10') await expectAtTop(names.filter((name) => name !== 'Actions')[at] ?? '');
    }
    await page.getByRole('link', { name: 'up' }).click();
    expect(page.url()).toBe(`${url}#main`);
    await expectAtTop('Main');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('dialog', { name: 'QR code' }).waitFor();
    const own = await page.evaluate(
      'Array.from(document.querySelectorAll("[id]"), (one) => one.closest(".prose, .title") ? "" : one.id).filter(Boolean)',
    );
    expect(own).toEqual(['Actions', 'Main', 'Qr-heading']);
    expect(complaints).toEqual([]);
  });
});
