import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  Token as HtmlToken,
  html,
  Parser,
  Tokenizer,
} from 'parse5';
import { allowedNames, ownAttribute } from './allow-list.ts';
import type { AuthorToken } from './author-tokens.ts';
import { voidStandIn } from './own-markup.ts';
import { voidNames } from './void-names.ts';

type Element = DefaultTreeAdapterTypes.Element;
type ChildNode = DefaultTreeAdapterTypes.ChildNode;

/** The depth beyond which an author’s elements lose their tags. */
const maxDepth = 100;

/** Elements of ours within which an author’s end: none of them can end ours, nor take in what follows. */
const containers = new Set('blockquote div h1 h2 h3 h4 h5 h6 li td th'.split(' '));
const headings = new Set('h1 h2 h3 h4 h5 h6'.split(' '));
/** Cells have their own markers of formatting, which the parser sets. */
const cells = new Set(['td', 'th']);
/** Formatting elements live on after they are closed, until their end tag. */
const formatting = new Set(['a', 'code', 'del', 'em', 'strong']);

/** The elements that an author’s element must be in; otherwise it would change one of ours. */
const parents: Readonly<Record<string, readonly string[]>> = {
  ...{ caption: ['table'], tbody: ['table'], td: ['table'], tfoot: ['table'] },
  ...{ th: ['table'], thead: ['table'], tr: ['table'], li: ['ol', 'ul'] },
};

const tagToken = (
  type: HtmlToken.TokenType.START_TAG | HtmlToken.TokenType.END_TAG,
  tagName: string,
  attrs: HtmlToken.Attribute[] = [],
): HtmlToken.TagToken => ({
  type,
  tagName,
  tagID: html.getTagID(tagName),
  selfClosing: false,
  ackSelfClosing: false,
  attrs,
  location: null,
});

/** The result exceeds its size before it is written. */
export class FragmentTooLarge extends Error {}

/** Makes nodes, whose length it bounds. Remembers the number of the outermost construct that each element begins in. */
const createAdapter = (maxLength: number) => {
  let left = maxLength;
  const adapter = {
    ...defaultTreeAdapter,
    construct: -1,
    constructs: new WeakMap<ChildNode, number>(),
    createElement: (
      name: string,
      namespace: html.NS,
      attributes: HtmlToken.Attribute[],
    ): Element => {
      left -= 2 * name.length + 5;
      for (const { name: key, value } of attributes) left -= key.length + value.length + 4;
      if (left < 0) throw new FragmentTooLarge();
      const element = defaultTreeAdapter.createElement(name, namespace, attributes);
      adapter.constructs.set(element, adapter.construct);
      return element;
    },
  };
  return adapter;
};

/**
 * Makes a tree of a fragment as browsers do, from our tags, which are balanced, and those of an author, which may be
 * anything. Only allowed elements get into it, so that nothing is read in another way than as HTML.
 */
export class FragmentParser extends Parser<DefaultTreeAdapterMap> {
  /** Our open elements. */
  readonly #open: Element[] = [];
  readonly #ours = new WeakSet<Element>();
  /** How many outermost elements of ours an element stands for. */
  readonly #standIns = new WeakMap<ChildNode, number>();
  declare treeAdapter: ReturnType<typeof createAdapter>;

  /** Creates a parser. Elements that are repeated after misnested ones can’t make a tree longer than `maxLength`. */
  static create(maxLength: number): FragmentParser {
    const context = defaultTreeAdapter.createElement('div', html.NS.HTML, []);
    const treeAdapter = createAdapter(maxLength);
    return FragmentParser.getFragmentParser(context, { treeAdapter }) as FragmentParser;
  }

  /** How many elements of ours are open. */
  get ownDepth(): number {
    return this.#open.length;
  }

  /** Whether nothing is open, so that nothing of the author can change what follows. */
  get isAtRest(): boolean {
    return this.openElements.stackTop === 0 && this.activeFormattingElements.newest === null;
  }

  /** Adds an element that stands for outermost elements of ours. Only where {@link isAtRest}. */
  addStandIn(number: number, elements: number): void {
    const attribute = { name: ownAttribute, value: String(number) };
    this.treeAdapter.construct++;
    this.onStartTag(tagToken(HtmlToken.TokenType.START_TAG, voidStandIn, [attribute]));
    const element = this.openElements.items[0]?.childNodes.at(-1);
    if (element) this.#standIns.set(element, elements);
    this.treeAdapter.construct += elements - 1;
  }

