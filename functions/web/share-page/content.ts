import { decodeText } from '../../../shared/markdown/page/decode-text.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { StoredShare } from '../../api/share/record/share.ts';
import { sandbox } from '../browser/preview/sandbox.ts';
import { sourceAddresses } from './addresses.ts';
import { type Article, toArticle } from './article.ts';

/** Reads the rendered page of a Markdown share, whose files link to their source. A limited share needs `view`. */
export const toShareArticle = (
  { id, title }: StoredShare,
  view: string | undefined,
  rendered: string,
): Article => {
  const { raw } = sourceAddresses(id, view);
  return toArticle(rendered, title, (name) => html`${raw(decodeText(name))}`.markup);
};

/** Renders the frame of an HTML share, with its content from the snippets host. A limited share needs `view`. */
export const snippetFrame = (
  { id }: StoredShare,
  view: string | undefined,
  title: string,
): Html => {
  const query = view === undefined ? '' : `?view=${view}`;
  const url = `${getSetting('SNIPPETS_URL')}/${id}${query}`;
  return html`<iframe title="${title}" src="${url}" sandbox="${sandbox}" referrerpolicy="no-referrer"></iframe>`;
};

/** Returns the address of the frame that draws a diagram. It says nothing about the share. */
export const diagramUrl = (): string => `${getSetting('SNIPPETS_URL')}/diagram`;
