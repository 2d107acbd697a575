import { S3Error } from './s3-error.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};
const UNESCAPES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Markup, which is not escaped again. */
export interface Markup {
  readonly markup: string;
}

type Content = Markup | string | number | boolean;

const escaped = (text: string): string =>
  text.replace(/[<>&"]|\p{Cc}/gu, (char) => ESCAPES[char] ?? `&#${char.codePointAt(0)};`);

/** Creates an element from other elements and texts, which are escaped. */
export const element = (name: string, ...content: readonly Content[]): Markup => {
  const inside = content.map((part) =>
    typeof part === 'object' ? part.markup : escaped(String(part)),
  );
  return { markup: `<${name}>${inside.join('')}</${name}>` };
};

/** Creates a document from its root element. */
export const document = (root: Markup): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root.markup}`;

/** A parsed element without its attributes, which no S3 request needs. */
export interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

const malformed = (): S3Error =>
  new S3Error(
    400,
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
  );

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));|&/gi, (_, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    const char = name ? UNESCAPES[name] : code <= 0x10ffff && String.fromCodePoint(code);
    if (!char) throw malformed();
    return char;
  });

const TOKEN =
  /<\?xml[^>]*\?>|<(?<close>\/?)(?<name>[\w:.-]+)[^<>]*?(?<empty>\/?)>|(?<text>[^<]+)/gy;

/**
 * Parses the body of a request and returns its root element.
 * @throws S3Error MalformedXML, also for comments, CDATA and document types, which no client sends
 */
export const parseXml = (body: string): Element => {
  const top: Element = { name: '', children: [], text: '' };
  const open = [top];
  let end = 0;
  for (const { 0: token, index, groups = {} } of body.matchAll(TOKEN)) {
    const current = open.at(-1);
    if (!current) break;
    end = index + token.length;
    const { close, name, empty, text } = groups;
    if (text !== undefined) current.text += unescaped(text);
    else if (name !== undefined && close) {
      if (current.name !== name) throw malformed();
      open.pop();
    } else if (name !== undefined) {
      const child: Element = { name, children: [], text: '' };
      current.children.push(child);
      if (!empty) open.push(child);
    }
  }
  const [root] = top.children;
  if (end !== body.length || open.length !== 1 || !root || top.text.trim()) throw malformed();
  return root;
};

export const getChildren = (parent: Element, name: string): Element[] =>
  parent.children.filter((child) => child.name === name);

/** Returns the text of the first child with this name, or undefined. */
export const getText = (parent: Element, name: string): string | undefined =>
  getChildren(parent, name)[0]?.text;
