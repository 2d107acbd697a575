import { Html, html } from '../../../shared/text/html.ts';
import { areVisibleToReaders } from '../../api/share/reading/access.ts';
import { isOpenToAll } from '../../api/share/record/audience.ts';
import { getUrl } from '../../api/share/record/share.ts';
import { embedLine } from '../layout/embed-line.ts';
import { sourceAddresses } from './addresses.ts';
import { isPicture } from './file-article.ts';
import { fileName, sharedFileName } from './file-name.ts';
import { bar, endEntry, icon, reportEntry, viewEntries } from './markup/bar.ts';
import type { Opened } from './opened.ts';
import { ownBar, previewNote } from './own/own-bar.ts';
import { sharePageTexts as texts } from './texts.ts';

/** Embeds the source as JSON, because HTML parsing would change its line breaks. */
const sourceData = (source: string): Html =>
  new Html(
    `<script type="application/json" data-source>${JSON.stringify(source).replaceAll('<', '\\u003c')}</script>\n`,
  );

/** Renders the entry of the menu that copies the line to embed the share, for its owner. */
const embedding = (
  { share, link, ownId, addressName }: Opened,
  title: string,
): Html | undefined => {
  if (ownId === undefined || link !== undefined) return undefined;
  if (!share.embedOrigins || !isOpenToAll(share)) return undefined;
  const line = embedLine(getUrl(addressName), title);
  return html`<button type="button" data-copies-embed="${line}" hidden>${icon('code')}${texts.copyEmbed}</button>\n`;
};

/** Renders the entry of the menu by which a reader ends the share, if the owner allows it. */
const ending = ({ share, addressId, ownId, endToken }: Opened): Html | undefined => {
  if (ownId !== undefined || !share.readersCanEnd) return undefined;
  return endEntry(addressId, endToken);
};

/** Renders the entry of the menu that leads to the revisions, for those who can see them. A recipient link has none. */
const revisions = ({ share, addressId, link, ownId }: Opened): Html | undefined => {
  const canSee = link === undefined && (ownId !== undefined || areVisibleToReaders(share));
  if (!share.hasRevisions || !canSee) return undefined;
  return html`<a href="/s/${addressId}/revisions" rel="nofollow">${icon('clock')}${texts.revisions}</a>\n`;
};

/** Renders what can be done with a share. */
const menu = (opened: Opened, title: string): Html => {
  const { share, addressId, sourceView, source, file, onlyFile } = opened;
  const addresses = sourceAddresses(addressId, sourceView);
  const raw = addresses.raw(onlyFile);
  const isMarkdown = share.language === 'markdown';
  const name =
    onlyFile === undefined ? fileName(title, isMarkdown ? 'md' : 'html') : sharedFileName(onlyFile);
  const download = isMarkdown && onlyFile === undefined ? texts.downloadMarkdown : texts.download;
  return html`${file ? undefined : html`<button type="button" data-copies-source="${raw}"${sourceView === undefined || source !== undefined ? undefined : new Html(' data-fetches-now')} hidden>${icon('copy')}${texts.copySource}</button>\n`}${file && !isPicture(file) ? undefined : html`<a href="${raw}">${icon('code')}${texts.raw}</a>\n`}<a href="${addresses.download(onlyFile)}" data-name="${name}">${icon('load')}${download}</a>
${isMarkdown && !file ? html`<a href="${addresses.page}">${icon('doc')}${texts.downloadPage}</a>\n` : undefined}${viewEntries}${revisions(opened)}${embedding(opened, title)}<hr>
${ending(opened)}${reportEntry(addressId)}`;
};

/** Renders what only the owner sees below the bar. */
const ofOwner = (opened: Opened): Html | undefined => {
  const { isPreview, ownId, addressName } = opened;
  if (isPreview) return previewNote(addressName);
  return ownId === undefined ? undefined : ownBar(opened, ownId);
};

/** Renders the bar above a share. */
export const readerBar = (opened: Opened, title: string, titleTag: 'h1' | 'span'): Html => {
  const { addressId, addressName, isShared, source } = opened;
  const attributes = isShared ? html` data-counts="/s/${addressId}/view"` : undefined;
  const link = getUrl(addressName);
  return html`${bar({ title, titleTag, link, entries: menu(opened, title), attributes })}${ofOwner(opened)}${source === undefined ? undefined : sourceData(source)}`;
};
