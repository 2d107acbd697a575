import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAnchors } from '../support/run/markdown-headings.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const headings = listAnchors(read('functions/decisions.md'), '##');

/** Returns the anchors that a text cites. */
const findCitations = (text: string): string[] =>
  [...text.matchAll(/decisions\.md#([\w-]+)/g)].map(([, anchor = '']) => anchor);

/** Returns the citations of headings that don't exist. */
const findBroken = (text: string): string[] =>
  findCitations(text).filter((anchor) => !headings.includes(anchor));

/** Returns the headings that no text cites. */
const findUncited = (texts: readonly string[]): string[] => {
  const cited = new Set(texts.flatMap(findCitations));
  return headings.filter((heading) => !cited.has(heading));
};

/** Documents outside the repository, which its readers don't have. */
const outside = /decisions \u00a7|\d-snippet-service|\d-admin-api/;

/** `built` folders hold generated files. */
const files = globSync('{functions,shared,infra,tests}/**/*.{ts,js}', {
  cwd: root,
  exclude: (name) => name.endsWith('built'),
}).filter((file) => !file.endsWith('decisions.test.ts'));

describe('functions/decisions.md', () => {
  it('has every heading that a comment cites', () => {
    const broken = files.flatMap((file) => findBroken(read(file)).map((one) => `${file}: ${one}`));
    expect(broken).toEqual([]);
  });

  it('has no heading that no comment cites', () => {
    expect(findUncited(files.map(read))).toEqual([]);
  });

  it('links only to its own headings', () => {
    const linked = [...read('functions/decisions.md').matchAll(/\]\(#([\w-]+)\)/g)];
    expect(
      linked.map(([, anchor]) => anchor).filter((one) => !headings.includes(`${one}`)),
    ).toEqual([]);
  });

  it('is cited instead of documents outside the repository', () => {
    expect(files.filter((file) => outside.test(read(file)))).toEqual([]);
  });
});

describe('the check of citations', () => {
  it('finds a heading that does not exist', () => {
    expect(findBroken('see decisions.md#views and decisions.md#no-such-rule')).toEqual([
      'no-such-rule',
    ]);
  });

  it('finds a heading that is not cited', () => {
    const others = headings.filter((one) => one !== 'views').map((one) => `decisions.md#${one}`);
    expect(findUncited(others)).toEqual(['views']);
  });

  it('finds a citation of a document outside the repository', () => {
    expect(outside.test('decisions \u00a74')).toBe(true);
  });
});
