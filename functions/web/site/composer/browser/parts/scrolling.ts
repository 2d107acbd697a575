import { effect, type ReadonlySignal } from '@preact/signals';
import type { TextEditor } from '../../../../browser/editor/text-editor.ts';
import type { PreviewPane } from '../../../../browser/preview/pane.ts';
import { findLine, findTop } from '../../../../browser/preview/scroll-map.ts';

/** The space above the text, in both. px. */
const padding = 20;

const intents = [
  'pointerdown',
  'pointerenter',
  'wheel',
  'touchstart',
  'keydown',
  'focusin',
] as const;

const getEnd = (element: HTMLElement): number => element.scrollHeight - element.clientHeight;

/** What scrolls together. `scroller` is the element that scrolls the editor, and `preview` that of the pane. */
interface Scrolled {
  readonly editor: Pick<TextEditor, 'getTopLine' | 'scrollToLine'>;
  readonly scroller: ReadonlySignal<HTMLElement>;
  readonly pane: Pick<PreviewPane, 'getAnchors' | 'isMarkdownShown'>;
  readonly preview: HTMLElement;
}

/** Makes editor and preview scroll together. */
export const startScrolling = ({ editor, scroller, pane, preview }: Scrolled): void => {
  /** The one that the user scrolls; the other follows it. */
  let leader = scroller.value;

  const lead = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLElement) leader = currentTarget;
  };

  let isPlanned = false;

  /** Runs once before the next frame, because both positions need the layout. */
  const plan = (follow: () => void): void => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      if (pane.isMarkdownShown()) follow();
    });
  };

  const followEditor = (): void => {
    const source = scroller.value;
    const anchors = pane.getAnchors();
    if (source.scrollTop <= 0) preview.scrollTop = 0;
    else if (source.scrollTop >= getEnd(source) - 1) preview.scrollTop = getEnd(preview);
    else if (anchors) preview.scrollTop = findTop(anchors, editor.getTopLine()) - padding;
    else preview.scrollTop = (source.scrollTop / getEnd(source)) * getEnd(preview);
  };

  const followPreview = (): void => {
    const source = scroller.value;
    const anchors = pane.getAnchors();
    if (preview.scrollTop <= 0) source.scrollTop = 0;
    else if (preview.scrollTop >= getEnd(preview) - 1) source.scrollTop = getEnd(source);
    else if (anchors) editor.scrollToLine(findLine(anchors, preview.scrollTop + padding));
    else source.scrollTop = (preview.scrollTop / getEnd(preview)) * getEnd(source);
  };

  const watch = (element: HTMLElement): void => {
    for (const intent of intents) element.addEventListener(intent, lead, { passive: true });
    element.addEventListener('scroll', () => {
      if (leader === element) plan(element === preview ? followPreview : followEditor);
    });
  };

  watch(preview);
  effect(() => {
    leader = scroller.value;
    watch(scroller.value);
  });
};
