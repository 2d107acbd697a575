import type { Event, HtmlExtension, Token } from 'micromark-util-types';
import { isOnlyComments } from './comments.ts';

/** Raw HTML of the author: a block, or a tag within a line. */
export interface RawHtml {
  readonly source: string;
  /** The construct that it stands in; `undefined` for the document. */
  readonly parent: Token | undefined;
}

const types = new Set<string>(['htmlFlow', 'htmlText']);

/** Finds the raw HTML of a parsed text. Leaves out comments, and what is in the description of an image, which is a text. */
export const findHtml = (events: readonly Event[]): ReadonlyMap<Token, RawHtml> => {
  const found = new Map<Token, RawHtml>();
  const open: Token[] = [];
  let images = 0;
  for (const [kind, token, context] of events) {
    if (token.type === 'image') images += kind === 'enter' ? 1 : -1;
    if (kind === 'exit') {
      open.pop();
      continue;
    }
    if (images === 0 && types.has(token.type)) {
      const source = context.sliceSerialize(token);
      if (!isOnlyComments(source)) found.set(token, { source, parent: open.at(-1) });
    }
    open.push(token);
  }
  return found;
};

/**
 * Compiles raw HTML to its number between two null characters: micromark replaces those of a text, so no author can write
 * one. Leaves out what isn’t found.
 */
export const markHtml = (found: ReadonlyMap<Token, RawHtml>): HtmlExtension => {
  const numbers = new Map(Array.from(found.keys(), (token, number) => [token, number]));
  return {
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
      htmlFlow(token) {
        this.resume();
        const number = numbers.get(token);
        if (number === undefined) this.setData('slurpOneLineEnding', true);
        else {
          this.lineEndingIfNeeded();
          this.raw(`\0${number}\0`);
        }
        return undefined;
      },
      htmlText(token) {
        this.resume();
        const number = numbers.get(token);
        if (number !== undefined) this.raw(`\0${number}\0`);
        return undefined;
      },
    },
  };
};
