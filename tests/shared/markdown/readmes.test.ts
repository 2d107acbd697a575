// READMEs as people write them: three for this test, which use the whole allow-list, beside the HTML that GitHub shows,
// and those of packages.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { render } from '../../../shared/markdown/markdown.ts';
import { allowedElements, findForbidden } from '../../support/markdown/allow-list.ts';
import { type Change, toNormalTree } from '../../support/markdown/normal-tree.ts';
import {
  attributesOf,
  type Element,
  elementsOf,
  isText,
  toTree,
  walk,
} from '../../support/markdown/tree.ts';

const folder = join(import.meta.dirname, '../../support/markdown/readmes');
const readmes = ['library', 'handbook', 'notes'];

/** Packages whose READMEs differ in how they use HTML. */
const packages = [
  ...['ajv', 'csv-parse', 'esbuild', 'fast-check', 'fastify', 'file-type', 'find-my-way'],
  ...[
    'hono',
    'iconv-lite',
    'jose',
    'js-yaml',
    'markdown-it',
    'mermaid',
    'micromark',
    'mime-types',
    'minimatch',
  ],
  ...['pino', 'preact', 'semver', 'temml', 'vite', 'zod'],
];

const convert = (markdown: string) => render(markdown, { field: 'content', cpuMs: 20_000 });

/** Of elements that GitHub’s page has otherwise, what a reader sees: no anchors, classes, colors of code or MathML. */
const asRead: Change = (element) => {
  const attributes = attributesOf(element);
  if (attributes.get('class') === 'anchor') return 'drop';
  if (element.tagName === 'i' && attributes.get('class')?.startsWith('i-')) return 'drop';
  if (element.tagName === 'span' && /^(?:hljs-|$)/.test(attributes.get('class') ?? '')) {
    return attributes.has('lang') ? undefined : 'unwrap';
  }
  if (element.tagName === 'math') element.childNodes = [];
  const kept = [...attributes].filter(
    ([name]) => !/^(?:id|class|role|aria-.*|data-.*)$/.test(name),
  );
  return new Map(element.tagName === 'math' ? [] : kept);
};

const idsIn = (elements: readonly Element[]): ReadonlySet<string> =>
  new Set(
    elements.flatMap((element) => {
      const attributes = attributesOf(element);
      return [attributes.get('id') ?? '', attributes.get('name') ?? ''];
    }),
  );

/** The links within a fragment that lead to nothing. */
const findDeadLinks = (fragment: string): string[] => {
  const elements = elementsOf(toTree(fragment));
  const ids = idsIn(elements);
  return elements.flatMap((element) => {
    const href = attributesOf(element).get('href') ?? '';
    if (!href.startsWith('#') || href === '#') return [];
    return ids.has(decodeURIComponent(href.slice(1))) ? [] : [href];
  });
};

const tag = new RegExp(`</?(?:${[...allowedElements].join('|')})(?=[\\s/>])[^<]*>|<!--`, 'i');

/** The texts outside of code that read like a tag of the list, or a comment. */
const findLiteralTags = (fragment: string): string[] => {
  const found: string[] = [];
  for (const node of walk(toTree(fragment))) {
    if (!isText(node) || !tag.test(node.value)) continue;
    let isCode = false;
    for (let at: unknown = node.parentNode; at; at = (at as Element).parentNode) {
      if (/^(?:code|pre)$/.test((at as Element).tagName ?? '')) isCode = true;
    }
    if (!isCode) found.push(node.value.trim().slice(0, 100));
  }
  return found;
};

describe('a README', () => {
  it.each(readmes)('%s reads as on GitHub', async (name) => {
    const markdown = readFileSync(join(folder, `${name}.md`), 'utf8');
    const { html, page } = await convert(markdown);
    const expected = readFileSync(join(folder, `${name}.expected`), 'utf8');
    expect(toNormalTree(page, asRead)).toBe(toNormalTree(expected, asRead));
    expect(findDeadLinks(page)).toEqual([]);
    expect(findForbidden(html, { place: 'api' })).toEqual([]);
    expect(findForbidden(page, { place: 'page' })).toEqual([]);
    expect(`${html}${page}`).not.toContain('secret-comment');
  });

  it('shows every element of the list', async () => {
    const shown = new Set<string>();
    for (const name of readmes) {
      const { page } = await convert(readFileSync(join(folder, `${name}.md`), 'utf8'));
      for (const { tagName } of elementsOf(toTree(page))) shown.add(tagName);
    }
    expect([...allowedElements].filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each(packages)('of %s shows no tag as text', async (name) => {
    const root = join(import.meta.dirname, '../../../node_modules', name);
    const [file = ''] = globSync('{README,readme,Readme}.md', { cwd: root });
    const { page } = await convert(readFileSync(join(root, file), 'utf8'));
    expect(findLiteralTags(page)).toEqual([]);
    expect(findForbidden(page, { place: 'page' })).toEqual([]);
  });
});
