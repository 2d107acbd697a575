// The preview of the composer, whose worker is slow, stuck or missing. What it renders is in `web/preview/`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { newContext, startComposer, text } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

/** A fake worker: the text is its conversion time in ms, the query its loading time. 0 never ends. */
const timedWorkers = `{
  const later = (ms, act) => ms > 0 && setTimeout(act, ms);
  globalThis.workers = 0;
  globalThis.Worker = class {
    constructor() {
      workers += 1;
      const loading = Number(new URLSearchParams(location.search).get('loads') ?? 1);
      this.timer = later(loading, () => this.onmessage({}));
    }
    postMessage(text) {
      const blocks = ['<p>' + text + '</p>'];
      const data = { from: 0, kept: 0, blocks, lines: [0], lineCount: 1 };
      this.timer = later(Number(text), () => this.onmessage({ data }));
    }
    terminate() {
      workers -= 1;
      clearTimeout(this.timer);
    }
  };
}`;

describe.skipIf(!hasBrowser)('the preview of Markdown', () => {
  /** Opens the composer with a controlled clock. */
  const open = async (query = '') => {
    const context = await newContext(browser);
    await context.addInitScript(timedWorkers);
    const page = await context.newPage();
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.goto(`${await startComposer()}/${query}`);
    const shown = () => page.locator('#preview').innerText();
    return { page, shown };
  };

  /** Enters a text with this conversion time (ms), and advances the clock to the start of the conversion. */
  const write = async (page: Page, ms: number) => {
    await text(page).fill(String(ms));
    await page.clock.runFor(250);
  };

  it('shows the newest text, regardless of previous conversions', async () => {
    const { page, shown } = await open();
    await write(page, 0);
    await page.clock.runFor(9_700);
    await write(page, 1_500);
    await page.clock.runFor(1_600);
    await expect.poll(shown).toBe('1500');
    await write(page, 1_000);
    await write(page, 10);
    await page.clock.runFor(100);
    await expect.poll(shown).toBe('10');
    await page.clock.runFor(15_000);
    await expect.poll(shown).toBe('10');
    expect(await page.evaluate('workers')).toBe(1);
  });

  it('shows an error if the newest text takes too long, but not earlier', async () => {
    const { page, shown } = await open();
    await write(page, 10);
    await page.clock.runFor(100);
    await write(page, 0);
    await page.clock.runFor(9_900);
    await expect.poll(shown).toBe('10');
    await page.clock.runFor(200);
    await expect.poll(shown).toBe('This Markdown is too complex to preview.');
    await write(page, 10);
    await page.clock.runFor(100);
    await expect.poll(shown).toBe('10');
  });

  it('waits for its worker without a limit', async () => {
    const { page, shown } = await open('?loads=20000');
    await write(page, 10);
    await page.clock.runFor(10_000);
    await expect.poll(shown).toBe('Nothing to preview yet.');
    await write(page, 20);
    await page.clock.runFor(10_000);
    await expect.poll(shown).toBe('20');
    expect(await page.evaluate('workers')).toBe(1);
  });

  it('shows an error if its worker can’t be loaded, and recovers', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.route('**/markdown-worker.*', (route) => route.abort());
    await page.goto(await startComposer());
    await text(page).fill('*fine*');
    await page.getByText('Preview is unavailable.').waitFor();
    await page.unroute('**/markdown-worker.*');
    await text(page).fill('*still fine*');
    await page.locator('#preview em', { hasText: 'still fine' }).waitFor();
  });

  it('keeps the blocks of a long text in order when it changes', async () => {
    const page = await (await newContext(browser)).newPage();
    await page.goto(await startComposer());
    const words = Array.from({ length: 500 }, (_, at) => `p${at}`);
    const added = Array.from({ length: 300 }, (_, at) => `new${at}`);
    const versions = [
      words,
      words.with(260, 'changed'),
      words.toSpliced(120, 5, 'a', 'b'),
      words.toSpliced(333, 0, ...added),
      words.toSpliced(10, 480),
      ['one'],
      words,
    ];
    for (const version of versions) {
      // The editor has only the lines in view in the page, so that a selection in the page may miss others.
      for (const key of ['ControlOrMeta+a', 'Delete']) await text(page).press(key);
      await text(page).fill(version.join('\n\n'));
      await expect.poll(() => page.locator('#preview p').allTextContents()).toEqual(version);
      const parts = await page
        .locator('#preview .prose')
        .evaluateAll((all) => all.map(({ childElementCount }) => childElementCount));
      expect(Math.max(...parts)).toBeLessThanOrEqual(200);
      expect(Math.min(...parts)).toBeGreaterThan(0);
    }
  });
});
