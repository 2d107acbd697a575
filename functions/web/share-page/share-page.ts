import { Html, html } from '../../../shared/text/html.ts';
import { requiresView } from '../../api/share/reading/access.ts';
import {
  countViewsLeft,
  type FoundShare,
  getUrl,
  type StoredShare,
} from '../../api/share/record/share.ts';
import { layout } from '../layout/layout.ts';
import { decorateHtml, toHeading } from '../layout/rendered-html.ts';
import { sandbox } from '../snippet/isolation.ts';
import { fileName } from './attachment.ts';
import { sharePageTexts as texts } from './texts.ts';

/**
 * A share that the reader can view. `view` is the token of a consumed view; `source` is included then because the token
 * expires soon.
 */
export interface Opened extends FoundShare {
  readonly author: string;
  readonly view: string | undefined;
  readonly source: string | undefined;
}

// Created on first use: loading a locale takes a tenth of a cold start.
let day: Intl.DateTimeFormat | undefined;
let minute: Intl.DateTimeFormat | undefined;

const time = (at: string, text: string): Html => html`<time datetime="${at}">${text}</time>`;

const formatDay = (at: string): Html => {
  day ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return time(at, day.format(Date.parse(at)));
};

const formatMinute = (at: string): Html => {
  minute ??= new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return time(at, `${minute.format(Date.parse(at))} UTC`);
};

/** Renders the metadata for link previews. Only for shares that anyone can open any number of times. */
const previewTags = (share: StoredShare, title: string, author: string): Html => {
  const description = share.description ?? texts.sharedBy(author);
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${getUrl(share.id)}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Handbill">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${getUrl(share.id)}">
<meta property="article:published_time" content="${share.createdAt}">
<meta name="twitter:card" content="summary">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">
`;
};

const facts = (opened: Opened): Html => {
  const { share, author } = opened;
  const left = countViewsLeft(opened);
  return html`<ul class="facts">
<li>${texts.by} <bdi>${author}</bdi></li>
<li>${formatDay(share.createdAt)}</li>
${share.updatedAt === share.createdAt ? undefined : html`<li>${texts.edited} ${formatDay(share.updatedAt)}</li>\n`}${left === null ? undefined : html`<li>${texts.viewsLeft(left)}</li>\n`}${share.expiresAt && html`<li>${texts.ends} ${formatMinute(share.expiresAt)}</li>\n`}</ul>`;
};

/** Renders the actions. The script shows the buttons, which don't work without it. */
const actions = ({ share, view, source }: Opened, title: string): Html => {
  const raw = `/s/${share.id}/raw`;
  const query = view === undefined ? '' : `?view=${view}`;
  const download = `${raw}${query === '' ? '?' : `${query}&`}download`;
  const extension = share.language === 'html' ? 'html' : 'md';
  return html`<div class="actions" role="group" aria-label="${texts.actions}">
<button class="quiet" type="button" data-copies-link="${getUrl(share.id)}" hidden>${texts.copyLink}</button>
<button class="quiet" type="button" data-copies-source="${raw}${query}"${view === undefined || source !== undefined ? undefined : new Html(' data-fetches-now')} hidden>${texts.copySource}</button>
<a class="button quiet" href="${raw}${query}">${texts.raw}</a>
<a class="button quiet" href="${download}" data-name="${fileName(title, extension)}">${texts.download}</a>
${share.language === 'html' ? html`<button class="quiet" type="button" data-fills-screen hidden>${texts.fullScreen}</button>\n` : undefined}<span class="visually-hidden" role="status"></span>
${source === undefined ? undefined : sourceData(source)}</div>`;
};

/** Embeds the source as JSON, because HTML parsing would change its line breaks. */
const sourceData = (source: string): Html =>
  new Html(
    `<script type="application/json" data-source>${JSON.stringify(source).replaceAll('<', '\\u003c')}</script>\n`,
  );

/** Renders the note that the content is a user's, outside of the content. */
const origin = (id: string): Html =>
  html`<span>${texts.madeByUser}</span> <a href="/s/${id}/report" rel="nofollow">${texts.report}</a>`;

const pageHead = (opened: Opened, title: string): { readonly head?: Html } =>
  requiresView(opened.share) ? {} : { head: previewTags(opened.share, title, opened.author) };

const shareHeader = (opened: Opened, title: string, shownTitle: string | undefined): Html =>
  html`<header class="share">
${shownTitle === undefined ? undefined : html`<h1 dir="auto">${shownTitle}</h1>\n`}${opened.share.description && html`<p dir="auto">${opened.share.description}</p>\n`}<div class="about">${facts(opened)}
${actions(opened, title)}</div>
</header>
`;

/** Renders the page of a Markdown share. `rendered` was sanitized when it was stored. */
export const markdownPage = (opened: Opened, rendered: string): string => {
  const { share } = opened;
  const heading = toHeading(rendered);
  const title = share.title ?? heading ?? texts.untitled;
  return layout({
    title,
    kind: 'reading',
    styles: ['prose.css', 'share.css'],
    script: 'share.js',
    isReadable: true,
    ...pageHead(opened, title),
    // Content that starts with its title needs no second heading.
    main: html`${shareHeader(opened, title, title === heading ? undefined : title)}<main id="main" class="prose" dir="auto">${new Html(decorateHtml(rendered))}</main>`,
    footer: html`<footer>${origin(share.id)} <a class="powered" href="/">${texts.poweredBy}</a></footer>\n`,
  });
};

/** Renders the page of an HTML share, which frames its content from the snippets host. */
export const framePage = (opened: Opened, frameUrl: string): string => {
  const { share } = opened;
  const title = share.title ?? texts.untitled;
  return layout({
    title,
    kind: 'framing',
    styles: ['share.css'],
    script: 'share.js',
    isReadable: true,
    ...pageHead(opened, title),
    main: html`${shareHeader(opened, title, title)}<main id="main">
<details class="blocked" hidden><summary></summary><p>${texts.blockedWhy}</p><ul></ul></details>
<div class="stage"><iframe title="${title}" src="${frameUrl}" sandbox="${sandbox}" referrerpolicy="no-referrer"></iframe>
<p class="origin">${origin(share.id)} <a class="powered" href="/">${texts.poweredBy}</a></p></div>
</main>`,
  });
};
