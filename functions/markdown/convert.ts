import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Markdown (CommonMark with GFM) as an HTML fragment. Raw HTML is escaped, dangerous URLs are emptied. */
export const convert = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
