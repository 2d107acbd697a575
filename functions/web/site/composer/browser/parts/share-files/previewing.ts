import { effect } from '@preact/signals';
import { getPageKind } from '../../../../../../../shared/share-files/types.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import { editor, language } from '../content.ts';
import { preview } from '../elements.ts';
import { pane } from '../preview.ts';
import { isSealed } from '../sealing/sealed.ts';
import { openFile } from './actions.ts';
import { drawPlaceholder } from './model/preview-parts.ts';
import { allFiles, fileSet, isSingle, main, opened, others } from './set.ts';
import { listWorkFiles } from './work/work-files.ts';
import { runTask } from './work/worker.ts';

const labels = { missing: texts.missingImage, loading: texts.loadingImage };

/** The page that is shown: the opened one, or the last one that was open or became the main one. */
let shown = '';
let lastMain = '';
let latest = 0;

const choosePage = (): string => {
  const isPage = (path: string) =>
    getPageKind(path) !== undefined && allFiles.value.some((file) => file.path === path);
  if (main.value !== lastMain) shown = main.value;
  lastMain = main.value;
  shown = [opened.value, shown].find(isPage) ?? main.value;
  return shown;
};

const findBytes = (path: string): Blob | undefined =>
  others.value.find((file) => file.path === path)?.bytes;

/** Addresses of images in Markdown, by their bytes. */
const addresses = new WeakMap<Blob, string>();

const toAddress = (path: string): string => {
  const file = others.value.find((one) => one.path === path);
  if (!file) return drawPlaceholder(texts.missingImage);
  const { bytes, type } = file;
  if (!bytes) return drawPlaceholder(texts.loadingImage);
  const known = addresses.get(bytes) ?? URL.createObjectURL(new Blob([bytes], { type }));
  addresses.set(bytes, known);
  return known;
};

const place = /\b(src|href)="https:\/\/share-file\.invalid\/([^"?]*)(?:\?\d+)?"/g;

/** Puts addresses of this page in the place of those that stand for files. Links are followed by a click here. */
const fill = (html: string): string =>
  html.replace(place, (_, name: string, encoded: string) => {
    const path = decodeURIComponent(encoded);
    return name === 'src' ? `src="${toAddress(path)}"` : `href="#file:${encodeURIComponent(path)}"`;
  });

const showHtml = async (page: string, mine: number): Promise<void> => {
  const made = await runTask({ task: 'preview', files: listWorkFiles(), page, labels });
  if (mine !== latest) return;
  const parts = made.parts.map((part) =>
    part.text === undefined ? { ...part, bytes: findBytes(part.path) } : part,
  );
  pane.show('html', made.html, { message: { ...made, parts } });
};

const showMarkdown = async (page: string, mine: number): Promise<void> => {
  const marked = await runTask({ task: 'mark', files: listWorkFiles(), page });
  if (mine === latest) pane.show('markdown', marked, { fill });
};

/** Shows the opened page with its files; without files, the text that is written. */
export const showPage = (): void => {
  latest += 1;
  const showText = () => pane.show(language.value, editor.getText());
  // Readers of a sealed share see its text without the files.
  if (!fileSet.value || isSingle.value || isSealed.value) {
    showText();
    return;
  }
  const page = choosePage();
  const show = getPageKind(page) === 'html' ? showHtml : showMarkdown;
  show(page, latest).catch(showText);
};

/** The pause after which a change of the files is shown. ms. */
const pauseMs = 250;

const isFrame = (source: unknown): boolean =>
  [...preview.querySelectorAll('iframe')].some(({ contentWindow }) => contentWindow === source);

const openLink = (path: string): void => {
  if (!allFiles.value.some((file) => file.path === path)) return;
  openFile(path);
  // The frame that was clicked in goes.
  preview.focus();
};

/** Starts to show the opened page whenever the files change. */
export const startPreviewing = (): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = false;
  effect(() => {
    fileSet.value;
    opened.value;
    isSealed.value;
    clearTimeout(timer);
    if (fileSet.value || wasOpen) timer = setTimeout(showPage, pauseMs);
    wasOpen = fileSet.value !== undefined;
  });
  addEventListener('message', ({ source, data }) => {
    if (typeof data?.open === 'string' && isFrame(source)) openLink(data.open);
  });
  preview.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#file:"]');
    if (!link) return;
    event.preventDefault();
    openLink(decodeURIComponent(link.getAttribute('href')?.slice('#file:'.length) ?? ''));
  });
};
