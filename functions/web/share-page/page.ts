import type { Admission } from '../../api/share/reading/admission.ts';
import { issueEndToken } from '../../api/share/reading/end-token.ts';
import { issueFilesPrefix, issuePageToken } from '../../api/share/reading/open.ts';
import { hasDiagram } from '../layout/rendered-html.ts';
import type { Theme } from '../layout/theme.ts';
import { readSingleFile } from './file-article.ts';
import { openPage } from './gates/open-page.ts';
import { sealedPage } from './gates/sealed-page.ts';
import { isLastView } from './own/own-bar.ts';
import { describeReaders } from './own/readers-text.ts';
import { veiledPage } from './own/veiled-page.ts';
import { renderShare } from './share-page.ts';

/** What the page of a share depends on besides the share. */
interface Shown {
  readonly theme: Theme | undefined;
  /** Whether the script of the page finds out who reads it: where everyone gets the page, or the session is unknown. */
  readonly asksFirst: boolean;
  /** Whether the owner asks for the page of readers. */
  readonly isPreview?: boolean;
}

/** A page, and what it has of the snippets host. */
export interface Page {
  readonly html: string;
  readonly hasFrames: boolean;
  /** Whether its script reads files of the share. */
  readonly readsFiles?: boolean;
}

/** Composes the page of a share: what its reader can read, or the form that opens it; of a sealed one, that of its script. */
export const composePage = async (
  admission: Admission,
  { theme, asksFirst, isPreview: asksForPreview = false }: Shown,
): Promise<Page> => {
  if (admission.share.sealed) {
    return {
      html: sealedPage(admission, theme, asksFirst),
      hasFrames: true,
      readsFiles: true,
    };
  }
  if (admission.reading === undefined) {
    return { html: openPage(admission, theme, { asksFirst }), hasFrames: false };
  }
  const isPreview = admission.reading === 'own' && asksForPreview;
  const isOwnPage = admission.reading === 'own' && !isPreview;
  if (isOwnPage && isLastView(admission)) {
    return { html: veiledPage(admission, theme), hasFrames: false };
  }
  const view = await issuePageToken(admission);
  const file = await readSingleFile(admission);
  const [rendered, source, endToken, readers, filesPrefix] = await Promise.all([
    admission.share.language === 'markdown' ? admission.readText('page') : undefined,
    // Where the session is enough, the source can be had however late.
    admission.reading === 'counted' && !file ? admission.inlineSource() : undefined,
    isOwnPage ? undefined : issueEndToken(admission),
    isOwnPage ? describeReaders(admission.share) : undefined,
    issueFilesPrefix(admission),
  ]);
  const shown = { theme, isPreview, isShared: asksFirst && admission.reading === 'free' };
  return {
    html: renderShare(admission, {
      ...shown,
      ...{ view, filesPrefix, file, rendered, source, endToken, readers },
    }),
    hasFrames: rendered === undefined || hasDiagram(rendered),
  };
};
