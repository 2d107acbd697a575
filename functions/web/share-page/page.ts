import type { Admission } from '../../api/share/reading/admission.ts';
import { issueEndToken } from '../../api/share/reading/end-token.ts';
import type { Theme } from '../layout/theme.ts';
import { renderShare } from './share-page.ts';
import { openPage } from './simple-pages.ts';

/** What the page of a share depends on besides the share. */
interface Shown {
  readonly theme: Theme | undefined;
  /** Whether everyone gets this page. */
  readonly isShared: boolean;
}

/** Composes the page of a share: what its reader can read, or the form that opens it. */
export const composePage = async (
  admission: Admission,
  { theme, isShared }: Shown,
): Promise<string> => {
  if (admission.reading === undefined) return openPage(admission, theme);
  const isCounted = admission.reading === 'counted';
  const [rendered, source, endToken] = await Promise.all([
    admission.share.language === 'markdown' ? admission.readText('page') : undefined,
    isCounted ? admission.inlineSource() : undefined,
    issueEndToken(admission),
  ]);
  return renderShare(admission, { theme, isShared, rendered, source, endToken });
};
