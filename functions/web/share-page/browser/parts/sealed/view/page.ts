import { Html, html } from '../../../../../../../shared/text/html.ts';
import { joinLink } from '../../../../../browser/sealed/link.ts';
import { type Article, mainId } from '../../../../article.ts';
import { bar, endEntry, icon, reportEntry, viewEntries } from '../../../../markup/bar.ts';
import { badges, byline, type Described, dates } from '../../../../markup/byline.ts';
import { origin } from '../../../../markup/origin.ts';
import { ownFrame } from '../../../../own/own-frame.ts';
import { ownTexts } from '../../../../own/texts.ts';
import { sharePageTexts } from '../../../../texts.ts';
import type { OpenedShare } from '../opening.ts';
import { sealedTexts as texts } from '../texts.ts';
import { fileList } from './file-list.ts';

/** Returns the stored title: a title in the content is as secret as that, and the history keeps titles. */
export const getPageTitle = ({ share }: OpenedShare): string => share.title ?? texts.untitled;

const describe = ({ share, page }: OpenedShare): Described => ({
  ...share,
  author: share.author ?? page.author ?? '',
  expiry: share.expiresAt,
  isSealed: true,
});

const entries = ({ page, share, content }: OpenedShare): Html => {
  const ofText =
    content.text === ''
      ? undefined
      : html`<button type="button" data-copies-source hidden>${icon('copy')}${sharePageTexts.copySource}</button>
<button type="button" data-saves-source>${icon('load')}${texts.downloadSource}</button>
`;
  // After the last view, there is nothing to end.
  const canEnd = share.endToken !== undefined && share.viewsLeft !== 0;
  const ending = canEnd ? endEntry(page.id, share.endToken) : undefined;
  return html`${ofText}${viewEntries}<hr>\n${ending}${reportEntry(page.id)}`;
};

/** Renders the bar, and what only the owner sees. */
const top = (opened: OpenedShare, titleTag: 'h1' | 'span'): Html => {
  const { page, share, fragment } = opened;
  const title = getPageTitle(opened);
  const link = joinLink(share.url, fragment);
  const about = `${ownTexts.visits} · ${ownTexts.views(share.views)}`;
  const editUrl = joinLink(`/?edit=${share.id}`, fragment);
  const own = page.ownId === undefined ? undefined : ownFrame(about, { id: share.id, editUrl });
  return html`${bar({ title, titleTag, link, entries: entries(opened) })}${own}`;
};

/** Where is said what happens, which has to be there before. */
const places = html`<p class="vh" role="status" id="Opened"></p>
<div class="toasts" role="status"></div>`;

/** Renders the page of Markdown, or of files alone. */
export const readingPage = (opened: OpenedShare, article: Article): Html => {
  const { share, page, content } = opened;
  const { heading, contents, body, minutes } = article;
  const files = fileList(content.files);
  const list =
    files && html`<section class="sealed-files"><h2>${texts.files}</h2>${files}</section>\n`;
  return html`${top(opened, 'span')}<main id="${mainId}" class="reader" tabindex="-1">
<header>${heading}
${share.description ? html`<p class="lead" dir="auto">${share.description}</p>\n` : undefined}${byline(describe(opened), minutes)}${list}</header>
${contents}<div class="prose" dir="auto">${body}</div>
</main>
<footer class="colophon"><div>${origin(page.id)}</div></footer>
${places}`;
};

/** Renders the page of HTML, around the place of its frame. */
export const framePage = (opened: OpenedShare): Html => {
  const { share, page, content } = opened;
  const described = describe(opened);
  const files = fileList(content.files);
  const { blockedWhy, saveFile, left, leftWhy, reload, by } = sharePageTexts;
  return html`${top(opened, 'h1')}<main id="${mainId}" tabindex="-1">
${share.description ? html`<p class="strip" dir="auto">${share.description}</p>\n` : undefined}${files && html`<details class="strip"><summary>${icon('right')}${texts.filesAbove(content.files.length)}</summary>${files}</details>\n`}<div role="status"><details class="strip blocked" hidden><summary>${icon('right')}<span></span></summary><p>${blockedWhy}</p><ul></ul></details>
<p class="strip offer" hidden><span></span> <button class="btn sm" type="button">${saveFile}</button></p></div>
<div class="stage"><div class="sealed-frame"></div>
<div class="left" role="alert" hidden><h2>${left}</h2><p>${leftWhy}</p><button class="btn" type="button">${reload}</button></div>
<div class="origin"><span>${by} <bdi>${described.author}</bdi> · ${dates(described)}</span>${badges(described)}${origin(page.id)}</div></div>
</main>
${places}`;
};

/** Renders Markdown that can’t be converted, as it was written. */
export const sourceArticle = (title: string, text: string): Article => ({
  title,
  heading: html`<h1 class="title" dir="auto">${title}</h1>`,
  body: html`<p class="hint">${texts.asSource}</p><pre class="sealed-source" tabindex="0"><code>${new Html('\n')}${text}</code></pre>`,
  contents: undefined,
  minutes: undefined,
  styles: [],
});
