import type { Element, Nodes, Root, Text } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { escapeHtml } from '../../text/html.ts';
import { ownAttribute, schema } from './allow-list.ts';
import { readAuthorTokens } from './author-tokens.ts';
import type { RawHtml } from './find-html.ts';
import { FragmentParser, FragmentTooLarge } from './fragment-parser.ts';
import { cutOpenComments } from './open-comments.ts';
import { maskOwn, type OwnElement, splitOwn, voidStandIn } from './own-markup.ts';
import { voidNames } from './void-names.ts';

/** Spaces and line endings that browsers leave out of addresses, and upper case in schemes. */
const normalizeUrl = (url: string): string =>
  url
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\0-\x20]+|[\0-\x20]+$/g, '')
    .replace(/^[a-z][a-z\d+.-]*:/i, (scheme) => scheme.toLowerCase());

const toProperties = (attributes: readonly { name: string; value: string }[]) =>
  Object.fromEntries(
    attributes.flatMap(({ name, value }): [string, string][] => {
      if (name === 'href' || name === 'src') return [[name, normalizeUrl(value)]];
      if ((name === 'id' || name === 'name') && value.trim() === '') return [];
      return [[name, name === 'open' ? '' : value]];
    }),
  );

const toHast = (node: DefaultTreeAdapterTypes.ChildNode): Element | Text | undefined => {
  if ('value' in node) return { type: 'text', value: node.value };
  if (!('tagName' in node)) return undefined;
  return {
    type: 'element',
    tagName: node.tagName,
    properties: toProperties(node.attrs),
    children: toHastAll(node.childNodes),
  };
};

const toHastAll = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): (Element | Text)[] =>
  nodes.flatMap((node) => toHast(node) ?? []);

/** Writes a sanitized tree as micromark writes HTML, and puts our elements back. */
const write = (node: Nodes, own: readonly OwnElement[]): string => {
  if (node.type === 'text') return escapeText(node.value);
  if (node.type !== 'element' && node.type !== 'root') return '';
  const inner = node.children.map((child) => write(child, own)).join('');
  if (node.type === 'root') return inner;
  const { [ownAttribute]: number, ...properties } = node.properties;
  const ours = number === undefined ? undefined : own[Number(number)];
  const name = ours?.name ?? node.tagName;
  const attributes = Object.entries(properties).map(
    ([key, value]) => ` ${key}="${escapeText(String(value))}"`,
  );
  const isVoid = voidNames.has(node.tagName);
  const start = ours?.markup ?? `<${name}${attributes.join('')}${isVoid ? ' /' : ''}>`;
  return isVoid ? start : `${start}${inner}</${name}>`;
};

const escapeText = (text: string): string => escapeHtml(text).replaceAll('&#39;', "'");

/** Adds markup of ours. Where nothing is open, whole elements stay as they are: raw HTML can’t change them. */
const addOurs = (parser: FragmentParser, markup: string, own: OwnElement[]) => {
  // A carriage return would become a line feed.
  const add = (part: string) => parser.addOurs(maskOwn(part.replaceAll('\r', '&#13;'), own));
  const { head, whole, elements, tail } = splitOwn(markup, parser.ownDepth);
  add(head);
  if (elements === 0 || !parser.isAtRest) return add(whole + tail);
  own.push({ markup: whole, name: voidStandIn });
  parser.addStandIn(own.length - 1, elements);
  add(tail);
};

/** Reads compiled HTML, in which raw HTML of the author stands as its number. */
const parse = (source: string, raw: readonly RawHtml[], own: OwnElement[], maxLength: number) => {
  const { compiled, found } = cutOpenComments(source, raw);
  const { tokens, gaps } = readAuthorTokens(found);
  const ends = new Map(gaps);
  const parser = FragmentParser.create(maxLength);
  const parts = compiled.split('\0');
  let skippedTo: number | undefined;
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      if (skippedTo !== undefined) continue;
      const notes = part.indexOf('<section ');
      addOurs(parser, notes < 0 ? part : part.slice(0, notes), own);
      if (notes < 0) continue;
      // Footnotes follow the text, whatever is open in it.
      parser.endAll();
      addOurs(parser, part.slice(notes), own);
      continue;
    }
    const number = Number(part);
    if (skippedTo !== undefined && number !== skippedTo) continue;
    parser.addAuthors(tokens[number] ?? []);
    skippedTo = ends.get(number);
  }
  const { nodes, constructs } = parser.finish();
  const root: Root = { type: 'root', children: toHastAll(nodes) };
  return { root, constructs: gaps.length === 0 && compiled === source ? constructs : [] };
};

/** Sanitized HTML. */
export interface Sanitized {
  readonly html: string;
  /** The number of the outermost construct in which each outermost element or text begins; empty if that isn’t known. */
  readonly constructs: readonly number[];
}

/**
 * Sanitizes compiled HTML, in which raw HTML of the author stands as its number between null characters: keeps of it
 * what is on the allow-list, and ends what it leaves open. What is ours stays as it is. Returns `undefined` if the
 * result would exceed `maxLength` (UTF-16 units).
 */
export const sanitizeHtml = (
  compiled: string,
  found: readonly RawHtml[],
  maxLength: number,
): Sanitized | undefined => {
  const own: OwnElement[] = [];
  try {
    const { root, constructs } = parse(compiled, found, own, maxLength);
    return { html: write(sanitize(root, schema), own), constructs };
  } catch (error) {
    if (error instanceof FragmentTooLarge) return undefined;
    throw error;
  }
};
