import { getSetting } from '../../../shared/runtime/settings.ts';
import { encodePath } from '../../../shared/share-files/addresses.ts';
import { formatBytes } from '../../../shared/text/format-bytes.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { ManifestFile } from '../../api/share/files/manifest.ts';
import type { AdmittedShare } from '../../api/share/reading/admission.ts';
import { getTitle, type StoredShare } from '../../api/share/record/share.ts';
import { sourceAddresses } from './addresses.ts';
import type { Article } from './article.ts';
import { sharePageTexts as texts } from './texts.ts';

/**
 * Reads which file is all of a share, if it is no text: a picture, PDF or another file (decisions.md#kinds).
 * @throws AppError as `readManifest`
 */
export const readSingleFile = async (
  admitted: AdmittedShare,
): Promise<ManifestFile | undefined> => {
  if (!admitted.share.files?.only) return undefined;
  const manifest = await admitted.readManifest();
  return manifest?.files.find(({ path }) => path === manifest.main);
};

/** Whether a browser shows a file as a picture. */
export const isPicture = ({ type }: ManifestFile): boolean => type.startsWith('image/');

/** Whether a picture has no size of its own. */
const isVector = ({ type }: ManifestFile): boolean => type === 'image/svg+xml';

/** Where the script of the page says how large a picture is. */
const dimensions = html`<span data-dimensions></span>`;

/** How a file is reached. */
interface FileAddress {
  readonly share: Pick<StoredShare, 'title' | 'contentTitle'>;
  readonly addressId: string;
  /** The token in the address of its source, which a limited share needs. */
  readonly sourceView?: string | undefined;
  /** What the address of its bytes begins with on the host of snippets. */
  readonly filesPrefix: string | undefined;
}

/** Renders a picture, which its reader sees in full size by a click or key. A frame of no script and `<img>` run nothing in it. */
const picture = (url: string, title: string, about: Html): Html =>
  html`<div class="picture"><details><summary title="${texts.fullSize}"><img src="${url}" alt="${title}"></summary></details>
<p class="about">${about}</p></div>`;

/** Renders a file that browsers don’t show on a page of another origin, or in a sandbox. */
const card = (download: string, { path, size, type }: ManifestFile): Html => {
  const [, ending = ''] = /\.([^./]{1,8})$/.exec(path) ?? [];
  const kind = type === 'application/pdf' ? 'PDF' : ending.toUpperCase();
  return html`<div class="file-card"><i class="i-doc"></i><p><b class="cut" dir="auto">${path}</b><span>${kind === '' ? undefined : `${kind} · `}${formatBytes(size)}</span></p><a class="btn primary" href="${download}">${texts.download}</a></div>`;
};

/** Shows a file that is all of a share: a picture, or a card to download it. */
export const toFileArticle = (
  { share, addressId, sourceView, filesPrefix }: FileAddress,
  file: ManifestFile,
): Article => {
  const title = getTitle(share) ?? file.path;
  const url = `${getSetting('SNIPPETS_URL')}/${filesPrefix}/${encodePath(file.path)}`;
  const name = file.path === title ? '' : `${file.path} · `;
  const body = isPicture(file)
    ? picture(
        url,
        title,
        html`${name}${formatBytes(file.size)}${isVector(file) ? undefined : dimensions}`,
      )
    : card(sourceAddresses(addressId, sourceView).download(file.path), file);
  const heading = html`<h1 class="title" dir="auto">${title}</h1>`;
  return { title, heading, body, contents: undefined, minutes: undefined, styles: ['kinds.css'] };
};
