// What hostile Markdown becomes, read by a parser of its own.

import { serialize } from 'parse5';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Rendered, render } from '../../../../shared/markdown/markdown.ts';
import { findForbidden } from '../../../support/markdown/allow-list.ts';
import { type HostileKind, hostileKinds } from '../../../support/markdown/hostile/kinds.ts';
import { elementsOf, toPageTree, toTree } from '../../../support/markdown/tree.ts';

const short = (input: string): string => JSON.stringify(input.slice(0, 200));

const frame = (fragment: string): string =>
  `<!doctype html><body><main><div class="article">${fragment}</div></main><footer></footer>`;

/** Whether what surrounds a fragment is around it when both are parsed. */
const isWithin = (fragment: string): boolean => {
  const elements = elementsOf(toPageTree(frame(fragment)));
  const last = elements.at(-1);
  const article = elements.find(({ attrs }) => attrs.some(({ value }) => value === 'article'));
  return (
    last?.tagName === 'footer' &&
    last.parentNode?.nodeName === 'body' &&
    elements.filter(({ tagName }) => tagName === 'main').length === 1 &&
    article?.parentNode?.nodeName === 'main' &&
    article.parentNode.childNodes.length === 1
  );
};

const findWrong = (fragment: string, origin: Parameters<typeof findForbidden>[1]): string[] => {
  const written = serialize(toTree(fragment));
  return [
    ...findForbidden(fragment, origin),
    // What a parser reads and writes again is the same and stays on the list.
    ...findForbidden(written, origin).map((one) => `${one}, written again`),
    ...(serialize(toTree(written)) === written ? [] : ['changes when it is written']),
    ...(isWithin(fragment) ? [] : ['leaves its place']),
  ];
};

describe('hostile Markdown', () => {
  it('has more than 300 inputs', () => {
    expect(hostileKinds.flatMap(({ inputs }) => inputs).length).toBeGreaterThan(300);
  });

  describe.each(hostileKinds)('$name', ({ inputs, origin }: HostileKind) => {
    const results: [string, Rendered][] = [];
    beforeAll(async () => {
      for (const input of inputs) {
        const rendered = await render(input, { field: 'content', cpuMs: 20_000 });
        results.push([short(input), rendered]);
      }
    });

    it('becomes what the list allows, in its place, for the API and for pages', () => {
      const wrong: Record<string, string[]> = {};
      for (const [input, { html, page }] of results) {
        const found = [...findWrong(html, origin ?? 'html'), ...findWrong(page, origin ?? 'page')];
        if (found.length > 0) wrong[input] = [...new Set(found)];
      }
      expect(wrong).toEqual({});
    });
  });

  it('would be found if it were not made harmless', () => {
    const raw = hostileKinds.flatMap(({ origin, inputs }) => (origin === 'author' ? inputs : []));
    const missed = raw.filter((input) => findWrong(input, 'author').length === 0);
    // Escaped or harmless by themselves.
    expect(missed).toMatchInlineSnapshot();
  });
});
