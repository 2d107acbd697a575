import type { Diagrams } from '../diagrams/diagrams.ts';
import { followImages } from '../failed-images.ts';
import type { Rendered } from './messages.ts';
import type { Patch } from './patch.ts';
import { followThemes } from './picture-themes.ts';
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
};

/** Puts an outermost image into an element, which goes with what is said of the image. */
const toNode = (node: ChildNode): ChildNode => {
  if (!(node instanceof Element && node.matches('img, picture'))) return node;
  const box = document.createElement('span');
  box.append(node);
  return box;
};

/** Creates the nodes of blocks, of each its own. */
const parseBlocks = (blocks: readonly string[]): ChildNode[][] => {
  if (blocks.length === 0) return [];
  // Comments part the blocks; a text has none of its own: they are left out.
  const { body } = new DOMParser().parseFromString(blocks.join('<!---->'), 'text/html');
  activate(body);
  const parsed: ChildNode[][] = [[]];
  for (const node of [...body.childNodes]) {
    if (node instanceof Comment) parsed.push([]);
    else parsed.at(-1)?.push(toNode(node));
  }
  return parsed;
};

/** Returns the code of what is one block, a diagram. */
const findDiagram = ([block, ...others]: readonly ChildNode[][]) => {
  const [figure] = block ?? [];
  return others.length === 0 && figure instanceof Element
    ? figure.querySelector<HTMLElement>('.language-mermaid')
    : null;
};

/** Puts the new code into the box of a diagram, whose drawing stays until the next: a frame loads again when it moves. */
const keepDrawing = (before: readonly ChildNode[][], after: readonly ChildNode[][]): boolean => {
  const [old, code] = [findDiagram(before), findDiagram(after)];
  const isSame = old?.dataset['file'] === code?.dataset['file'];
  if (!old || !code || !isSame) return false;
  old.replaceWith(code);
  return true;
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

/** Creates the view of a rendered text, whose diagrams the frame at `diagramUrl` draws. */
export const createMarkdownView = (diagramUrl: string): MarkdownView => {
  const root = document.createElement('div');
  root.className = 'text';
  followImages(root);
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

  let diagrams: Promise<Diagrams> | undefined;
  /** Draws the diagrams of the text, by what only a text with one loads. */
  const drawDiagrams = async (): Promise<void> => {
    if (!diagrams && !root.querySelector('.language-mermaid')) return;
    diagrams ??= import('../diagrams/diagrams.ts').then(({ createDiagrams }) =>
      createDiagrams(root, diagramUrl),
    );
    (await diagrams).update();
  };

  /** Replaces the blocks between the first `from` and the last `kept`. */
  const replace = ({ from, kept, blocks: inserted }: Patch): void => {
    const end = blocks.length - kept;
    const parsed = parseBlocks(inserted);
    if (keepDrawing(blocks.slice(from, end), parsed)) return;
    const after = blocks[end]?.[0];
    const removed = blocks.slice(from, end).flat();
    const emptied = new Set(removed.map(({ parentElement }) => parentElement));
    for (const node of removed) node.remove();
    blocks = [...blocks.slice(0, from), ...parsed, ...blocks.slice(end)];
    insert(parsed, after);
    for (const part of emptied) if (part?.childNodes.length === 0) part.remove();
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
    show: ({ lines: found, lineCount: count, ...patch }) => {
      replace(patch);
      lines = found;
      lineCount = count;
      root.classList.toggle('long', blocks.length >= longFrom);
      if (root.querySelector('source,[src*="#gh-"]')) followThemes();
      if (root.querySelector('.file-views')) import('./file-views-style.ts').catch(() => {});
      // Without what draws, the code stays.
      drawDiagrams().catch(() => {});
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
