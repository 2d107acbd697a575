import { compile, type Options, parse, postprocess, preprocess } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { exceedsLength } from './result-size.ts';

/** How to convert; by default as the endpoint does. */
export interface ConvertOptions {
  /** For the pages of shares: headings get anchors, code is highlighted. */
  readonly extras?: boolean;
  /**
   * CommonMark as its specification's examples expect it: raw HTML and every address kept, no GFM, no front matter.
   * Never for what others read.
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
 * Markdown (CommonMark with GFM) as an HTML fragment, without its front matter. Raw HTML is escaped, dangerous URLs are
 * emptied. Nothing where that would have more than `maxBytes` of UTF-8.
 */
export const convert = async (
  markdown: string,
  maxBytes: number,
  { extras = false, unsafeCommonMark = false }: ConvertOptions = {},
): Promise<string | undefined> => {
  const options = unsafeCommonMark ? commonMark : safeGfm;
  const chunks = preprocess()(markdown, undefined, true);
  const events = postprocess(parse(options).document().write(chunks));
  if (exceedsLength(events, maxBytes, options)) return undefined;
  const html = compile(options)(events);
  if (Buffer.byteLength(html) > maxBytes) return undefined;
  // Loaded when first asked for: only the workers of shares have it.
  return extras ? (await import('./extras.ts')).addExtras(html, maxBytes) : html;
};
