// What converted Markdown may consist of, written from the rule itself (decisions.md#markdown) and not from the code
// that keeps it, and read by another parser than the code has.

import { attributesOf, type Element, isElement, isHtml, isText, toTree, walk } from './tree.ts';

const allowed = new Set(
  `a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
  img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody
  td tfoot th thead time tr tt ul var wbr`.split(/\s+/),
);

const everywhere = ['dir', 'id', 'lang', 'title'];

const aligned = 'caption div h1 h2 h3 h4 h5 h6 hr img p table tbody td tfoot th thead tr'.split(
  ' ',
);
const sized = 'hr img source table td th'.split(' ');

/** The elements on which each other attribute means something. */
const placesOf: Readonly<Record<string, readonly string[]>> = {
  align: aligned,
  alt: ['img'],
  colspan: ['td', 'th'],
  datetime: ['del', 'ins', 'time'],
  height: sized,
  href: ['a'],
  media: ['source'],
  name: ['a', 'details'],
  open: ['details'],
  rowspan: ['td', 'th'],
  scope: ['th'],
  src: ['img'],
  srcset: ['img', 'source'],
  start: ['ol'],
  type: ['li', 'ol', 'source', 'ul'],
  value: ['li'],
  width: sized,
};

const linkSchemes = /^(?:https?|mailto|tel|sms):$/;
/** Those that autolinks of GFM and published micromark have, which are text of the author, too. */
const autolinkSchemes = /^(?:ircs?|xmpp):$/;

const isLink = (address: string): boolean => {
  if (address === '') return false;
  const url = URL.parse(address, 'https://base.example/s/1');
  return url !== null && (linkSchemes.test(url.protocol) || autolinkSchemes.test(url.protocol));
};

/** An image loads from elsewhere by https only: what is relative depends on the page. */
const isImage = (address: string): boolean =>
  /^https:\/\/[^/]/.test(address) && URL.parse(address)?.protocol === 'https:';

/** Splits `srcset` as browsers do: https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute */
export const splitSrcset = (srcset: string): string[] => {
  const addresses: string[] = [];
  let rest = srcset;
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '');
    if (rest === '') return addresses;
    const [address = ''] = /^\S+/.exec(rest) ?? [];
    rest = rest.slice(address.length);
    addresses.push(address.replace(/,+$/, ''));
    if (address.endsWith(',')) continue;
    let depth = 0;
    let at = 0;
    for (; at < rest.length && !(rest[at] === ',' && depth === 0); at++) {
      if (rest[at] === '(') depth++;
      if (rest[at] === ')') depth--;
    }
    rest = rest.slice(at);
  }
};

/** Ids and names of authors: none of the page’s own begins so. */
const isPrefixed = (name: string): boolean => /^user-content-./.test(name);

const values: Readonly<Record<string, (value: string) => boolean>> = {
  href: isLink,
  id: isPrefixed,
  name: isPrefixed,
  src: isImage,
  srcset: (value) => splitSrcset(value).length > 0 && splitSrcset(value).every(isImage),
};

type Own = Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

const any = /^/;
const empty = /^$/;
const slug = /^[^A-Z\s]+$/;

/** What the conversion itself writes for Markdown, in all its results. */
const ownOfAll: Own = {
  a: {
    'aria-describedby': /^footnote-label$/,
    'aria-label': /^Back to reference /,
    class: /^data-footnote-backref$/,
    'data-footnote-backref': empty,
    'data-footnote-ref': empty,
    href: /^#user-content-fn/,
    id: /^user-content-fnref-/,
  },
  code: { class: /^language-/ },
  h2: { class: /^sr-only$/, id: /^footnote-label$/i },
  input: { checked: empty, disabled: empty, type: /^checkbox$/ },
  section: { class: /^footnotes$/, 'data-footnotes': empty },
};

const heading = { id: slug };

/** What pages add. */
const ownOfPages: Own = {
  ...{ h1: heading, h3: heading, h4: heading, h5: heading, h6: heading },
  h2: { ...ownOfAll['h2'], id: /^footnote-label$|^[^A-Z\s]+$/i },
  a: {
    ...ownOfAll['a'],
    'aria-label': /^Back to reference |^Link to this section$/,
    class: /^data-footnote-backref$|^anchor$|^local$/,
    href: /^#/,
  },
  b: { id: /^(?:file\d+-)?L\d+$/ },
  code: {
    class: /^(?:hljs )?language-|^hljs/,
    'data-file': any,
    'data-language': any,
    'data-unended': empty,
  },
  div: { class: /^alert (?:note|tip|important|warning|caution)$/, role: /^note$/ },
  i: { class: /^i-[a-z]+$/ },
  p: { class: /^alert-title$/ },
  span: { class: /^(?:hljs-|language-|ansi|fg-|bg-|sgr)/ },
};

const mathElements =
  /^(?:math|menclose|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|ms|mspace|msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|none)$/;
const mathAttributes =
  /^(?:accent(?:under)?|class|column(?:align|span)|depth|display(?:style)?|fence|form|height|largeop|linethickness|lspace|math(?:background|color|size|variant)|maxsize|minsize|movablelimits|notation|rowspan|rspace|scriptlevel|separator|stretchy|symmetric|voffset|width)$/;

const isOwn = (own: Own, tag: string, name: string, value: string): boolean =>
  Object.hasOwn(own, tag) && own[tag]?.[name]?.test(value) === true;

const isAllowed = (tag: string, name: string, value: string): boolean => {
  const places = Object.hasOwn(placesOf, name) ? placesOf[name] : undefined;
  if (!everywhere.includes(name) && !places?.includes(tag)) return false;
  return !Object.hasOwn(values, name) || values[name]?.(value) === true;
};

const describe = (element: Element): string =>
  `<${element.tagName} ${Array.from(attributesOf(element), ([name, value]) => `${name}=${JSON.stringify(value.slice(0, 80))}`).join(' ')}>`;

/** Where a fragment comes from, which says what of it may be the conversion’s own. */
export type Origin = 'author' | 'html' | 'page';

const ownOf: Readonly<Record<Origin, Own>> = { author: {}, html: ownOfAll, page: ownOfPages };

const checkElement = (element: Element, origin: Origin): string[] => {
  const own = ownOf[origin];
  const tag = element.tagName;
  if (!isHtml(element)) {
    const isMath = origin === 'page' && element.namespaceURI.endsWith('MathML');
    const names = [...attributesOf(element).keys()];
    if (!isMath || !mathElements.test(tag) || !names.every((name) => mathAttributes.test(name))) {
      return [describe(element)];
    }
    return [];
  }
  if (!allowed.has(tag) && !Object.hasOwn(own, tag)) return [describe(element)];
  for (const [name, value] of attributesOf(element)) {
    if (!isAllowed(tag, name, value) && !isOwn(own, tag, name, value)) {
      return [`${describe(element)} (${name})`];
    }
  }
  return [];
};

/** Returns what of a fragment isn’t on the list, described. */
export const findForbidden = (fragment: string, origin: Origin): string[] => {
  const found: string[] = [];
  for (const node of walk(toTree(fragment))) {
    if (isElement(node)) found.push(...checkElement(node, origin));
    else if (!isText(node)) found.push(node.nodeName);
  }
  return found;
};
