import type { Rendered } from './messages.ts';
import type { Anchors } from './scroll-map.ts';

/** From this number of blocks, those out of view aren't laid out. */
const longFrom = 200;

/** Opens links elsewhere, because they must not navigate away from the text, and shows buttons that need a script. */
const activate = (root: Element): void => {
  for (const link of root.querySelectorAll('a')) {
    if (link.getAttribute('href')?.startsWith('#')) continue;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  for (const button of root.querySelectorAll<HTMLElement>('[data-copies-code]')) {
    button.hidden = false;
  }
};

/** Creates the nodes of blocks, of each its own. */
const parseBlocks = (blocks: readonly string[]): ChildNode[][] => {
  if (blocks.length === 0) return [];
  // Comments part the blocks; a text has none of its own, because `<` is escaped.
  const { body } = new DOMParser().parseFromString(blocks.join('<!---->'), 'text/html');
  activate(body);
  const parsed: ChildNode[][] = [[]];
  for (const node of [...body.childNodes]) {
    if (node instanceof Comment) parsed.push([]);
    else parsed.at(-1)?.push(node);
  }
  return parsed;
};

/** A rendered text that changes block by block. */
export interface MarkdownView {
  readonly root: HTMLElement;
  show(rendered: Rendered): void;
  /** Returns where the blocks are, for the scroll positions; `undefined` if their lines aren't known. */
  getAnchors(): Anchors | undefined;
}

/** Creates the view of a rendered text. */
export const createMarkdownView = (): MarkdownView => {
  const root = document.createElement('div');
  root.className = 'prose';
  let blocks: ChildNode[][] = [];
  let lines: readonly number[] = [];
  let lineCount = 0;

  const getTop = (index: number): number => {
    for (let at = index; at >= 0; at--) {
      const element = blocks[at]?.find((node) => node instanceof HTMLElement);
      if (element) return element.offsetTop;
    }
    return root.offsetTop;
  };
  return {
    root,
    show: ({ from, kept, blocks: inserted, ...rendered }) => {
      const end = blocks.length - kept;
      const parsed = parseBlocks(inserted);
      const after = blocks[end]?.[0] ?? null;
      for (const node of blocks.slice(from, end).flat()) node.remove();
      for (const node of parsed.flat()) root.insertBefore(node, after);
      blocks = [...blocks.slice(0, from), ...parsed, ...blocks.slice(end)];
      ({ lines, lineCount } = rendered);
      root.classList.toggle('long', blocks.length >= longFrom);
    },
    getAnchors: () =>
      lines.length === 0
        ? undefined
        : {
            count: blocks.length,
            at: (index) =>
              index < blocks.length
                ? { line: lines[index] ?? 0, top: getTop(index) }
                : { line: lineCount + 1, top: root.offsetTop + root.offsetHeight },
          },
  };
};
