import { compile, type Options } from 'micromark';
import type { Event } from 'micromark-util-types';
import { countBytes } from '../text/count-bytes.ts';
import { parseEvents, safeGfm } from './dialect.ts';
import type { Place } from './links-and-images/addresses.ts';
import { checkLinksAndImages } from './links-and-images/check.ts';
import { findHtml, markHtml } from './raw-html/find-html.ts';
import { exceedsLength } from './result-size.ts';

/** Compiled HTML. */
export interface Compiled {
  readonly html: string;
  /** With raw HTML: the number of the outermost construct in which each outermost element or text begins, if known. */
  readonly constructs?: readonly number[];
}

/** An HTML fragment, and the events that it was made from. */
export interface Converted extends Compiled {
  readonly events: readonly Event[];
}

/** Checks the links and images of a fragment for a place. Returns `undefined` if the result exceeds `maxBytes` (UTF-8). */
export const checkFragment = (html: string, maxBytes: number, place: Place): string | undefined => {
  const checked = checkLinksAndImages(html, place);
  return countBytes(checked) <= maxBytes ? checked : undefined;
};

/**
 * Compiles events to HTML, and sanitizes the raw HTML among them. Its links and images are unchecked. Returns `undefined`
 * if the result exceeds `maxBytes` (UTF-8).
 */
export const compileEvents = async (
  events: Event[],
  maxBytes: number,
  options: Options,
): Promise<Compiled | undefined> => {
  if (exceedsLength(events, maxBytes, options)) return undefined;
  const found = findHtml(events);
  const htmlExtensions = [...(options.htmlExtensions ?? []), markHtml(found)];
  const compiled = compile({ ...options, htmlExtensions })(events);
  const result = found.size === 0 ? { html: compiled } : await sanitize(compiled, found, maxBytes);
  return result && countBytes(result.html) <= maxBytes ? result : undefined;
};

/** Loaded for texts with raw HTML only. */
const sanitize = async (
  compiled: string,
  found: ReturnType<typeof findHtml>,
  maxBytes: number,
): Promise<Compiled | undefined> => {
  const { sanitizeHtml } = await import('./raw-html/sanitize-html.ts');
  return sanitizeHtml(compiled, [...found.values()], maxBytes);
};

/**
 * Converts Markdown (CommonMark with GFM) to an HTML fragment, without its front matter. Keeps of raw HTML what is on the
 * allow-list, removes comments, makes text of links that can't be followed, and says which images can't be loaded. Returns
 * `undefined` if the result exceeds `maxBytes` (UTF-8).
 */
export const convert = async (
  markdown: string,
  maxBytes: number,
): Promise<Converted | undefined> => {
  const events = parseEvents(markdown, safeGfm);
  const compiled = await compileEvents(events, maxBytes, safeGfm);
  const html = compiled && checkFragment(compiled.html, maxBytes, 'anywhere');
  return html === undefined ? undefined : { ...compiled, html, events };
};
