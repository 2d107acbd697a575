// What converted Markdown may consist of, written from the rule itself (decisions.md#markdown) and not from the code
// that keeps it.

import { attributesOf, type Element, isElement, isHtml, isText, toTree, walk } from './tree.ts';

/** The elements that authors may write. */
export const allowedElements: ReadonlySet<string> = new Set(
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

/** What can't be read leads nowhere, and has its scheme at its start. */
const isLink = (address: string): boolean => {
  const scheme = URL.parse(address, 'https://base.example/')?.protocol;
  return (
    address !== '' && linkSchemes.test(scheme ?? /^[^:]*:/.exec(address.toLowerCase())?.[0] ?? '')
  );
};

const isHttps = (address: string): boolean =>
  (URL.parse(address)?.protocol ?? address.slice(0, 6).toLowerCase()) === 'https:';

/** A path leads to a file beside the text, which the API knows nothing of. */
const isPath = (address: string): boolean =>
  URL.parse(address) === null && URL.parse(address, 'https://base.example/')?.protocol === 'https:';

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

/** Where a fragment is shown: the API keeps paths, a page has no files beside it. */
export type Place = 'api' | 'page';

const isImage = (address: string, place: Place): boolean =>
  isHttps(address) || (place === 'api' && address !== '' && isPath(address));

const values: Readonly<Record<string, (value: string, place: Place) => boolean>> = {
  href: isLink,
  id: isPrefixed,
  name: isPrefixed,
  src: isImage,
  srcset: (value, place) => {
    const addresses = splitSrcset(value);
    return addresses.length > 0 && addresses.every((address) => isImage(address, place));
  },
};

type Own = Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

const any = /^/;
const empty = /^$/;
const slug = /^[^A-Z\s]+$/;

/** What the conversion itself writes for Markdown, in all its results. */
const ownOfAll: Own = {
  a: {
    'aria-describedby': /^(?:footnote-label|Footnotes)$/,
    'aria-label': /^Back to reference /,
    class: /^data-footnote-backref$/,
    'data-footnote-backref': empty,
    'data-footnote-ref': empty,
    id: /^user-content-fnref-/,
  },
  code: { class: /^language-/ },
  h2: { class: /^sr-only$/, id: /^footnote-label$/ },
  input: { checked: empty, disabled: empty, type: /^checkbox$/ },
  section: { class: /^footnotes$/, 'data-footnotes': empty },
};

const heading = { id: slug };
const anchor = { 'aria-label': /^Link to this section$/, class: /^anchor$/, href: /^#/ };

/** Says that an image isn’t shown. */
const unshown: Own = { span: { class: /^unshown-image$/ } };

/** What pages add to headings, also to those of raw HTML, whose ids become places of their own. */
const ownOfHeadings: Own = {
  ...{ a: anchor, h1: heading, h2: heading, h3: heading, h4: heading, h5: heading, h6: heading },
  span: { ...unshown['span'], id: /^user-content-/ },
};

/** What pages add. */
const ownOfPages: Own = {
  ...ownOfAll,
  ...ownOfHeadings,
  a: {
    ...ownOfAll['a'],
    'aria-label': /^(?:Back to reference |Link to this section$)/,
    class: /^(?:anchor|data-footnote-backref|local)$/,
  },
  b: { id: /^(?:file\d+-)?L\d+$/ },
  code: {
    class: /^(?:hljs )?language-/,
    'data-file': any,
    'data-language': any,
    'data-unended': empty,
  },
  details: { open: empty },
  div: {
    class: /^(?:alert (?:note|tip|important|warning|caution)|front-matter|file-views|view|lines)$/,
    'data-title': any,
    role: /^note$/,
  },
  fieldset: { class: /^views$/ },
  h2: { class: /^sr-only$/, id: /^Footnotes$|^[^A-Z\s]+$/ },
  i: { class: /^i-[a-z]+$/ },
  input: {
    ...ownOfAll['input'],
    form: /^None$/,
    name: /^FileView$/,
    type: /^(?:checkbox|radio)$/,
    value: /^(?:table|tree|text)$/,
  },
  label: {},
  legend: { class: /^vh$/ },
  p: { class: /^(?:alert-title|more|not-shown)$/ },
  span: { class: /^(?:unshown-image$|hljs-|language-|end$)/, id: /^user-content-/ },
  table: { class: /^csv$/ },
  td: { class: /^n$/ },
  th: { class: /^n$/, scope: /^col$/ },
  ul: { class: /^json$/ },
};

const mathElements =
  /^(?:math|menclose|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|ms|mspace|msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|none)$/;
const mathAttributes =
  /^(?:accent(?:under)?|class|column(?:align|span)|depth|display(?:style)?|fence|form|height|largeop|linethickness|lspace|math(?:background|color|size|variant)|maxsize|minsize|movablelimits|notation|rowspan|rspace|scriptlevel|separator|stretchy|symmetric|voffset|width)$/;

const isOwn = (own: Own, tag: string, name: string, value: string): boolean =>
  Object.hasOwn(own, tag) && own[tag]?.[name]?.test(value) === true;

const isAllowed = (tag: string, name: string, value: string, place: Place): boolean => {
  const places = Object.hasOwn(placesOf, name) ? placesOf[name] : undefined;
  if (!everywhere.includes(name) && !places?.includes(tag)) return false;
  return !Object.hasOwn(values, name) || values[name]?.(value, place) === true;
};

const describe = (element: Element): string =>
  `<${element.tagName} ${Array.from(attributesOf(element), ([name, value]) => `${name}=${JSON.stringify(value.slice(0, 80))}`).join(' ')}>`;

/** Where a fragment is shown, and whether all of it is an author’s: then nothing is the conversion’s own. */
export interface Fragment {
  readonly place: Place;
  readonly isRaw?: boolean;
}

const ownOf = ({ place, isRaw }: Fragment): Own => {
  if (place === 'page') return isRaw ? ownOfHeadings : ownOfPages;
  return isRaw ? unshown : { ...ownOfAll, ...unshown };
};

const checkElement = (element: Element, fragment: Fragment): string[] => {
  const own = ownOf(fragment);
  const tag = element.tagName;
  if (!isHtml(element)) {
    const isMath =
      fragment.place === 'page' && !fragment.isRaw && element.namespaceURI.endsWith('MathML');
    const names = [...attributesOf(element).keys()];
    if (!isMath || !mathElements.test(tag) || !names.every((name) => mathAttributes.test(name))) {
      return [describe(element)];
    }
    return [];
  }
  if (!allowedElements.has(tag) && !Object.hasOwn(own, tag)) return [describe(element)];
  for (const [name, value] of attributesOf(element)) {
    if (!isAllowed(tag, name, value, fragment.place) && !isOwn(own, tag, name, value)) {
      return [`${describe(element)} (${name})`];
    }
  }
  return [];
};

/** Returns what of a fragment isn’t on the list, described. */
export const findForbidden = (html: string, fragment: Fragment): string[] => {
  const found: string[] = [];
  for (const node of walk(toTree(html))) {
    if (isElement(node)) found.push(...checkElement(node, fragment));
    else if (!isText(node)) found.push(node.nodeName);
  }
  return found;
};
