import { htmlText } from 'micromark-core-commonmark';
import type { Construct, Extension, TokenizeContext } from 'micromark-util-types';

/** What raw HTML in a line begins with that has an end of its own: a comment, an instruction, CDATA or a declaration. */
const opener = /^<(?:!--|\?|!\[|!)/;

/** What has no end in the rest of a text, by its beginning. */
const unclosed = new WeakMap<TokenizeContext, Set<string>>();

/** Reads the beginning of raw HTML, without consuming it. */
const readOpener = (context: TokenizeContext): string | undefined => {
  const start = context.now();
  const at = Math.max(0, start._bufferIndex);
  const end = { ...start, _bufferIndex: at + 4 };
  return opener.exec(context.sliceSerialize({ start, end }))?.[0];
};

/**
 * Raw HTML in a line, as micromark reads it. Where one of a kind had no end, no later one of the text has one: published
 * micromark reads up to the end of the text for each, which is quadratic.
 */
const boundedHtmlText: Construct = {
  name: 'boundedHtmlText',
  tokenize(effects, ok, nok) {
    const kind = readOpener(this);
    if (kind === undefined) return htmlText.tokenize.call(this, effects, ok, nok);
    const found = unclosed.get(this);
    if (found?.has(kind)) return nok;
    return htmlText.tokenize.call(this, effects, ok, (code) => {
      if (code === null) unclosed.set(this, (found ?? new Set()).add(kind));
      return nok(code);
    });
  },
};

/** Reads raw HTML in lines in linear time, with the same result. */
export const boundedHtml: Extension = {
  text: { 60: boundedHtmlText },
  disable: { null: ['htmlText'] },
};
