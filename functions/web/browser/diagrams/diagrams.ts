import { isDark, onColorsChange } from '../shell/colors.ts';
import { createDiagramBox, type DiagramBox } from './diagram-box.ts';
import { styleDiagrams } from './style.ts';

/** More on a page stay code. */
const maxDiagrams = 20;

/** How far from the window a diagram is drawn, so that it is there once its reader scrolls to it. */
const margin = '1000px 0px';

/** The diagrams of a rendered text. */
export interface Diagrams {
  /** Finds diagrams that the text has since the last call, and forgets those that it no longer has. */
  update(): void;
}

/**
 * Draws the diagrams of a rendered text in place of their code, one after the other, once they are near the window or the page
 * is printed. Each has a frame at `url`, on another host: their code is someone else’s, and Mermaid never runs in the page.
 */
export const createDiagrams = (root: HTMLElement, url: string): Diagrams => {
  styleDiagrams();
  const boxes = new Map<Element, DiagramBox>();
  const near = new Set<DiagramBox>();
  let last: Promise<unknown> = Promise.resolve();
  let isUnavailable = false;

  const draw = async (box: DiagramBox): Promise<void> => {
    if (!box.figure.isConnected) return;
    if (isUnavailable) box.giveUp('unavailable');
    else if ((await box.draw(isDark())) === 'unavailable') isUnavailable = true;
  };
  const enqueue = (box: DiagramBox): void => {
    near.add(box);
    last = last.then(() => draw(box));
  };
  const drawAll = (some: Iterable<DiagramBox>): void => {
    for (const box of some) enqueue(box);
  };

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const box = boxes.get(target);
        if (!isIntersecting || !box) continue;
        observer.unobserve(target);
        enqueue(box);
      }
    },
    { rootMargin: margin },
  );
  onColorsChange(() => drawAll(near));
  addEventListener('beforeprint', () => drawAll([...boxes.values()].slice(0, maxDiagrams)));

  /** Draws a diagram, or leaves it to its code if there are many before it. */
  const place = (figure: HTMLElement, at: number): void => {
    const known = boxes.get(figure);
    const box = known ?? createDiagramBox(figure, url);
    boxes.set(figure, box);
    const isDrawn = at < maxDiagrams;
    if (near.has(box) && isDrawn) enqueue(box);
    else if (isDrawn) observer.observe(figure);
    else if (!known || near.delete(box)) box.giveUp('tooMany');
  };
  const forget = (figure: Element, box: DiagramBox): void => {
    box.remove();
    observer.unobserve(figure);
    near.delete(box);
    boxes.delete(figure);
  };
  return {
    update: () => {
      for (const [figure, box] of boxes) if (!figure.isConnected) forget(figure, box);
      const codes = root.querySelectorAll('.codebox code.language-mermaid');
      for (const [at, code] of codes.entries()) {
        const figure = code.closest<HTMLElement>('.codebox');
        if (figure) place(figure, at);
      }
    },
  };
};
