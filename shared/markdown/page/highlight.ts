import hljs from 'highlight.js/lib/common';
import { decodeText } from './decode-text.ts';

/**
 * Maximum length of a highlighted block in UTF-16 units, because highlighting takes about ten times as long as the
 * rest.
 */
const maxBlockLength = 16 * 1024;
/** CPU time in microseconds after which blocks stay plain, so that decoration never fails a conversion. */
const maxCpu = 400_000;

/** A highlighted block: its HTML, and the name of its language for readers. */
export interface Highlighted {
  readonly html: string;
  readonly name: string;
}

/** Names a language for readers. Names that combine several, such as "HTML, XML", become the one that was written. */
const toName = (language: string, name: string): string => {
  const names = name.split(', ');
  if (names.length === 1) return name;
  return names.find((one) => one.toLowerCase() === language) ?? language.toUpperCase();
};

/** Highlights escaped code, or returns `undefined` to leave it plain. */
export type Highlight = (language: string, code: string) => Highlighted | undefined;

/**
 * Creates the highlighter of one conversion, with a clock in microseconds of CPU time. It converts escaped code of a common language to HTML with classes
 * (`hljs-…`), or returns `undefined` if the language is unknown or highlighting would take too long.
 */
export const createHighlighter = (usedCpu: () => number): Highlight => {
  const start = usedCpu();
  return (language, code) => {
    const known = hljs.getLanguage(language);
    if (code.length > maxBlockLength || !known) return undefined;
    if (usedCpu() - start > maxCpu) return undefined;
    const { value } = hljs.highlight(decodeText(code), { language, ignoreIllegals: true });
    return { html: value, name: toName(language.toLowerCase(), known.name ?? language) };
  };
};
