import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pins = join(root, 'tests/contract/pins');

type Entries = Readonly<Record<string, unknown>>;

const byCodeUnit = (one: string, other: string): number =>
  Number(one > other) - Number(one < other);

const isIntrinsic = (name: string): boolean => name.startsWith('Fn::');

/**
 * Returns a value with its properties in the order of their names and its lists sorted, but for those of CloudFormation's
 * functions: what differs only in an order that means nothing becomes equal.
 */
const ordered = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(item, name));
    return isIntrinsic(name)
      ? items
      : items.sort((one, other) => byCodeUnit(JSON.stringify(one), JSON.stringify(other)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Entries).sort(([one], [other]) => byCodeUnit(one, other));
  return Object.fromEntries(entries.map(([key, item]) => [key, ordered(item, key)]));
};

/** Returns a value as JSON that is the same whatever the order of properties and of lists. */
export const canonical = (value: unknown): string => JSON.stringify(ordered(value));

/** Returns a short name of a value that another value does not have. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16);

/** Compares these lines, sorted, with the file `tests/contract/pins/<name>.snap`. */
export const pin = async (name: string, lines: Iterable<string>): Promise<void> => {
  const sorted = [...new Set(lines)].sort(byCodeUnit);
  expect(sorted, name).not.toEqual([]);
  await expect(`${sorted.join('\n')}\n`).toMatchFileSnapshot(join(pins, `${name}.snap`));
};

const isSourceFolder = (name: string): boolean =>
  !name.startsWith('.') && !['node_modules', 'tests', 'cdk.out'].includes(name);

/** Returns the text of every TypeScript file of the project but the tests, wherever it lies. */
export const sources = (): string[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isSourceFolder(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(root, name, file), 'utf8')),
    );

/** Returns what the groups of a pattern match anywhere in the sources, each match as one line. */
export const found = (pattern: RegExp): string[] =>
  sources().flatMap((text) =>
    [...text.matchAll(pattern)].map((match) =>
      match.slice(1).join(' ').replaceAll(/\s+/g, ' ').trim(),
    ),
  );
