import { attributesOf, type Element, isElement, isText, type Node, toTree } from './tree.ts';

/** White space beside these isn’t shown. */
const block = new Set(
  `blockquote caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p picture pre section source summary table tbody
  td tfoot th thead tr ul`.split(/\s+/),
);

/** Changes an element before it is written: leaves it out, takes its content only, or has other attributes. */
export type Change = (
  element: Element,
) => 'drop' | 'unwrap' | ReadonlyMap<string, string> | undefined;

const writeAttributes = (attributes: ReadonlyMap<string, string>): string =>
  [...attributes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join('');

/**
 * Writes the tree of a fragment, a line a tag or text, so that entities, quotes, the order of attributes, and white space
 * that isn’t shown make no difference.
 */
export const toNormalTree = (fragment: string, change: Change = () => undefined): string => {
  const lines: string[] = [];
  /** The text since the last tag, and whether white space at its start isn’t shown. */
  let text = '';
  let isAtEdge = true;
  const endText = (depth: number, isPre: boolean, isEdge: boolean): void => {
    let shown = text;
    if (!isPre) {
      shown = shown.replace(/[ \t\r\n\f]+/g, ' ');
      if (isAtEdge) shown = shown.replace(/^ /, '');
      if (isEdge) shown = shown.replace(/ $/, '');
    }
    if (shown !== '') lines.push(`${' '.repeat(depth)}${JSON.stringify(shown)}`);
    text = '';
    isAtEdge = isEdge;
  };
  const write = (nodes: readonly Node[], depth: number, isPre: boolean): void => {
    for (const node of nodes) {
      if (isText(node)) {
        text += node.value;
        continue;
      }
      if (!isElement(node)) {
        lines.push(node.nodeName);
        continue;
      }
      const changed = change(node);
      if (changed === 'drop') continue;
      if (changed === 'unwrap') {
        write(node.childNodes, depth, isPre);
        continue;
      }
      const tag = node.tagName;
      const isBlock = block.has(tag) || tag === 'br';
      endText(depth, isPre, isBlock);
      lines.push(`${' '.repeat(depth)}<${tag}${writeAttributes(changed ?? attributesOf(node))}>`);
      write(node.childNodes, depth + 1, isPre || tag === 'pre');
      endText(depth + 1, isPre || tag === 'pre', isBlock);
      if (isBlock) lines.push(`${' '.repeat(depth)}</${tag}>`);
    }
  };
  write(toTree(fragment).childNodes, 0, false);
  endText(0, false, true);
  return lines.join('\n');
};
