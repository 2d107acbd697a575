import type { Language } from '../../../../browser/editor/text-editor.ts';
import { createConverter } from '../../../../browser/preview/conversion.ts';
import { createHtmlFrame } from '../../../../browser/preview/html-frame.ts';
import { createMarkdownView } from '../../../../browser/preview/markdown-view.ts';
import { composerTexts as texts } from '../../texts.ts';
import { preview } from './elements.ts';

const { frame: frameUrl = '', worker: workerUrl = '', styles: stylesUrl = '' } = preview.dataset;

const converter = createConverter(workerUrl);
const frame = createHtmlFrame(preview, frameUrl, texts.frame);
const view = createMarkdownView();

/** Whether the Markdown of the editor is shown, so that both can scroll together. */
export const isMarkdownShown = (): boolean => view.root.isConnected;

/** Returns where the blocks of the preview are; `undefined` if it isn't known. */
export const getAnchors = () => view.getAnchors();

const tell = (text: string): void => {
  const place = document.createElement('p');
  place.className = 'mute';
  place.textContent = text;
  preview.replaceChildren(place);
};

let styles: Promise<unknown> | undefined;

/** Loads the styles of rendered Markdown, which the first text needs. Without them it's shown, too. */
const loadStyles = (): Promise<unknown> => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = stylesUrl;
  const loaded = new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = resolve;
  });
  // The page's own styles follow, because they change some of these.
  document.querySelector('link[rel="stylesheet"]')?.after(link);
  return loaded;
};

const showMarkdown = async (text: string): Promise<void> => {
  styles ??= loadStyles();
  const [result] = await Promise.all([converter.convert(text), styles]);
  if (result === undefined) return;
  if (result === 'unavailable') return tell(texts.noPreview);
  if (result === 'too-slow') return tell(texts.tooSlow);
  view.show(result);
  if (!isMarkdownShown()) preview.replaceChildren(view.root);
};

/** Shows the preview of a text. */
export const showPreview = (language: Language, text: string): void => {
  preview.dataset['language'] = language;
  converter.cancel();
  frame.cancel();
  if (text.trim() === '') tell(texts.nothingToShow);
  else if (language === 'html') frame.show(text);
  else void showMarkdown(text);
};

preview.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-copies-code]') : null;
  const code = button?.closest('figure')?.querySelector('code');
  if (code) await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ''));
});
