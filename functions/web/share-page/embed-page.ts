import { type Html, html } from '../../../shared/text/html.ts';
import type { ManifestFile } from '../../api/share/files/manifest.ts';
import type { AdmittedShare, LockedShare } from '../../api/share/reading/admission.ts';
import { getUrl } from '../../api/share/record/share.ts';
import type { StyleName } from '../layout/asset.ts';
import { document } from '../layout/document.ts';
import { siteTexts } from '../layout/texts.ts';
import { mainId } from './article.ts';
import { snippetFrame, toShareArticle } from './content.ts';
import { toFileArticle } from './file-article.ts';
import { gateTexts } from './gates/texts.ts';
import { sharePageTexts as texts } from './texts.ts';

/** Links open outside of the frame, also those of the content. */
const head = html`<base target="_blank">\n`;

/** Renders a page for the frames of other sites, without a script. */
const embed = (title: string, body: Html, styles: readonly StyleName[] = []): string =>
  document({
    title,
    theme: undefined,
    kind: 'embed',
    styles: ['share.css', ...styles],
    scripts: [],
    contentId: mainId,
    head,
    body,
  });

/** Renders whose share it is, and the ways to its page and to a report. */
const colophon = ({ share: { id, slug }, author }: AdmittedShare, title: string): Html =>
  html`<footer class="embed-bar"><a class="cut" href="${getUrl(slug ?? id)}" dir="auto">${title}</a><span>${texts.by} <bdi>${author}</bdi></span><a class="end" href="/s/${id}/report" rel="nofollow">${texts.report}</a><a href="/">${siteTexts.brand}</a></footer>`;

/** Renders the content of a share. `rendered` is the sanitized page of Markdown, and `file` what is all of the share. */
export const embedPage = (
  admitted: AdmittedShare,
  rendered: string | undefined,
  file: ManifestFile | undefined,
): string => {
  const { share } = admitted;
  if (rendered === undefined) {
    const title = share.title ?? texts.untitled;
    return embed(
      title,
      html`<main id="${mainId}" class="stage"><h1 class="vh" dir="auto">${title}</h1>${snippetFrame({ share, addressId: share.id, filesPrefix: share.id }, title)}</main>
${colophon(admitted, title)}`,
    );
  }
  const addressId = share.id;
  const { title, heading, body, styles } = file
    ? toFileArticle({ share, addressId, filesPrefix: addressId }, file)
    : toShareArticle(share, { addressId, filesPrefix: addressId }, rendered);
  return embed(
    title,
    html`<main id="${mainId}" class="reader"><header>${heading}</header><div class="prose" dir="auto">${body}</div></main>
${colophon(admitted, title)}`,
    styles,
  );
};

/** Renders a notice in the place of a share. `id` is that of a share that can be reported. */
export const noticeEmbed = (
  title: string,
  text: string,
  { action, id }: { readonly action?: Html; readonly id?: string } = {},
): string =>
  embed(
    title,
    html`<main id="${mainId}" class="left"><h1>${title}</h1><p>${text}</p>${action}</main>
<footer class="embed-bar">${id === undefined ? undefined : html`<a href="/s/${id}/report" rel="nofollow">${texts.report}</a>`}<a class="end" href="/">${siteTexts.brand}</a></footer>`,
  );

const openLink = (id: string): Html =>
  html`<a class="btn primary" href="${getUrl(id)}">${gateTexts.open}</a>`;

/** Renders the way to a share that isn’t open to all: on its own page, its reader can sign in. It reveals nothing of it. */
export const signInEmbed = (id: string): string =>
  noticeEmbed(gateTexts.signInFirst, texts.embedRestricted, { action: openLink(id) });

/** Renders the way to a share that has to be opened on its own page. It reveals nothing about the share. */
export const lockedEmbed = ({ share: { id } }: LockedShare): string =>
  noticeEmbed(gateTexts.openHeading, texts.embedLocked, {
    action: openLink(id),
    id,
  });
