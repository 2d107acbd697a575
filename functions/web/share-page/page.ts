import type { Admission } from '../../api/share/reading/admission.ts';
import { issueEndToken } from '../../api/share/reading/end-token.ts';
import { issuePageToken } from '../../api/share/reading/open.ts';
import { hasDiagram } from '../layout/rendered-html.ts';
import type { Theme } from '../layout/theme.ts';
import { renderShare } from './share-page.ts';
import { openPage } from './simple-pages.ts';

/** What the page of a share depends on besides the share. */
interface Shown {
  readonly theme: Theme | undefined;
  /** Whether the script of the page finds out who reads it: where everyone gets the page, or the session is unknown. */
  readonly asksFirst: boolean;
}

/** A page, and whether it has frames of the snippets host. */
export interface Page {
  readonly html: string;
  readonly hasFrames: boolean;
}

/** Composes the page of a share: what its reader can read, or the form that opens it. */
export const composePage = async (
  admission: Admission,
  { theme, asksFirst }: Shown,
): Promise<Page> => {
  if (admission.reading === undefined) {
    return { html: openPage(admission, theme, { asksFirst }), hasFrames: false };
  }
  const view = await issuePageToken(admission);
  const [rendered, source, endToken] = await Promise.all([
    admission.share.language === 'markdown' ? admission.readText('page') : undefined,
    view === undefined ? undefined : admission.inlineSource(),
    issueEndToken(admission),
  ]);
  const isShared = asksFirst && admission.reading === 'free';
  return {
    html: renderShare(admission, { theme, isShared, view, rendered, source, endToken }),
    hasFrames: rendered === undefined || hasDiagram(rendered),
  };
};
