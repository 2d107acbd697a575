import { Html, html } from '../../../shared/text/html.ts';
import { getLinkUrl } from '../../api/share/record/links.ts';
import { getUrl } from '../../api/share/record/share.ts';
import { siteTexts } from '../layout/texts.ts';
import { sourceAddresses } from './addresses.ts';
import { fileName, sharedFileName } from './attachment.ts';
import type { Opened } from './opened.ts';
import { sharePageTexts as texts } from './texts.ts';

/** Embeds the source as JSON, because HTML parsing would change its line breaks. */
const sourceData = (source: string): Html =>
  new Html(
    `<script type="application/json" data-source>${JSON.stringify(source).replaceAll('<', '\\u003c')}</script>\n`,
  );

const icon = (name: string): Html => html`<i class="i-${name}"></i>`;

/** Renders what can be done with a share. The script shows the buttons that don't work without it. */
const menu = ({ share, view, source, onlyFile }: Opened, title: string): Html => {
  const addresses = sourceAddresses(share.id, view);
  const raw = addresses.raw(onlyFile);
  const isMarkdown = share.language === 'markdown';
  const name =
    onlyFile === undefined ? fileName(title, isMarkdown ? 'md' : 'html') : sharedFileName(onlyFile);
  const download = isMarkdown && onlyFile === undefined ? texts.downloadMarkdown : texts.download;
  return html`<div popover id="actions" class="menu" role="group" aria-label="${texts.actions}">
<button type="button" data-copies-source="${raw}"${view === undefined || source !== undefined ? undefined : new Html(' data-fetches-now')} hidden>${icon('copy')}${texts.copySource}</button>
<a href="${raw}">${icon('code')}${texts.raw}</a>
<a href="${addresses.download(onlyFile)}" data-name="${name}">${icon('load')}${download}</a>
${isMarkdown ? html`<a href="${addresses.page}">${icon('doc')}${texts.downloadPage}</a>\n` : undefined}<button type="button" data-shows-qr hidden>${icon('qr')}${texts.qrCode}</button>
<button type="button" data-fills-screen aria-keyshortcuts="f" hidden>${icon('full')}${texts.fullScreen}<kbd aria-hidden="true">F</kbd></button>
<hr>
<a href="/s/${share.id}/report" rel="nofollow">${icon('flag')}${texts.report}</a>
</div>`;
};

/** Renders the bar above a share: the way home, the title, and what can be done with it. */
export const readerBar = (opened: Opened, title: string, titleTag: 'h1' | 'span'): Html => {
  const { id } = opened.share;
  const url = opened.link === undefined ? getUrl(id) : getLinkUrl(id, opened.link);
  const tag = new Html(titleTag);
  return html`<header class="reader-bar"><a class="brand" href="/"><span class="vh">${siteTexts.brand}</span></a><${tag} class="at cut" dir="auto">${title}</${tag}><div class="row end">
${opened.isOwner ? html`<a class="btn" href="/?edit=${id}">${icon('pen')}${texts.edit}</a>\n` : undefined}<button class="btn" type="button" data-copies-link="${url}" hidden>${icon('link')}<span>${texts.copyLink}</span></button>
<button class="btn ghost icon" type="button" popovertarget="actions" aria-label="${texts.more}"><i class="i-dots l"></i></button></div>
${menu(opened, title)}</header>
${opened.source === undefined ? undefined : sourceData(opened.source)}`;
};
