import { ownAttribute } from './allow-list.ts';
import { voidNames } from './void-names.ts';

/** Stands for elements of ours without content that can change, while a tree is made. */
export const voidStandIn = 'wbr';

/** Elements of ours that others stand for. */
const standIns: Readonly<Record<string, string>> = {
  input: voidStandIn,
  math: voidStandIn,
  section: 'div',
};

/** An element of ours that another stands for: its start tag, or all of it. */
export interface OwnElement {
  readonly markup: string;
  readonly name: string;
}

const ownElements = /<math[ >].*?<\/math>|<(\/?)([a-z][a-z0-9]*)([^>]*)>/gs;

/** Exchanges our start tags with attributes, and what authors can’t write, for neutral tags with a number. */
export const maskOwn = (markup: string, own: OwnElement[]): string =>
  markup.replace(ownElements, (tag, slash?: string, name = 'math', attributes?: string) => {
    const neutral = standIns[name] ?? name;
    if (slash === '/') return `</${neutral}>`;
    if (attributes === '' && neutral === name) return tag;
    own.push({ markup: tag, name });
    return `<${neutral} ${ownAttribute}="${own.length - 1}">`;
  });

/** Markup of ours between raw HTML. */
export interface SplitOwn {
  /** The rest of the outermost element that is open before it. */
  readonly head: string;
  /** Outermost elements that begin and end in it, and their number. */
  readonly whole: string;
  readonly elements: number;
  /** The start of the outermost element that it leaves open. */
  readonly tail: string;
}

const tags = /<(\/?)([a-z][a-z0-9]*)[^>]*>/g;

/** Splits markup of ours, before which `open` elements of ours are open. */
export const splitOwn = (markup: string, open: number): SplitOwn => {
  let depth = open;
  let start = depth === 0 ? 0 : undefined;
  let end = 0;
  let begun = 0;
  let elements = 0;
  for (const { 0: tag, 1: slash, 2: name = '', index } of markup.matchAll(tags)) {
    if (slash === '/') depth--;
    else {
      if (depth === 0) begun++;
      if (!tag.endsWith('/>') && !voidNames.has(name)) depth++;
    }
    if (depth > 0) continue;
    end = index + tag.length;
    start ??= end;
    elements = begun;
  }
  start ??= end = markup.length;
  return {
    head: markup.slice(0, start),
    whole: markup.slice(start, end),
    elements,
    tail: markup.slice(end),
  };
};