  /** Adds HTML of ours, which may end between tags only. */
  addOurs(markup: string): void {
    if (markup === '') return;
    const tokenizer = new Tokenizer(
      {},
      {
        onStartTag: (token) => this.#startOurs(token),
        onEndTag: (token) => this.#endOurs(token),
        onCharacter: (token) => this.onCharacter(token),
        onWhitespaceCharacter: (token) => this.onWhitespaceCharacter(token),
        onNullCharacter: () => {},
        onComment: () => {},
        onDoctype: () => {},
        onEof: () => {},
      },
    );
    tokenizer.write(markup, true);
  }

  /** Adds raw HTML of an author. A block of it is a construct like our outermost elements. */
  addAuthors(tokens: readonly AuthorToken[]): void {
    if (this.#open.length === 0) this.treeAdapter.construct++;
    for (const token of tokens) this.#addAuthorsToken(token);
  }

  #addAuthorsToken({ kind, token }: AuthorToken): void {
    if (kind === 'text') {
      if (token.type === HtmlToken.TokenType.CHARACTER) this.onCharacter(token);
      else this.onWhitespaceCharacter(token);
    } else if (kind === 'start') this.#startAuthors(token);
    else this.#endAuthors(token);
  }

  /** Ends all elements of the author. */
  endAll(): void {
    this.#endDownTo(this.openElements.items[0]);
    this.activeFormattingElements.clearToLastMarker();
  }

  /** Ends the text, and returns its nodes and the number of the construct that each of them begins in. */
  finish(): { readonly nodes: readonly ChildNode[]; readonly constructs: readonly number[] } {
    this.tokenizer.write('', true);
    const nodes = this.getFragment().childNodes;
    let last = 0;
    const constructs = nodes.flatMap((node) => {
      if ('value' in node && node.value.trim() === '') return [];
      // Elements that were moved up, out of a table, begin where it does.
      const first = Math.max(last, this.treeAdapter.constructs.get(node) ?? last);
      const numbers = Array.from({ length: this.#standIns.get(node) ?? 1 }, (_, at) => first + at);
      last = first + numbers.length - 1;
      return numbers;
    });
    return { nodes, constructs };
  }

  #startOurs(token: HtmlToken.TagToken): void {
    if (this.#open.length === 0) this.treeAdapter.construct++;
    this.onStartTag(token);
    if (voidNames.has(token.tagName)) return;
    const element = this.openElements.current as Element;
    this.#ours.add(element);
    this.#open.push(element);
    if (containers.has(token.tagName) && !cells.has(token.tagName))
      this.activeFormattingElements.insertMarker();
  }

  #endOurs(token: HtmlToken.TagToken): void {
    const element = this.#open.pop();
    if (!element) return;
    const { tagName } = token;
    if (containers.has(tagName)) {
      this.#endDownTo(element);
      if (!cells.has(tagName)) this.activeFormattingElements.clearToLastMarker();
    }
    if (formatting.has(tagName) || this.openElements.contains(element)) this.onEndTag(token);
  }

  /** Ends the elements that are open within another. */
  #endDownTo(element: DefaultTreeAdapterTypes.ParentNode | undefined): void {
    if (!element || !this.openElements.contains(element as Element)) return;
    while (this.openElements.current !== element) {
      const { current, depth } = this.openElements;
      const { tagName } = current as Element;
      this.onEndTag(tagToken(HtmlToken.TokenType.END_TAG, tagName));
      if (this.openElements.depth >= depth) this.openElements.pop();
    }
  }

  /** Finds an open element of the author by its name, within the innermost of our containers. */
  #findAuthors(names: readonly string[]): Element | undefined {
    const { openElements } = this;
    for (let slot = openElements.stackTop; slot > 0; slot = openElements.slotBelow(slot)) {
      const element = openElements.items[slot] as Element;
      const isOurs = this.#ours.has(element);
      if (!isOurs && names.includes(element.tagName)) return element;
      if (isOurs && containers.has(element.tagName)) return undefined;
    }
    return undefined;
  }

  #startAuthors(token: HtmlToken.TagToken): void {
    const { tagName } = token;
    if (!allowedNames.has(tagName)) return;
    if (this.openElements.depth > maxDepth && !voidNames.has(tagName)) return;
    const needed = Object.hasOwn(parents, tagName) ? parents[tagName] : undefined;
    if (needed && !this.#findAuthors(needed)) return;
    if (headings.has(tagName) && this.#open.some((element) => headings.has(element.tagName)))
      return;
    token.attrs = token.attrs.filter(({ name }) => name !== ownAttribute);
    this.onStartTag(token);
  }

  #endAuthors(token: HtmlToken.TagToken): void {
    const { tagName } = token;
    const entry = this.activeFormattingElements.getElementEntryInScopeWithTagName(tagName);
    const isOpen =
      tagName === 'br' ||
      this.#findAuthors([tagName]) !== undefined ||
      (entry !== null && !this.#ours.has(entry.element));
    if (isOpen) this.onEndTag(token);
  }
}
