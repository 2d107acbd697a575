import { fromDom } from 'hast-util-from-dom';
import { toMdast } from 'hast-util-to-mdast';
import type { Nodes } from 'mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { toMarkdown as write } from 'mdast-util-to-markdown';
import { parseInert } from './rich-text.ts';
import { tidy } from './tidy.ts';

/** Math begins with a dollar sign here, which prices don't mean. */
const math = { unsafe: [{ character: '$', inConstruct: 'phrasing' as const }] };

/** The most emphasis in a paragraph: choosing its marks takes time by the square. */
const maxEmphasis = 100;

const isEmphasis = ({ type }: Nodes): boolean =>
  type === 'strong' || type === 'emphasis' || type === 'delete';

const countEmphasis = (node: Nodes): number =>
  (isEmphasis(node) ? 1 : 0) +
  ('children' in node ? node.children.reduce((sum, child) => sum + countEmphasis(child), 0) : 0);

/** Drops the emphasis of paragraphs that have too much of it. */
const limitEmphasis = (node: Nodes, isWithin = false): void => {
  if (!('children' in node)) return;
  const isText = node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell';
  const drops = isWithin || (isText && countEmphasis(node) > maxEmphasis);
  for (const child of node.children) limitEmphasis(child, drops);
  if (!drops) return;
  const children = (node.children as Nodes[]).flatMap((child) =>
    isEmphasis(child) && 'children' in child ? (child.children as Nodes[]) : [child],
  );
  node.children = children as typeof node.children;
};

/** Converts the HTML of a clipboard to Markdown, and says whether it is a part of a paragraph. */
export const toMarkdown = (html: string): { markdown: string; isInline: boolean } => {
  const { body } = parseInert(html);
  tidy(body);
  const root = toMdast(
    { type: 'root', children: [fromDom(body) as never] },
    { document: true, nodeHandlers: { comment: () => undefined } },
  );
  limitEmphasis(root);
  const blocks = 'children' in root ? root.children : [root];
  const markdown = write(root, {
    bullet: '-',
    rule: '-',
    listItemIndent: 'one',
    extensions: [
      gfmStrikethroughToMarkdown(),
      gfmTableToMarkdown({ tablePipeAlign: false }),
      gfmTaskListItemToMarkdown(),
      math,
    ],
  });
  return {
    markdown: markdown.trim(),
    isInline: blocks.length === 1 && blocks[0]?.type === 'paragraph',
  };
};
