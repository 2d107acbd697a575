import type { Locator, Page } from 'playwright-core';

/** The column of a day, in the views of weeks and days. */
export const column = (page: Page, date: string): Locator =>
  page.locator(`.col[data-day="${date}"]`);

/** Where an hour is in a column, from 0 to 1. */
export const hour = (at: number): number => at / 24;

/** Presses at one part of an element and releases at one of another, moving between. */
export const drag = async (
  page: Page,
  from: Locator,
  to: Locator,
  parts: readonly [number, number],
): Promise<void> => {
  const [one, other] = [await from.boundingBox(), await to.boundingBox()];
  if (!one || !other) throw new Error('Nothing to drag');
  await page.mouse.move(one.x + one.width / 2, one.y + one.height * parts[0]);
  await page.mouse.down();
  await page.mouse.move(other.x + other.width / 3, other.y + other.height * parts[1], { steps: 6 });
  await page.mouse.up();
};
