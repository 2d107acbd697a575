import { compile, type Options } from 'micromark';
import type { Event } from 'micromark-util-types';
import { parseEvents, safeGfm } from './dialect.ts';
import type { Place } from './links-and-images/addresses.ts';
import { checkLinksAndImages } from './links-and-images/check.ts';
import { exceedsLength } from './result-size.ts';

/** Conversion options. The defaults are those of the service. */
export interface ConvertOptions {
  /**
   * Converts plain CommonMark, as the examples of its specification expect: keeps raw HTML and all URLs, without GFM
   * and front matter. Never show the result to others.
   */
  readonly unsafeCommonMark?: boolean;
}

/** An HTML fragment, and the events that it was made from. */
export interface Converted {
  readonly html: string;
  readonly events: readonly Event[];
}

const commonMark: Options = { allowDangerousHtml: true, allowDangerousProtocol: true };

/** Returns a fragment unless it exceeds `maxBytes` (UTF-8). */
const withinSize = (html: string, maxBytes: number): string | undefined =>
  new TextEncoder().encode(html).length <= maxBytes ? html : undefined;

/** Checks the links and images of a fragment for a place. Returns `undefined` if the result exceeds `maxBytes` (UTF-8). */
export const checkFragment = (html: string, maxBytes: number, place: Place): string | undefined =>
  withinSize(checkLinksAndImages(html, place), maxBytes);

/** Compiles events to HTML with unchecked links. Returns `undefined` if the result exceeds `maxBytes` (UTF-8). */
export const compileEvents = (
  events: Event[],
  maxBytes: number,
  options: Options,
): string | undefined =>
  exceedsLength(events, maxBytes, options)
    ? undefined
    : withinSize(compile(options)(events), maxBytes);

/**
 * Converts Markdown (CommonMark with GFM) to an HTML fragment, without its front matter. Escapes raw HTML, makes text of links
 * that can't be followed, and says which images can't be loaded. Returns `undefined` if the result exceeds `maxBytes` (UTF-8).
 */
export const convert = (
  markdown: string,
  maxBytes: number,
  { unsafeCommonMark = false }: ConvertOptions = {},
): Converted | undefined => {
  const options = unsafeCommonMark ? commonMark : safeGfm;
  const events = parseEvents(markdown, options);
  const compiled = compileEvents(events, maxBytes, options);
  const html =
    compiled === undefined || unsafeCommonMark
      ? compiled
      : checkFragment(compiled, maxBytes, 'anywhere');
  return html === undefined ? undefined : { html, events };
};
