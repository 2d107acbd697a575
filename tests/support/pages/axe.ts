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

// axe checks all rules, but collects details of violations only. The size of targets is WCAG 2.2 AA, but off by default.
const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** Icons that the page's styles don't have are squares. */
const findSquares = `[...document.querySelectorAll('i[class^="i-"], i[class*=" i-"]')]
  .filter((icon) => getComputedStyle(icon).maskImage === 'none')
  .map(({ className }) => 'no such icon: ' + className)`;

/**
 * Returns what axe finds on a page, or outside a part of it: WCAG 2.2 AA and best practices; and icons that are missing.
 */
export const findViolations = async (page: Page, excluded?: string): Promise<string[]> => {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axeSource);
  const context = excluded === undefined ? 'document' : JSON.stringify({ exclude: [excluded] });
  const run = `axe.run(${context}, ${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(run)) as {
    violations: Violation[];
  };
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
  return [...found, ...((await page.evaluate(findSquares)) as string[])];
};
