import { type DefaultTreeAdapterTypes, html, parse, parseFragment } from 'parse5';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

export const isElement = (node: Node): node is Element => 'tagName' in node;

export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode =>
  node.nodeName === '#text';

export const isHtml = (element: Element): boolean => element.namespaceURI === html.NS.HTML;

/** Yields all nodes below a node in the order of the document, without recursion: some trees are deep. */
export function* walk(root: Parent): Generator<Node> {
  const waiting: Node[] = root.childNodes.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if (!isElement(node)) continue;
    for (let at = node.childNodes.length - 1; at >= 0; at--) {
      waiting.push(node.childNodes[at] as Node);
    }
  }
}

export const attributesOf = (element: Element): ReadonlyMap<string, string> =>
  new Map(
    element.attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value]),
  );

export const textOf = (root: Parent): string => {
  let text = '';
  for (const node of walk(root)) if (isText(node)) text += node.value;
  return text;
};

export const elementsOf = (root: Parent): readonly Element[] => [...walk(root)].filter(isElement);

/** Parses a fragment as the content of a `div`. */
export const toTree = (fragment: string) => parseFragment(fragment);

/** Parses a whole page. */
export const toPageTree = (page: string) => parse(page);
