import { type Options, parse, postprocess, preprocess } from 'micromark';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { Event } from 'micromark-util-types';
import { literalLinkHtml } from './literal-links.ts';
import { boundedHtml } from './unclosed-html.ts';

const matters = ['yaml', 'toml'] as const;

/** CommonMark with GFM and front matter. What it makes of raw HTML and links has to be checked. */
export const safeGfm = {
  // `checkLinksAndImages` has other schemes than micromark, and says what it leaves out.
  allowDangerousProtocol: true,
  extensions: [
    gfm(),
    // Emphasis beside punctuation of scripts that write without spaces.
    cjkFriendlyExtension(),
    gfmStrikethroughCjkFriendly(),
    frontmatter([...matters]),
    boundedHtml,
  ],
  htmlExtensions: [gfmHtml(), literalLinkHtml, frontmatterHtml([...matters])],
} as const satisfies Options;

/** Parses Markdown into micromark's events. */
export const parseEvents = (markdown: string, options: Options): Event[] =>
  postprocess(
    parse(options)
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );
