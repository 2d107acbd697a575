import type { Rendered } from './messages.ts';
import type { Anchors } from './scroll-map.ts';

/** From this number of blocks, parts out of view aren't laid out. */
const longFrom = 200;

/** The number of blocks in a part. Browsers look at each part for every frame. */
const partSize = 50;
/** A part that has grown to this number is divided. */
const maxPartSize = 4 * partSize;

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
  // The switch is of pages that are read.
  for (const button of root.querySelectorAll('[data-wraps-lines]')) button.remove();
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

/** Creates an element that reads as a share does. */
const createPart = (blocks: readonly ChildNode[][]): HTMLElement => {
  const part = document.createElement('div');
  part.className = 'prose';
  part.append(...blocks.flat());
  return part;
};

/** Creates the view of a rendered text. */
export const createMarkdownView = (): MarkdownView => {
  const root = document.createElement('div');
  root.className = 'text';
  let blocks: ChildNode[][] = [];
  let lines: readonly number[] = [];
  let lineCount = 0;

  /** Divides all blocks into parts again. */
  const divide = (): void => {
    const count = Math.ceil(blocks.length / partSize);
    const parts = Array.from({ length: count }, (_, at) =>
      createPart(blocks.slice(at * partSize, (at + 1) * partSize)),
    );
    root.replaceChildren(...parts);
  };

  /** Inserts blocks before the one that follows them, in its part; at the end, in the last part. */
  const insert = (inserted: readonly ChildNode[][], after: ChildNode | undefined): void => {
    const part = after?.parentElement ?? root.lastElementChild;
    for (const node of inserted.flat()) part?.insertBefore(node, after ?? null);
    if (!part || part.childNodes.length > maxPartSize) divide();
  };

  const getTop = (index: number): number => {
    for (let at = index; at >= 0; at--) {
      const element = blocks[at]?.find((node) => node instanceof HTMLElement);
      if (element) {
        const { top } = element.getBoundingClientRect();
        return root.offsetTop + top - root.getBoundingClientRect().top;
      }
    }
    return root.offsetTop;
  };
  return {
    root,
    show: ({ from, kept, blocks: inserted, ...rendered }) => {
      const end = blocks.length - kept;
      const parsed = parseBlocks(inserted);
      const after = blocks[end]?.[0];
      const removed = blocks.slice(from, end).flat();
      const emptied = new Set(removed.map(({ parentElement }) => parentElement));
      for (const node of removed) node.remove();
      blocks = [...blocks.slice(0, from), ...parsed, ...blocks.slice(end)];
      insert(parsed, after);
      for (const part of emptied) if (part?.childNodes.length === 0) part.remove();
      ({ lines, lineCount } = rendered);
      root.classList.toggle('long', blocks.length >= longFrom);
      if (root.querySelector('source,[src*="#gh-"]')) {
        // Without it, pictures follow the system.
        import('./picture-themes.ts').then(
          ({ followThemes }) => followThemes(),
          () => {},
        );
      }
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
