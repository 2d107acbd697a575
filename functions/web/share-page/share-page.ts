import { pickFile } from '../../../shared/markdown/files/file-blocks.ts';
import { decodeText } from '../../../shared/markdown/page/decode-text.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { AdmittedShare } from '../../api/share/reading/admission.ts';
import { getUrl } from '../../api/share/record/share.ts';
import type { ScriptName, StyleName } from '../layout/asset.ts';
import { document } from '../layout/document.ts';
import { linkCard } from '../layout/link-card.ts';
import { hasDiagram, toOnlyFile } from '../layout/rendered-html.ts';
import { mainId } from './article.ts';
import { diagramUrl, snippetFrame, toShareArticle } from './content.ts';
import { toFileArticle } from './file-article.ts';
import { liveMarks } from './live/state.ts';
import { badges, byline, dates } from './markup/byline.ts';
import { origin } from './markup/origin.ts';
import { describeOpened, type Opened } from './opened.ts';
import { readerBar } from './reader-bar.ts';
import { sharePageTexts as texts } from './texts.ts';

/** Renders the metadata for link previews. Only for shares that anyone can open any number of times. */
const previewTags = ({ share, addressName, author }: Opened, title: string): Html => {
  const description = share.description ?? texts.sharedBy(author);
  const url = getUrl(addressName);
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Handbill">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="article:author" content="${author}">
<meta property="article:published_time" content="${share.createdAt}">
${linkCard()}`;
};

/** Renders a page of a share, which can be read without its script. */
export const sharePage = (
  opened: Opened,
  title: string,
  kind: string,
  body: Html,
  script: ScriptName,
  styles: readonly StyleName[] = [],
): string =>
  document({
    title,
    theme: opened.theme,
    kind,
    styles: [
      'share.css',
      ...styles,
      ...(opened.ownId !== undefined || opened.isPreview ? (['own.css'] as const) : []),
    ],
    scripts: [script],
    contentId: mainId,
    isReadable: true,
    ...(opened.view === undefined && { head: previewTags(opened, title) }),
    body: html`${body}
<div class="toasts" role="status"></div>`,
  });

/** Renders the page of a Markdown share. `rendered` was sanitized when it was stored. */
const markdownPage = (opened: Opened, rendered: string): string => {
  const { share, addressId, sourceView, link, filesPrefix, theme, file } = opened;
  const reader = { addressId, view: sourceView, link, filesPrefix, theme };
  const article = file ? toFileArticle(opened, file) : toShareArticle(share, reader, rendered);
  const { title, heading, body, contents, minutes, styles } = article;
  const isDrawn = hasDiagram(rendered);
  return sharePage(
    opened,
    title,
    'reading',
    html`${readerBar(opened, title, 'span')}<main id="${mainId}" class="reader"${opened.live}>
<header>${heading}
${share.description && html`<p class="lead" dir="auto">${share.description}</p>\n`}${byline(describeOpened(opened), minutes)}</header>
${contents}<div class="prose" dir="auto"${isDrawn ? html` data-diagrams="${diagramUrl()}"` : undefined}>${body}</div>
</main>
<footer class="colophon"><div>${origin(addressId)}</div></footer>`,
    isDrawn ? 'share-diagrams.js' : 'share.js',
    styles,
  );
};

/** A longer description takes one line until it is opened. Code units. */
const maxStripLength = 100;

const strip = (description: string): Html =>
  description.length > maxStripLength
    ? html`<details class="strip"><summary dir="auto"><i class="i-right"></i>${description}</summary></details>\n`
    : html`<p class="strip" dir="auto">${description}</p>\n`;

/** Renders the page of an HTML share, which frames its content from the snippets host. */
const framePage = (opened: Opened): string => {
  const { share, author } = opened;
  const title = share.title ?? texts.untitled;
  return sharePage(
    opened,
    title,
    'framing',
    html`${readerBar(opened, title, 'h1')}<main id="${mainId}"${opened.live}>
${share.description && strip(share.description)}<div role="status"><details class="strip blocked" hidden><summary><i class="i-right"></i><span></span></summary><p>${texts.blockedWhy}</p><ul></ul></details>
<p class="strip offer" hidden><span></span> <button class="btn sm" type="button">${texts.saveFile}</button></p></div>
<div class="stage">${snippetFrame(opened, title)}
<div class="left" role="alert" hidden><h2>${texts.left}</h2><p>${texts.leftWhy}</p><button class="btn" type="button">${texts.reload}</button></div>
<div class="origin"><span>${texts.by} <bdi>${author}</bdi> · ${dates(share)}</span>${badges(describeOpened(opened))}${origin(opened.addressId)}</div></div>
</main>`,
    'share-frame.js',
  );
};

/** What the page of a share shows besides the share. */
interface Shown
  extends Pick<
    Opened,
    'readers' | 'isPreview' | 'isShared' | 'view' | 'filesPrefix' | 'file' | 'endToken' | 'theme'
  > {
  /** The text of Markdown as it was stored. */
  readonly rendered: string | undefined;
  /** What is included because the view token expires soon. */
  readonly source: string | undefined;
}

/** Returns the token in the addresses of the source: of a file, one that is valid for longer. */
const getSourceView = ({
  view,
  file,
  filesPrefix,
}: Pick<Shown, 'view' | 'file' | 'filesPrefix'>) =>
  file && view !== undefined ? filesPrefix : view;

/** Renders the page of a share that its reader was admitted to. */
export const renderShare = (
  admitted: AdmittedShare,
  { rendered, source, ...shown }: Shown,
): string => {
  const { share, access, addressId, author, link, isOwner } = admitted;
  const markupName = rendered === undefined ? undefined : toOnlyFile(rendered);
  const onlyFile =
    shown.file?.path ?? (markupName === undefined ? undefined : decodeText(markupName));
  const ofFile = source && onlyFile && pickFile(source, onlyFile)?.text;
  const opened = {
    ...{ share, access, addressId, author, link, onlyFile },
    addressName: link ?? share.slug ?? share.id,
    ...shown,
    ownId: isOwner && !shown.isPreview ? share.id : undefined,
    live: liveMarks(admitted),
    sourceView: isOwner || admitted.reading === 'reader' ? undefined : getSourceView(shown),
    source: ofFile ?? source,
  };
  return rendered === undefined ? framePage(opened) : markdownPage(opened, rendered);
};
