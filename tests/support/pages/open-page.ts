import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findColorViolations, findViolations } from './axe.ts';
import { isComplaint } from './complaints.ts';
import { findSmallTargets, leastTarget, widths } from './inspections.ts';
import { watchFocus } from './lost-focus.ts';

/** Set this to a folder to store screenshots. */
const screenshots = process.env['SCREENSHOTS'];

/** Colors that still change have no contrast. An element's transition may start that of its children. */
const waitForTransitions = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  do {
    await frame();
    await frame();
  } while (document.getAnimations().some(({ playState }) => playState === 'running'));
})()`;

/** Checks accessibility in light mode, colors in dark mode too, the layout on a narrow screen, and that a finger can press what can be pressed. */
export const inspect = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(waitForTransitions);
    const find = colorScheme === 'light' ? findViolations : findColorViolations;
    expect(await find(page), `${name}, ${colorScheme}`).toEqual([]);
    if (screenshots === undefined) continue;
    await mkdir(screenshots, { recursive: true });
    await page.screenshot({
      path: join(screenshots, `${name}-${colorScheme}.png`),
      fullPage: true,
    });
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: widths[0], height: 700 });
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(
    widths[0],
  );
  await page.setViewportSize({ width: widths[1], height: 664 });
  expect(await findSmallTargets(page, leastTarget), name).toEqual([]);
  await page.setViewportSize({ width: widths[0], height: 700 });
  if (screenshots !== undefined) {
    await page.screenshot({ path: join(screenshots, `${name}-narrow.png`), fullPage: true });
  }
  if (before) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
};

/**
 * Creates an isolated context of a user who wants less motion, by default. It is closed when the test ends, which fails if
 * an action let the focus fall to `body`.
 */
export const openContext = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  // Nothing that a flow does waits for something to stop moving.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  // Ends only what hangs: a page may wait long for its share of a core.
  context.setDefaultTimeout(60_000);
  const lost = await watchFocus(context);
  onTestFinished(async () => {
    await context.close();
    expect(lost, 'what had the focus and left it to the body').toEqual([]);
  });
  return context;
};

/** Opens a page, and records console errors and requested origins. */
export const openPage = async (context: BrowserContext, url: string) => {
  const page = await context.newPage();
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (isComplaint(message)) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => dialog.accept());
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  await page.goto(url);
  return { page, complaints, origins };
};
