import { type Token as HtmlToken, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';
import { strippedNames } from './allow-list.ts';
import type { RawHtml } from './find-html.ts';

/** A tag or a text in raw HTML. */
export type AuthorToken =
  | { readonly kind: 'start' | 'end'; readonly token: HtmlToken.TagToken }
  | { readonly kind: 'text'; readonly token: HtmlToken.CharacterToken };

/** Stripped elements whose content is text up to their end tag. */
const textNames = new Set(['iframe', 'noscript', 'script', 'style', 'textarea', 'title']);

/** An instruction or CDATA at the start of raw HTML. Declarations and comments are the tokenizer’s. */
const instruction = /^\s*<(?:\?.*?(?:\?>|$)|!\[CDATA\[.*?(?:\]\]>|$))/s;

const ignore = () => {};

/** Reads raw HTML, without its comments and declarations. What has no end ends with it. */
const tokenize = (source: string): AuthorToken[] => {
  const tokens: AuthorToken[] = [];
  const text = source.replace(instruction, '');
  const lastEnds = new Map<string, number>();
  const findLastEnd = (name: string): number => {
    const known = lastEnds.get(name) ?? text.toLowerCase().lastIndexOf(`</${name}`);
    lastEnds.set(name, known);
    return known;
  };
  const addText = (token: HtmlToken.CharacterToken) => void tokens.push({ kind: 'text', token });
  const handler: TokenHandler = {
    onStartTag: (token) => {
      tokens.push({ kind: 'start', token });
      // Without an end, it takes nothing along.
      if (textNames.has(token.tagName) && findLastEnd(token.tagName) > tokenizer.preprocessor.pos)
        tokenizer.state = TokenizerMode.RAWTEXT;
    },
    onEndTag: (token) => void tokens.push({ kind: 'end', token }),
    onCharacter: addText,
    onWhitespaceCharacter: addText,
    onNullCharacter: ignore,
    onComment: ignore,
    onDoctype: ignore,
    onEof: ignore,
  };
  const tokenizer = new Tokenizer({}, handler);
  tokenizer.write(text, true);
  return tokens;
};

/** A place in raw HTML: its number, and that of a token. */
interface Place {
  readonly html: number;
  readonly at: number;
}

/** Raw HTML as tokens, and what lies between two pieces of it that is left out with them: from one number to another. */
export interface AuthorTokens {
  readonly tokens: AuthorToken[][];
  readonly gaps: readonly (readonly [from: number, to: number])[];
}

/** Finds the stripped elements that have an end in the construct that they begin in. */
const findStripped = (found: readonly RawHtml[], tokens: readonly AuthorToken[][]) => {
  const opened = new Map<unknown, Map<string, Place[]>>();
  const pairs: [Place, Place][] = [];
  for (const [html, { parent }] of found.entries()) {
    for (const [at, { kind, token }] of (tokens[html] ?? []).entries()) {
      if (kind === 'text' || !strippedNames.has(token.tagName)) continue;
      const byName = opened.get(parent) ?? new Map<string, Place[]>();
      opened.set(parent, byName);
      const places = byName.get(token.tagName) ?? [];
      byName.set(token.tagName, places);
      if (kind === 'start') places.push({ html, at });
      else {
        const start = places.pop();
        if (start) pairs.push([start, { html, at }]);
      }
    }
  }
  return pairs;
};

/** Reads all raw HTML of a text, without the stripped elements. */
export const readAuthorTokens = (found: readonly RawHtml[]): AuthorTokens => {
  const tokens = found.map(({ source }) => tokenize(source));
  const gaps: [number, number][] = [];
  const removed = new Map<number, [number, number][]>();
  const remove = (html: number, from: number, to: number) =>
    removed.set(html, [...(removed.get(html) ?? []), [from, to]]);
  let last: Place = { html: -1, at: 0 };
  const isBefore = (a: Place, b: Place) => a.html < b.html || (a.html === b.html && a.at < b.at);
  for (const [start, end] of findStripped(found, tokens).sort(([a], [b]) =>
    isBefore(a, b) ? -1 : 1,
  )) {
    if (isBefore(start, last)) continue;
    last = end;
    if (start.html === end.html) {
      remove(start.html, start.at, end.at + 1);
      continue;
    }
    remove(start.html, start.at, Number.POSITIVE_INFINITY);
    remove(end.html, 0, end.at + 1);
    gaps.push([start.html, end.html]);
  }
  for (const [html, ranges] of removed) {
    const kept: AuthorToken[] = [];
    let next = 0;
    for (const [from, to] of ranges) {
      kept.push(...(tokens[html]?.slice(next, from) ?? []));
      next = to;
    }
    tokens[html] = [...kept, ...(tokens[html]?.slice(next) ?? [])];
  }
  return { tokens, gaps };
};
