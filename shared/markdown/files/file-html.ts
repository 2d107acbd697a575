import type { Event, HtmlExtension, Token } from 'micromark-util-types';
import type { FileBlock } from './file-blocks.ts';

/** Finds the files among the events of their text: the tokens of what follows their languages. */
export const findFileTokens = (
  events: readonly Event[],
  files: readonly FileBlock[],
): ReadonlyMap<Token, FileBlock> => {
  const byLine = new Map(files.map((file) => [file.line, file]));
  const tokens = new Map<Token, FileBlock>();
  let depth = 0;
  let file: FileBlock | undefined;
  for (const [kind, token] of events) {
    if (kind === 'enter') depth++;
    if (token.type === 'codeFenced' && kind === 'enter')
      file = depth === 1 ? byLine.get(token.start.line) : undefined;
    if (token.type === 'codeFencedFenceMeta' && kind === 'enter' && file) tokens.set(token, file);
    if (kind === 'exit') depth--;
  }
  return tokens;
};

/** Compiles blocks of code with the name of their file, and `data-unended` if its last line has no line ending. */
export const fileHtml = (tokens: ReadonlyMap<Token, FileBlock>): HtmlExtension => ({
  exit: {
    codeFencedFenceMeta(token) {
      this.resume();
      const file = tokens.get(token);
      if (file) {
        this.tag(` data-file="${this.encode(file.name)}"${file.isEnded ? '' : ' data-unended'}`);
      }
      return undefined;
    },
  },
});
