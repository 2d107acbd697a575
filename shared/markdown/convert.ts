import { compile, type Options, parse, postprocess, preprocess } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { exceedsLength } from './result-size.ts';

/** Conversion options. The defaults are those of the service. */
export interface ConvertOptions {
  /**
   * Converts plain CommonMark, as the examples of its specification expect: keeps raw HTML and all URLs, without GFM
   * and front matter. Never show the result to others.
   */
  readonly unsafeCommonMark?: boolean;
}

const matters = ['yaml', 'toml'] as const;

const safeGfm: Options = {
  extensions: [gfm(), frontmatter([...matters])],
  htmlExtensions: [gfmHtml(), frontmatterHtml([...matters])],
};

const commonMark: Options = { allowDangerousHtml: true, allowDangerousProtocol: true };

/**
 * Converts Markdown (CommonMark with GFM) to an HTML fragment, without its front matter. Escapes raw HTML and removes
 * dangerous URLs. Returns `undefined` if the result exceeds `maxBytes` (UTF-8).
 */
export const convert = (
  markdown: string,
  maxBytes: number,
  { unsafeCommonMark = false }: ConvertOptions = {},
): string | undefined => {
  const options = unsafeCommonMark ? commonMark : safeGfm;
  const chunks = preprocess()(markdown, undefined, true);
  const events = postprocess(parse(options).document().write(chunks));
  if (exceedsLength(events, maxBytes, options)) return undefined;
  const html = compile(options)(events);
  return Buffer.byteLength(html) <= maxBytes ? html : undefined;
};
