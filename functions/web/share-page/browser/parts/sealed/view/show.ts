import { findTitle } from '../../../../../../../shared/markdown/page/title.ts';
import { createConverter } from '../../../../../browser/preview/conversion.ts';
import { createHtmlFrame } from '../../../../../browser/preview/html-frame.ts';
import { standAlone } from '../../../../../browser/sealed/alone.ts';
import { saveFile } from '../../../../../browser/snippet-file.ts';
import type { Theme } from '../../../../../layout/theme.ts';
import { type Article, toArticle } from '../../../../article.ts';
import { fileName } from '../../../../file-name.ts';
import { followReading } from '../../contents.ts';
import { followFrame } from '../../frame/frame.ts';
import { watchNavigation } from '../../left.ts';
import { closeMenu } from '../../menu.ts';
import { enablePage } from '../../page.ts';
import { enableProse } from '../../prose.ts';
import { provideSource } from '../../source.ts';
import type { OpenedShare, SealedPage } from '../opening.ts';
import { sealedTexts as texts } from '../texts.ts';
import { enableDownloads } from './downloads.ts';
import { exchangePage, sayOpened } from './exchange.ts';
import { framePage, getPageTitle, readingPage, sourceArticle } from './page.ts';

const getTheme = (): Theme | undefined =>
  document.documentElement.dataset['theme'] as Theme | undefined;

/** Renders Markdown as the page of a share has it. Its first heading is the title of a share without one, on the page alone. */
const toMarkdownArticle = async ({ page, share, content }: OpenedShare): Promise<Article> => {
  const { text } = content;
  const named = share.title ?? texts.untitled;
  if (text.trim() === '') return { ...toArticle('', named), minutes: undefined };
  const result = await createConverter(page.workerUrl).convert({ page: text });
  if (result === undefined || typeof result === 'string') return sourceArticle(named, text);
  const title = share.title ?? findTitle(result.html) ?? texts.untitled;
  return toArticle(result.html, title, { opensTabs: true, theme: getTheme() });
};

/** Makes the entry of the menu save the source, which no request returns. */
const enableSaving = (opened: OpenedShare): void => {
  const { language, text } = opened.content;
  const name = fileName(getPageTitle(opened), language === 'html' ? 'html' : 'md');
  document.querySelector('[data-saves-source]')?.addEventListener('click', () => {
    closeMenu();
    saveFile(new Blob([text]), name);
  });
};

const enableAll = (opened: OpenedShare): void => {
  provideSource(opened.content.text);
  enablePage();
  enableSaving(opened);
  enableDownloads(opened);
  sayOpened();
};

const drawDiagrams = async (prose: HTMLElement, { frameUrl }: SealedPage): Promise<void> => {
  const { createDiagrams } = await import('../../../../../browser/diagrams/diagrams.ts');
  createDiagrams(prose, new URL('/diagram', frameUrl).href).update();
};

const showReading = async (opened: OpenedShare): Promise<void> => {
  const article = await toMarkdownArticle(opened);
  exchangePage('reading', getPageTitle(opened), readingPage(opened, article));
  enableAll(opened);
  followReading();
  const prose = document.querySelector<HTMLElement>('.prose');
  if (!prose) return;
  enableProse(prose);
  // Without what draws, the code stays.
  if (prose.querySelector('.language-mermaid')) drawDiagrams(prose, opened.page).catch(() => {});
};

/** Shows HTML in the frame of previews: isolated from the page, its storage and the key. */
const showFrame = (opened: OpenedShare): void => {
  const title = getPageTitle(opened);
  exchangePage('framing', title, framePage(opened));
  enableAll(opened);
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  const [place, notice, left] = [find('.sealed-frame'), find('.blocked'), find('.left')];
  if (!place || !notice || !left) return;
  const { show } = createHtmlFrame(place, opened.page.frameUrl, title, (frame) => {
    followFrame(frame, notice);
    // The page asks again once the view is over, as those of other shares with a limit.
    watchNavigation(frame, left, () => location.reload());
  });
  show(standAlone(opened.content.text));
};

/** Shows an opened share in the place of the card. */
export const showShare = async (opened: OpenedShare): Promise<void> => {
  const { language, text } = opened.content;
  if (language === 'html' && text.trim() !== '') showFrame(opened);
  else await showReading(opened);
};
