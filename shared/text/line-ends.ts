/** How the lines of a text end: all by the same characters, or not. */
export type LineEnds = 'LF' | 'CRLF' | 'CR' | 'mixed';

/** Returns how the lines of a text end; `undefined` if it has no line ending. */
export const detectLineEnds = (text: string): LineEnds | undefined => {
  const found: LineEnds[] = [];
  if (/\r\n/.test(text)) found.push('CRLF');
  if (/\r(?!\n)/.test(text)) found.push('CR');
  if (/(?<!\r)\n/.test(text)) found.push('LF');
  return found.length > 1 ? 'mixed' : found[0];
};

/** Ends all lines of a text by LF. */
export const toLf = (text: string): string => text.replace(/\r\n?/g, '\n');
