import { matchBlocks } from './match-blocks.ts';

const serializer = new XMLSerializer();

/** What scripts of the page add to a text: drawings and their switches, notes of failed images, and when it was updated. */
const added =
  '.drawing, figure:has(code.language-mermaid) > figcaption, img[hidden] + .unshown-image, [data-updated]';

/** Attributes by which scripts and readers change a text. */
const changing = ['aria-current', 'aria-pressed', 'hidden', 'open', 'style', 'tabindex'] as const;

/** Classes that scripts set; others stay. */
const states = ['drawn', 'marked'] as const;

/** Returns what a block says, whatever scripts and its reader have made of it since. */
const toKey = (node: Node): string => {
  if (!(node instanceof Element)) return node.textContent ?? '';
  const copy = node.cloneNode(true) as Element;
  for (const one of copy.querySelectorAll(added)) one.remove();
  for (const one of [copy, ...copy.querySelectorAll('*')]) {
    one.classList.remove(...states);
    if (one.classList.length === 0) one.removeAttribute('class');
    for (const name of changing) one.removeAttribute(name);
    // The page shows it in the time zone of its reader.
    if (one instanceof HTMLTimeElement) one.textContent = one.dateTime;
  }
  return serializer.serializeToString(copy);
};

const findDiagram = (node: Node | undefined): Element | null | undefined =>
  node instanceof Element ? node.querySelector('code.language-mermaid') : undefined;

/** Puts the new code into the figure of a diagram, whose drawing stays until the next. */
const keepDrawing = (before: ChildNode, after: ChildNode): boolean => {
  const [old, code] = [findDiagram(before), findDiagram(after)];
  if (!old || !code) return false;
  old.replaceWith(code);
  return true;
};

/**
 * Makes the children of an element those of another. What is the same stays as it is, with the focus, selection and open
 * details within. Returns whether anything changed.
 */
export const patchChildren = (shown: Element, next: Element): boolean => {
  const [before, after] = [[...shown.childNodes], [...next.childNodes]];
  const found = matchBlocks(before.map(toKey), after.map(toKey));
  if (found.size === before.length && found.size === after.length) return false;
  const kept = new Set(found.values());
  const blocks = after.map((node, at) => {
    const place = found.get(at);
    if (place !== undefined) return before[place] as ChildNode;
    // The block in its place, if that isn't another's.
    const previous = at === 0 ? -1 : found.get(at - 1);
    const replaced = previous === undefined ? undefined : previous + 1;
    if (replaced === undefined || kept.has(replaced)) return node;
    const old = before[replaced];
    if (!old || !keepDrawing(old, node)) return node;
    kept.add(replaced);
    return old;
  });
  for (const [at, node] of before.entries()) if (!kept.has(at)) node.remove();
  let following: ChildNode | null = null;
  for (const block of blocks.reverse()) {
    if (block.parentNode !== shown) shown.insertBefore(document.adoptNode(block), following);
    following = block;
  }
  return true;
};
