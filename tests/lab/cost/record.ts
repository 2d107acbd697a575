import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The figures of the READMEs. */
const figuresFile = 'infra/build/costs.json';

const replace = (file: string, parts: object): void => {
  const path = join(root, file);
  const before = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, `${JSON.stringify({ ...before, ...parts }, null, 2)}\n`);
};

const isWriting = process.env['WRITE_COSTS'] !== undefined;

/** Replaces a part of the figures of the READMEs, if this is `npm run cost:write`. */
export const recordFigures = (part: string, figures: unknown): void => {
  if (isWriting) replace(figuresFile, { [part]: figures });
};

/**
 * Replaces a part of the prices by which requests are metered, in billionths of a dollar, if this is `npm run cost:write`:
 * those of the endpoints, or that of a month without requests.
 */
export const recordPrices = (
  part: { readonly endpoints: Readonly<Record<string, number>> } | { readonly idleMonth: number },
): void => {
  if (isWriting) replace('shared/spending/route-prices.json', part);
};
