// What hostile Markdown becomes, read by a parser of its own.

import { serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { render } from '../../../../shared/markdown/markdown.ts';
import { type Fragment, findForbidden } from '../../../support/markdown/allow-list.ts';
import { elementsOf, toPageTree, toTree } from '../../../support/markdown/tree.ts';
import { hostileKinds } from './inputs/inputs.ts';

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

const findWrong = (html: string, fragment: Fragment): string[] => {
  const written = serialize(toTree(html));
  return [
    ...findForbidden(html, fragment),
    // What a parser reads and writes again is the same and stays on the list.
    ...findForbidden(written, fragment).map((one) => `${one}, written again`),
    ...(serialize(toTree(written)) === written ? [] : ['changes when it is written']),
    ...(isWithin(html) ? [] : ['leaves its place']),
  ];
};

describe('hostile Markdown', () => {
  it('has more than 400 inputs', () => {
    expect(new Set(hostileKinds.flatMap(({ inputs }) => inputs)).size).toBeGreaterThan(400);
  });

  it.each(hostileKinds)('becomes what the list allows, in its place: $name', async (kind) => {
    const isRaw = kind.isRaw === true;
    const wrong: Record<string, string[]> = {};
    for (const input of kind.inputs) {
      const { html, page } = await render(input, { field: 'content', cpuMs: 20_000 });
      const found = [
        ...findWrong(html, { place: 'api', isRaw }),
        ...findWrong(page, { place: 'page', isRaw }),
      ];
      if (found.length > 0) wrong[short(input)] = [...new Set(found)];
    }
    expect(wrong).toEqual({});
  });

  it('would be found if nothing made it harmless', () => {
    const raw = hostileKinds.filter(({ isRaw }) => isRaw).flatMap(({ inputs }) => inputs);
    const found = raw.filter(
      (input) =>
        input.length < 10_000 && findWrong(input, { place: 'page', isRaw: true }).length > 0,
    );
    // The others are harmless by themselves.
    expect(found.length / raw.length).toBeGreaterThan(0.75);
  });
});
