import { type Options, parse, postprocess, preprocess } from 'micromark';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { Event } from 'micromark-util-types';
import { boundedHtml } from './unclosed-html.ts';

const matters = ['yaml', 'toml'] as const;

/** CommonMark with GFM and front matter. What it makes of raw HTML and links has to be checked. */
export const safeGfm = {
  // `checkLinksAndImages` has other schemes than micromark, and says what it leaves out.
  allowDangerousProtocol: true,
  extensions: [gfm(), frontmatter([...matters]), boundedHtml],
  htmlExtensions: [gfmHtml(), frontmatterHtml([...matters])],
} as const satisfies Options;

/** Parses Markdown into micromark's events. */
export const parseEvents = (markdown: string, options: Options): Event[] =>
  postprocess(
    parse(options)
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );
