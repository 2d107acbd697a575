import { placeOwnFiles } from '../../../shared/markdown/links-and-images/place-own-files.ts';
import { decodeText } from '../../../shared/markdown/page/decode-text.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { encodePath } from '../../../shared/share-files/addresses.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import { requiresView } from '../../api/share/reading/access.ts';
import { getTitle, type StoredShare } from '../../api/share/record/share.ts';
import { sandbox } from '../browser/preview/sandbox.ts';
import type { Theme } from '../layout/theme.ts';
import { sourceAddresses } from './addresses.ts';
import { type Article, toArticle } from './article.ts';

/** Who reads the text of a share. */
interface TextReader {
  readonly addressId: string;
  /** The token in the addresses of the source, which a limited share needs. */
  readonly view?: string | undefined;
  /** The id of the recipient link that it was opened by. */
  readonly link?: string | undefined;
  /** What the addresses of its files begin with, if it has any. */
  readonly filesPrefix?: string | undefined;
  readonly theme?: Theme | undefined;
}

/** Returns the URL below which the snippets host has files of shares. */
const getFilesUrl = (prefix: string): string => `${getSetting('SNIPPETS_URL')}/${prefix}/`;

/** Reads the rendered page of a Markdown share, whose files link to their source. */
export const toShareArticle = (
  share: Omit<StoredShare, 'id'>,
  { addressId, view, link, filesPrefix, theme }: TextReader,
  rendered: string,
): Article => {
  const { raw } = sourceAddresses(addressId, view);
  const placed =
    filesPrefix === undefined ? rendered : placeOwnFiles(rendered, getFilesUrl(filesPrefix));
  return toArticle(placed, getTitle(share), {
    toUrl: (name) => html`${raw(decodeText(name))}`.markup,
    opensTabs: requiresView(share, link),
    theme,
  });
};

/** An HTML share whose content is framed. */
interface Framed {
  readonly share: Pick<StoredShare, 'files'>;
  readonly addressId: string;
  /** The token in the address, which a limited share needs. */
  readonly view?: string | undefined;
  /** What the addresses of its files begin with, if it has files: its main page is one of them. */
  readonly filesPrefix: string | undefined;
}

/** Returns where the snippets host has the main page of a share. */
const getFrameUrl = ({ share: { files }, addressId, view, filesPrefix }: Framed): string => {
  if (files && filesPrefix !== undefined) {
    return `${getFilesUrl(filesPrefix)}${encodePath(files.main)}`;
  }
  return `${getSetting('SNIPPETS_URL')}/${addressId}${view === undefined ? '' : `?view=${view}`}`;
};

/** Renders the frame of an HTML share, with its content from the snippets host. */
export const snippetFrame = (framed: Framed, title: string): Html => {
  const url = getFrameUrl(framed);
  return html`<iframe title="${title}" src="${url}" sandbox="${sandbox}" referrerpolicy="no-referrer"></iframe>`;
};

/** Returns the address of the frame that draws a diagram. It says nothing about the share. */
export const diagramUrl = (): string => `${getSetting('SNIPPETS_URL')}/diagram`;
