import { compile, type Options } from 'micromark';
import type { Event } from 'micromark-util-types';
import { parseEvents, safeGfm } from './dialect.ts';
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

/** Compiles events to HTML. Returns `undefined` if the result exceeds `maxBytes` (UTF-8). */
export const compileEvents = (
  events: Event[],
  maxBytes: number,
  options: Options,
): string | undefined => {
  if (exceedsLength(events, maxBytes, options)) return undefined;
  const html = compile(options)(events);
  return new TextEncoder().encode(html).length <= maxBytes ? html : undefined;
};

/**
 * Converts Markdown (CommonMark with GFM) to an HTML fragment, without its front matter. Escapes raw HTML and removes
 * dangerous URLs. Returns `undefined` if the result exceeds `maxBytes` (UTF-8).
 */
export const convert = (
  markdown: string,
  maxBytes: number,
  { unsafeCommonMark = false }: ConvertOptions = {},
): Converted | undefined => {
  const options = unsafeCommonMark ? commonMark : safeGfm;
  const events = parseEvents(markdown, options);
  const html = compileEvents(events, maxBytes, options);
  return html === undefined ? undefined : { html, events };
};
