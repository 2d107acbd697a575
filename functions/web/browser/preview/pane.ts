import { readCode } from '../code-blocks.ts';
import type { Language } from '../editor/text-editor.ts';
import css from '../rendered.css?text';
import { createConverter } from './conversion.ts';
import { createHtmlFrame } from './html-frame.ts';
import { createMarkdownView, type MarkdownView } from './markdown-view.ts';
import type { Remarks } from './messages.ts';
import type { Anchors } from './scroll-map.ts';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

interface PaneTexts {
  readonly frame: string;
  readonly noPreview: string;
  readonly tooSlow: string;
  readonly nothingToShow: string;
}

/** How the files beside a text are shown. */
interface ShownFiles {
  /** What the frame of HTML gets, instead of the text. */
  readonly message?: unknown;
  /** Completes a block of rendered Markdown. */
  readonly fill?: (html: string) => string;
}

/** The preview of a text. */
export interface PreviewPane {
  show(language: Language, text: string, files?: ShownFiles): void;
  /** Whether rendered Markdown is shown, so that editor and preview can scroll together. */
  isMarkdownShown(): boolean;
  /** Returns where the blocks of the preview are; `undefined` if it isn't known. */
  getAnchors(): Anchors | undefined;
}

/**
 * Makes an element a preview. Its data name the frame of HTML snippets and the worker that renders Markdown. `note` gets what the writer is told about the text.
 */
export const createPreviewPane = (
  pane: HTMLElement,
  texts: PaneTexts,
  note?: (remarks: Remarks | undefined) => void,
): PreviewPane => {
  const { frame: frameUrl = '', worker: workerUrl = '' } = pane.dataset;
  const converter = createConverter(workerUrl);
  const frame = createHtmlFrame(pane, frameUrl, texts.frame);
  let view: MarkdownView | undefined;
  const isMarkdownShown = () => view?.root.isConnected === true;

  const tell = (text: string): void => {
    const place = document.createElement('p');
    place.className = 'mute';
    place.textContent = text;
    pane.replaceChildren(place);
  };

  const getView = (): MarkdownView => {
    view ??= createMarkdownView(new URL('/diagram', frameUrl).href);
    return view;
  };

  const showMarkdown = async (text: string, fill?: ShownFiles['fill']): Promise<void> => {
    const result = await converter.convert(text);
    if (result === undefined) return;
    note?.(typeof result === 'string' ? undefined : result);
    if (result === 'unavailable') return tell(texts.noPreview);
    if (result === 'too-slow') return tell(texts.tooSlow);
    const shown = getView();
    if (!isMarkdownShown()) pane.replaceChildren(shown.root);
    shown.show(fill ? { ...result, blocks: result.blocks.map(fill) } : result);
  };

  pane.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-copies-code]') : null;
    if (button) await navigator.clipboard.writeText(readCode(button));
  });

  return {
    isMarkdownShown,
    getAnchors: () => view?.getAnchors(),
    show: (language, text, { message = text, fill } = {}) => {
      pane.dataset['language'] = language;
      converter.cancel();
      frame.cancel();
      const isMarkdown = language === 'markdown' && text.trim() !== '';
      if (isMarkdown) return void showMarkdown(text, fill);
      note?.(undefined);
      if (text.trim() === '') tell(texts.nothingToShow);
      else frame.show(message);
    },
  };
};
