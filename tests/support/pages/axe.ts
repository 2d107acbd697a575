import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary: string }[];
}

/** axe collects details of violations only. It isn’t in a page’s frames, so it can’t check them. */
const common = { resultTypes: ['violations'], iframes: false };

// The size of targets is WCAG 2.2 AA, but off by default.
const options = { ...common, rules: { 'target-size': { enabled: true } } };

/** Icons that the page's styles don't have are squares. */
const findSquares = `[...document.querySelectorAll('i[class^="i-"], i[class*=" i-"]')]
  .filter((icon) => getComputedStyle(icon).maskImage === 'none')
  .map(({ className }) => 'no such icon: ' + className)`;

const run = async (page: Page, context: string, rules: object): Promise<string[]> => {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  const { violations } = (await page.evaluate(`axe.run(${context}, ${JSON.stringify(rules)})`)) as {
    violations: Violation[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
};

/** Returns what axe finds on a page: WCAG 2.2 AA and best practices; and icons that are missing. */
export const findViolations = async (page: Page): Promise<string[]> => {
  const found = await run(page, 'document', options);
  return [...found, ...((await page.evaluate(findSquares)) as string[])];
};

/** Returns what axe finds about the colors of a page: all that depends on the color scheme. */
export const findColorViolations = (page: Page): Promise<string[]> =>
  run(page, 'document', {
    ...common,
    runOnly: ['color-contrast', 'link-in-text-block'],
  });
