// Open pages of shares that follow edits. What is asked and answered is in `web/share-page/live/state.test.ts`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { intervalMs, openLive, untilAsked } from '../flows/live.ts';

const paragraphs = (from: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `Paragraph ${from + at}. ${'Some words. '.repeat(40)}`,
  ).join('\n\n');

const guide = `# A guide

${paragraphs(1, 6)}

<details><summary>More</summary>Hidden words</details>

## The middle

${paragraphs(7, 4)}

[A link](https://example.com/)

## The end

${paragraphs(11, 10)}
`;

const say = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text);

const topOf = async (page: Page, text: string): Promise<number> =>
  (await page.getByText(text).boundingBox())?.y ?? Number.NaN;

const setHidden = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(
    `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
document.dispatchEvent(new Event('visibilitychange'))`,
  );

describe.skipIf(!hasBrowser)('an open page of a share', () => {
  it('shows an edit where its reader is, says so, and counts no view', async () => {
    const live = await openLive({ content: guide, language: 'markdown' });
    const { page, complaints, pass, edit, viewsOf, url } = live;
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('heading', { name: 'The middle' }).scrollIntoViewIfNeeded();
    await page.getByRole('link', { name: 'A link' }).focus();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#the-end'))`);
    const before = await topOf(page, 'Paragraph 8.');
    await pass();
    await untilAsked(live, 1);
    expect(await page.locator('.toast').count()).toBe(0);

    const added = '```ts title="new.ts"\nconst a = 1;\n```\n\n## Added';
    const text = guide
      .replace('## The middle', `${added}\n\n${paragraphs(30, 5)}\n\n## The middle`)
      .replace('Paragraph 12.', 'Changed 12.');
    await edit({ content: text, title: 'A new guide' });
    await pass();
    await say(page, /^Updated \d\d:\d\d$/).waitFor();
    await page.getByText('Changed 12.').waitFor();
    expect(await page.title()).toBe('A new guide');
    expect(await page.locator('.byline').innerText()).toMatch(/Edited .* · Updated \d\d:\d\d · /);
    expect(Math.abs((await topOf(page, 'Paragraph 8.')) - before)).toBeLessThan(2);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('A link');
    expect(await page.evaluate('String(getSelection())')).toContain('The end');
    expect(await page.getByText('Hidden words').isVisible()).toBe(true);
    // What the script does for a text, it has done for this one.
    await expect.poll(() => page.locator('[data-copies-code]').isVisible()).toBe(true);
    await expect.poll(() => page.locator('[data-wraps-lines]').isVisible()).toBe(true);
    await page.locator('.toc').getByRole('link', { name: 'Added' }).waitFor({ state: 'attached' });
    expect(await viewsOf(url)).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('loads the frame of HTML again where its reader is, but asks first if they entered something', async () => {
    const html = (name: string) =>
      `<!doctype html><h1>${name}</h1><input aria-label="Entry"><p style="height:4000px">Long</p><p>${name} end</p>`;
    const live = await openLive({ content: html('First'), title: 'A page' });
    const { page, complaints, pass, edit, viewsOf, url } = live;
    const frame = page.frameLocator('.stage > iframe');
    await frame.getByText('First end').scrollIntoViewIfNeeded();
    const scrolled = () => page.frames().at(-1)?.evaluate('scrollY');
    const before = await scrolled();
    expect(before).toBeGreaterThan(1_000);
    await edit({ content: html('Second'), description: 'With a description' });
    await pass();
    await frame.getByText('Second end').waitFor();
    await say(page, /^Updated/).waitFor();
    await expect.poll(scrolled).toBe(before);
    await page.getByText('With a description').waitFor();
    const steps = await page.evaluate('history.length');

    await frame.getByLabel('Entry').fill('Mine');
    await edit({ content: html('Third') });
    await pass();
    await page.getByText('A newer version is available.').waitFor();
    expect(await frame.getByLabel('Entry').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Show it' }).click();
    await frame.getByText('Third end').waitFor();
    expect(await page.evaluate('history.length')).toBe(steps);
    expect(await viewsOf(url)).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('asks nothing while it is hidden or unused for 30 minutes, and at once afterwards', async () => {
    const live = await openLive({ content: guide, language: 'markdown' });
    const { page, pass } = live;
    await pass();
    await untilAsked(live, 1);
    await setHidden(page, true);
    await pass(10 * intervalMs);
    expect(live.countAsked()).toBe(1);
    await page.clock.runFor(2_000);
    await setHidden(page, false);
    await untilAsked(live, 2);

    await page.clock.fastForward(31 * 60_000);
    await page.clock.fastForward(5 * intervalMs);
    const idle = live.countAsked();
    await page.clock.fastForward(60 * 60_000);
    expect(live.countAsked()).toBe(idle);
    await page.mouse.move(100, 100);
    await untilAsked(live, idle + 1);
  });

  it('asks less often without an answer, and again at once when it is online', async () => {
    const live = await openLive({ content: guide, language: 'markdown' });
    const { page, pass } = live;
    await pass();
    await untilAsked(live, 1);
    await page.route('**/live', (route) => route.fulfill({ status: 503 }));
    for (const [count, wait] of [
      [2, 15_000],
      [3, 30_000],
      [4, 60_000],
    ] as const) {
      await pass(wait - 1);
      expect(live.countAsked()).toBe(count - 1);
      await pass(1);
      await untilAsked(live, count);
    }
    await page.unroute('**/live');
    await pass(2_000);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await untilAsked(live, 5);
    await pass();
    await untilAsked(live, 6);
  });

  it('keeps what it shows when its share has ended, says so, and asks no more', async () => {
    const live = await openLive({ content: guide, language: 'markdown' });
    const { page, pass, end } = live;
    await pass();
    await untilAsked(live, 1);
    await end();
    await pass();
    await say(page, 'This snippet has ended. You can read on until you leave the page.').waitFor();
    expect(await page.getByText('Paragraph 12.').isVisible()).toBe(true);
    await page.locator('.byline').getByText('Ended').waitFor();
    await pass(10 * intervalMs);
    expect(live.countAsked()).toBe(2);
  });

  it('never asks for a share that takes a view', async () => {
    const live = await openLive({ content: guide, language: 'markdown', viewLimit: 5 });
    const { page, pass } = live;
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await page.getByText('Paragraph 1.').waitFor();
    await pass(10 * intervalMs);
    expect(live.countAsked()).toBe(0);
  });
});
