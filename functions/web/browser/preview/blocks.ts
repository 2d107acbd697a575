import type { Event } from 'micromark-util-types';
import { isOnlyComments } from '../../../../shared/markdown/raw-html/comments.ts';
import { voidNames } from '../../../../shared/markdown/raw-html/void-names.ts';

/** Splits a rendered fragment, which is well formed, into its outermost elements and texts. */
export const splitBlocks = (html: string): string[] => {
  const blocks: string[] = [];
  const add = (from: number, to: number) => {
    const block = html.slice(from, to);
    if (block.trim() !== '') blocks.push(block);
  };
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(
    /<(\/?)([a-z0-9]+)[^>]*>/g,
  )) {
    const end = index + tag.length;
    if (slash === '') {
      if (depth === 0) {
        add(start, index);
        start = index;
      }
      if (!voidNames.has(name)) depth++;
    } else depth--;
    if (depth > 0) continue;
    add(start, end);
    start = end;
  }
  add(start, html.length);
  return blocks;
};

/** Constructs that become one outermost element. */
const shown = new Set<string>([
  'atxHeading',
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'htmlFlow',
  'listOrdered',
  'listUnordered',
  'mathFlow',
  'paragraph',
  'setextHeading',
  'table',
  'thematicBreak',
  'toml',
  'yaml',
]);

/** Finds the lines, from 0, at which the outermost blocks of a parsed text begin, in their order. */
export const findLines = (events: readonly Event[]): number[] => {
  const lines: number[] = [];
  let depth = 0;
  for (const [kind, token, context] of events) {
    const { type, start } = token;
    // Paragraphs are inside content, which can hold definitions, too.
    if (type === 'content') continue;
    if (kind === 'exit') {
      depth--;
      continue;
    }
    depth++;
    if (depth > 1 || !shown.has(type)) continue;
    if (type === 'htmlFlow' && isOnlyComments(context.sliceSerialize(token))) continue;
    lines.push(start.line - 1);
  }
  return lines;
};
