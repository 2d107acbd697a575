import { type Token as HtmlToken, Tokenizer, TokenizerMode } from 'parse5';
import { type AttributeText, readAttributeText } from './attribute-text.ts';
import { findCssReferences } from './css-references.ts';
import { type FoundReference, maxReferences, type ReferenceKind } from './reference.ts';
import { findLiterals, findScriptReferences } from './script-references.ts';

/** What an attribute of an element leads to. */
const kinds: ReadonlyMap<string, ReferenceKind> = new Map(
  Object.entries({
    script: 'script src, script href, script xlink:href',
    image:
      'img src, input src, video poster, image href, image xlink:href, feimage href, feimage xlink:href, use href, use xlink:href',
    media: 'video src, audio src, source src, track src, embed src, object data',
    frame: 'iframe src, frame src',
    link: 'a href, a xlink:href, area href',
    base: 'base href',
  } as const).flatMap(([kind, attributes]) =>
    attributes.split(', ').map((attribute) => [attribute, kind as ReferenceKind] as const),
  ),
);

/** The relations of links that a browser loads. */
const linkKinds: Readonly<Record<string, ReferenceKind>> = {
  ...{ stylesheet: 'style', icon: 'image', 'apple-touch-icon': 'image', 'mask-icon': 'image' },
  ...{ manifest: 'resource', preload: 'resource', prefetch: 'resource', modulepreload: 'script' },
};

/** Elements whose content is text up to their end tag. */
const textModes = new Map<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map(
    (name) => [name, TokenizerMode.RAWTEXT] as const,
  ),
]);

/** More attributes of an element are left out, because each takes time. */
const maxAttributes = 500;

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const { attrs = [] } = (this.currentToken ?? {}) as Partial<HtmlToken.TagToken>;
    if (attrs.length < maxAttributes) super._leaveAttrName();
  }
}

/** The parts of a `srcset`: what parts its candidates, an address, and what it is for. */
const [separator, address, descriptors] = [/[\s,]*/y, /\S+/y, /(?:\([^)]*\)?|[^,(])*/y];

/** Matches a pattern at a place and returns how long the match is. */
const measure = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
};

const findCandidates = (srcset: string): FoundReference[] => {
  const found: FoundReference[] = [];
  let at = measure(separator, srcset, 0);
  while (at < srcset.length && found.length < maxReferences) {
    const next = at + measure(address, srcset, at);
    let end = next;
    while (srcset[end - 1] === ',') end -= 1;
    found.push({ url: srcset.slice(at, end), start: at, end, kind: 'image' });
    at = end < next ? next : next + measure(descriptors, srcset, next);
    at += measure(separator, srcset, at);
  }
  return found;
};

/** Returns where the value of an attribute is written, without its quotes. */
const findValue = (
  source: string,
  { startOffset, endOffset }: HtmlToken.Location,
): [start: number, end: number] | undefined => {
  const written = /^[^=]*=\s*(["']?)/.exec(source.slice(startOffset, endOffset));
  if (!written) return undefined;
  const quoted = written[1] === '' ? 0 : 1;
  return [
    startOffset + written[0].length,
    Math.max(startOffset + written[0].length, endOffset - quoted),
  ];
};

const getLinkKind = (rel: string): ReferenceKind | undefined => {
  for (const name of rel.toLowerCase().split(/\s+/)) {
    if (Object.hasOwn(linkKinds, name)) return linkKinds[name];
  }
  return undefined;
};

const getKind = (tag: HtmlToken.TagToken, name: string): ReferenceKind | undefined => {
  if (tag.tagName === 'link' && name === 'href')
    return getLinkKind(tag.attrs.find((attribute) => attribute.name === 'rel')?.value ?? '');
  return kinds.get(`${tag.tagName} ${name}`);
};

const findInAttribute = (tag: HtmlToken.TagToken, name: string, text: string): FoundReference[] => {
  if (name === 'style') return findCssReferences(text);
  if (name === 'srcset' || name === 'imagesrcset') return findCandidates(text);
  const kind = getKind(tag, name);
  if (!kind) return [];
  const url = text.trim();
  const start = text.indexOf(url);
  return [{ url, start, end: start + url.length, kind }];
};

const scriptTypes = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/;

/** Finds the addresses in attributes, style sheets and scripts of a page, in their order. */
export const findHtmlReferences = (html: string): FoundReference[] => {
  const found: FoundReference[] = [];
  let foreign = 0;
  let content: { start: number; find: (text: string) => FoundReference[] } | undefined;
  const add = (
    references: readonly FoundReference[],
    start: number,
    toSource: AttributeText['toSource'],
  ) => {
    for (const reference of references) {
      if (found.length === maxReferences) return;
      found.push({
        ...reference,
        start: start + toSource(reference.start),
        end: start + toSource(reference.end),
      });
    }
  };
  const endContent = (end: number): void => {
    if (!content) return;
    const { start, find } = content;
    content = undefined;
    add(find(html.slice(start, end)), start, (at) => at);
  };
  const readAttributes = (tag: HtmlToken.TagToken): void => {
    for (const [name, location] of Object.entries(tag.location?.attrs ?? {})) {
      if (found.length === maxReferences) return;
      const isAddress = name === 'style' || /srcset$/.test(name) || getKind(tag, name);
      const value = isAddress && findValue(html, location);
      if (!value) continue;
      const { text, toSource } = readAttributeText(html.slice(...value));
      add(findInAttribute(tag, name, text), value[0], toSource);
    }
  };
  const onStartTag = (tag: HtmlToken.TagToken): void => {
    const { tagName, location, selfClosing } = tag;
    endContent(location?.startOffset ?? 0);
    readAttributes(tag);
    if ((tagName === 'svg' || tagName === 'math') && !selfClosing) foreign += 1;
    if (foreign > 0 && selfClosing) return;
    const start = location?.endOffset ?? 0;
    if (tagName === 'style') content = { start, find: findCssReferences };
    if (tagName === 'script') {
      const type =
        tag.attrs
          .find(({ name }) => name === 'type')
          ?.value.trim()
          .toLowerCase() ?? '';
      content = { start, find: scriptTypes.test(type) ? findScriptReferences : findLiterals };
    }
    // Within SVG and MathML, tags are tags.
    const mode = foreign > 0 ? undefined : textModes.get(tagName);
    if (mode !== undefined) tokenizer.state = mode;
  };
  const onEndTag = ({ tagName, location }: HtmlToken.TagToken): void => {
    endContent(location?.startOffset ?? 0);
    if (tagName === 'svg' || tagName === 'math') foreign = Math.max(0, foreign - 1);
  };
  const ignore = (): void => {};
  const tokenizer = new BoundedTokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag,
      onEndTag,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: () => endContent(html.length),
    },
  );
  tokenizer.write(html, true);
  return found;
};
