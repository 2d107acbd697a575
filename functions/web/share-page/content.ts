import { decodeText } from '../../../shared/markdown/page/decode-text.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
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
  readonly theme?: Theme | undefined;
}

/** Reads the rendered page of a Markdown share, whose files link to their source. */
export const toShareArticle = (
  share: Omit<StoredShare, 'id'>,
  { addressId, view, link, theme }: TextReader,
  rendered: string,
): Article => {
  const { raw } = sourceAddresses(addressId, view);
  return toArticle(rendered, getTitle(share), {
    toUrl: (name) => html`${raw(decodeText(name))}`.markup,
    opensTabs: requiresView(share, link),
    theme,
  });
};

/** Renders the frame of an HTML share, with its content from the snippets host. A limited share needs `view`. */
export const snippetFrame = (addressId: string, view: string | undefined, title: string): Html => {
  const query = view === undefined ? '' : `?view=${view}`;
  const url = `${getSetting('SNIPPETS_URL')}/${addressId}${query}`;
  return html`<iframe title="${title}" src="${url}" sandbox="${sandbox}" referrerpolicy="no-referrer"></iframe>`;
};

/** Returns the address of the frame that draws a diagram. It says nothing about the share. */
export const diagramUrl = (): string => `${getSetting('SNIPPETS_URL')}/diagram`;
