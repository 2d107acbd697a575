import { parseArgs } from 'node:util';
import { launchBrowser } from '../../support/pages/browser.ts';
import { startServer } from '../load/server.ts';
import { textTable } from '../support/text-table.ts';
import type { Benchmark } from './support/benchmark.ts';
import { machine } from './support/machine.ts';

const sizes = [1, 50, 250, 480];
/** What a key may take, at the 95th percentile. ms. */
const goalMs = 30;
const pauseMs = 120;
/** After the first preview, until the page rests. */
const settledMs = 2_000;

const paragraph =
  '## A heading\n\nSome **bold** and *slanted* words with `code` and [a link](https://example.com/), as people write them.\n\n- one\n- two\n\n```js\nconst answer = 42;\n```\n\n';

const toText = (kilobytes: number): string =>
  paragraph.repeat(Math.ceil((kilobytes * 1_024) / paragraph.length)).slice(0, kilobytes * 1_024);

/** Measures each key from its event to the end of the frame that shows it. */
const watch = `
  window.keyTimes = [];
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => keyTimes.push(performance.now() - timeStamp);
    port2.postMessage(undefined);
  }), { capture: true });`;

/** Stores a text as the draft that the composer restores. */
const storeDraft = (content: string): void => {
  localStorage.setItem('handbill-draft', JSON.stringify({ content, fields: {}, isAway: false }));
};

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;

/** Measures how long a key takes in the composer, beside the preview, by the size of the text. */
export const typing: Benchmark = {
  summary: 'time from a key to its frame in the composer, with the preview, in Chromium',
  usage: '[--keys 60]',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: { keys: { type: 'string', default: '60' } },
    });
    const keys = Number(values.keys);
    if (!Number.isInteger(keys) || keys < 1) throw new Error('Set --keys to an integer from 1.');
    const server = await startServer();
    const browser = await launchBrowser();
    try {
      const rows: string[][] = [];
      let isWithinGoal = true;
      for (const size of sizes) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
        await page.addInitScript(storeDraft, toText(size));
        await page.goto(server.url);
        const editor = page.locator('.cm-content');
        await editor.waitFor();
        await page.locator('#preview .prose').first().waitFor();
        await page.waitForTimeout(settledMs);
        await editor.click({ position: { x: 40, y: 40 } });
        await page.evaluate(watch);
        for (let key = 0; key < keys; key += 1) {
          await page.keyboard.press(key % 6 === 5 ? 'Space' : 'e');
          await page.waitForTimeout(pauseMs);
        }
        const times = ((await page.evaluate('keyTimes')) as number[]).toSorted((a, b) => a - b);
        if (times.length < keys) throw new Error(`${size} KB: ${times.length} of ${keys} keys`);
        const worst = quantile(times, 0.95);
        if (worst > goalMs) isWithinGoal = false;
        rows.push([
          `${size} KB`,
          quantile(times, 0.5).toFixed(1),
          worst.toFixed(1),
          (times.at(-1) ?? Number.NaN).toFixed(1),
        ]);
        await page.close();
      }
      process.stdout.write(
        `${machine()}\n\n${textTable(['text', 'median ms', 'p95 ms', 'longest ms'], rows)}\n`,
      );
      process.stdout.write(`${isWithinGoal ? 'met' : 'missed'}: ${goalMs} ms a key at p95\n`);
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};
