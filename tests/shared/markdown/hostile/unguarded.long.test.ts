// Hostile Markdown in Chromium without a policy: what the conversion alone holds off. On the page of a share, its policy
// would stop the same, which `opened.slow.test.ts` shows.

import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDocument } from '../../../../shared/markdown/markdown.ts';
import { hasBrowser, launchBrowser } from '../../../support/pages/browser.ts';
import { hostileKinds } from './inputs/inputs.ts';
import { isHttpsImage, offline, renderAll, short, toGroups } from './inputs/opening.ts';
import { runScript, watchScript } from './inputs/scripts.ts';

describe.skipIf(!hasBrowser)('hostile Markdown in a browser without a policy', () => {
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    browser = await launchBrowser(offline);
    context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    await context.addInitScript(watchScript);
  });
  afterAll(() => browser.close());

  /** Parses documents without a policy. Returns the inputs that ran, or that asked for anything but https images. */
  const run = async (inputs: readonly string[], documents: readonly string[]) => {
    const page = await context.newPage();
    const wrong = new Set<string>();
    let batch: readonly string[] = [];
    page.on('request', (request) => {
      const at = /^input-(\d+)$/.exec(request.frame().name())?.[1];
      if (at !== undefined && !isHttpsImage(request) && !/^about:/.test(request.url())) {
        wrong.add(`${short(batch[Number(at)] ?? '')} asks for ${request.url()}`);
      }
    });
    await page.route('https://empty.test/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' }),
    );
    await page.goto('https://empty.test/');
    const batches = toGroups(inputs);
    for (const [index, group] of toGroups(documents).entries()) {
      batch = batches[index] ?? [];
      const texts = JSON.stringify(group);
      const ran = (await page.evaluate(`(${runScript})(${texts})`)) as number[];
      for (const at of ran) wrong.add(`${short(batch[at] ?? '')} runs`);
    }
    await page.close();
    return [...wrong];
  };

  it.each(hostileKinds)('runs and asks nothing: $name', async ({ inputs }) => {
    const documents = (await renderAll(inputs)).map(({ html, page }) =>
      toDocument(`${html}\n<hr>\n${page}`),
    );
    expect(await run(inputs, documents)).toEqual([]);
  });

  it('would be seen if it ran', async () => {
    const raw = [
      '<img src=x onerror=hit()>',
      '<script>hit()</script>',
      '<a href=javascript:hit()>',
    ];
    const wrong = await run(raw, raw.map(toDocument));
    for (const input of raw) expect(wrong).toContain(`${short(input)} runs`);
  });
});
