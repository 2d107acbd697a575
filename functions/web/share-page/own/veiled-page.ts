import { html } from '../../../../shared/text/html.ts';
import type { AdmittedShare } from '../../../api/share/reading/admission.ts';
import { getTitle } from '../../../api/share/record/share.ts';
import { seal } from '../../layout/gate/seal.ts';
import type { Theme } from '../../layout/theme.ts';
import { mainId } from '../article.ts';
import { byline } from '../markup/byline.ts';
import { describeOpened } from '../opened.ts';
import { readerBar } from '../reader-bar.ts';
import { sharePage } from '../share-page.ts';
import { sharePageTexts } from '../texts.ts';
import { previewLink } from './own-bar.ts';
import { ownTexts as texts } from './texts.ts';

/** Renders the owner’s page of a share with a last view: without the text, until they ask for it. */
export const veiledPage = (
  { share, access, addressId, link, author }: AdmittedShare,
  theme: Theme | undefined,
): string => {
  const title = getTitle(share) ?? sharePageTexts.untitled;
  const opened = {
    ...{ share, access, addressId, link, author, theme, isPreview: false, isShared: false },
    ...{ ownId: share.id, addressName: link ?? share.slug ?? share.id },
    ...{ view: undefined, sourceView: undefined, filesPrefix: undefined },
    ...{ endToken: undefined, source: undefined, onlyFile: undefined },
  };
  const heading = access.views === 0 ? texts.unopened : texts.lastView;
  return sharePage(
    opened,
    title,
    'reading',
    html`${readerBar(opened, title, 'span')}<main id="${mainId}" class="reader">
<header><h1 class="title" dir="auto">${title}</h1>
${share.description && html`<p class="lead" dir="auto">${share.description}</p>\n`}${byline(describeOpened(opened))}</header>
<div class="veil">${seal('lock')}<h2>${heading}</h2><p>${texts.veilWhy}</p>${previewLink(opened, 'primary')}</div>
</main>`,
    'share.js',
  );
};
