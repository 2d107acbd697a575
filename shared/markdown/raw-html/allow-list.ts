import type { Schema } from 'hast-util-sanitize';
import { linkSchemes } from '../links-and-images/addresses.ts';

/** The elements that authors may write. */
export const allowedNames: ReadonlySet<string> = new Set(
  'a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt ul var wbr'.split(
    ' ',
  ),
);

/** Elements that are left out with all that is in them. Of others only the tags are left out. */
export const strippedNames: ReadonlySet<string> = new Set(
  'script style iframe object template noscript textarea select title svg math form'.split(' '),
);

/** The attribute that tells elements of ours, which are replaced after sanitizing. Authors can’t have it. */
export const ownAttribute = 'own';

type Attribute = string | [string, ...RegExp[]];

const align: Attribute = ['align', /^(?:left|center|right|justify)$/i];
const count = (name: string): Attribute => [name, /^-?\d{1,4}$/];
const size = (name: string): Attribute => [name, /^\d{1,4}(?:\.\d{1,3})?%?$/];
const cell: Attribute[] = [
  ...[align, count('colspan'), count('rowspan'), size('width'), size('height')],
  ['scope', /^(?:row|col|rowgroup|colgroup)$/i],
];
const aligned = ['caption', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'p', 'tr'];

/** The allow-list as hast-util-sanitize takes it. Names are those of HTML. */
export const schema: Schema = {
  tagNames: [...allowedNames],
  strip: [...strippedNames],
  ancestors: {
    li: ['ol', 'ul'],
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
  },
  attributes: {
    '*': [
      ownAttribute,
      'id',
      'title',
      ['dir', /^(?:ltr|rtl|auto)$/i],
      ['lang', /^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,8}$/i],
    ],
    ...Object.fromEntries(aligned.map((name) => [name, [align]])),
    a: ['href', 'name'],
    del: ['datetime'],
    details: ['open'],
    img: ['alt', 'src', 'srcset', align, size('width'), size('height')],
    ins: ['datetime'],
    li: [count('value')],
    ol: [count('start'), ['type', /^[1aAiI]$/]],
    source: ['srcset', ['media', /^[\w\s(),:.<>=-]{1,200}$/], ['type', /^image\/[\w.+-]+$/]],
    table: [align, size('width'), size('height')],
    tbody: [align],
    td: cell,
    tfoot: [align],
    th: cell,
    thead: [align],
    time: ['datetime'],
    ul: [['type', /^(?:disc|circle|square)$/i]],
  },
  clobber: ['id', 'name'],
  clobberPrefix: 'user-content-',
  // Images that can’t be loaded are said afterwards.
  protocols: { href: [...linkSchemes] },
  required: {},
};
