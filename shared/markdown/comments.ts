import type { CompileContext, HtmlExtension } from 'micromark-util-types';

// Comments end at `-->`, which may overlap with their start, or with the block: https://spec.commonmark.org/0.31.2/#html-blocks
const inSource = /<!--(?:-?>|.*?(?:-->|$))/gs;
const inHtml = /&lt;!--(?:-?&gt;|.*?(?:--&gt;|$))/gs;

/** Returns whether a block of raw HTML has nothing but comments. */
export const isOnlyComments = (source: string): boolean =>
  source.replace(inSource, '').trim() === '';

/** Ends the buffer of raw HTML, which is escaped, and returns it without comments. */
const resumeWithoutComments = (context: CompileContext): string =>
  context.resume().replace(inHtml, '');

/** Compiles raw HTML to text, as micromark does, and leaves out its comments: authors keep notes in them. */
export const commentHtml: HtmlExtension = {
  enter: {
    htmlFlow() {
      this.buffer();
      return undefined;
    },
    htmlText() {
      this.buffer();
      return undefined;
    },
  },
  exit: {
    htmlFlow() {
      const html = resumeWithoutComments(this);
      if (html.trim() === '') {
        this.setData('slurpOneLineEnding', true);
        return undefined;
      }
      this.lineEndingIfNeeded();
      this.raw(html);
      return undefined;
    },
    htmlText() {
      this.raw(resumeWithoutComments(this));
      return undefined;
    },
  },
};
