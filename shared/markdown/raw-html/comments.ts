// Comments end at `-->`, which may overlap with their start, or with the block: https://spec.commonmark.org/0.31.2/#html-blocks
const comments = /<!--(?:-?>|.*?(?:-->|$))/gs;

/** Returns whether raw HTML has nothing but comments. */
export const isOnlyComments = (source: string): boolean =>
  source.replace(comments, '').trim() === '';
