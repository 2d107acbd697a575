import { hashContent } from '../../../../shared/http/content/etag.ts';
import { isBehindEdge, maxEdgeSeconds } from '../../../../shared/http/edge.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { requiresView } from '../../../api/share/reading/access.ts';
import type { AdmittedShare } from '../../../api/share/reading/admission.ts';

const toShort = (text: string): string => hashContent(text).slice(0, 8);

/** Whether open pages of a share follow its edits: only where reading it again takes no view (decisions.md#following-edits). */
export const isFollowed = ({ share, link }: Pick<AdmittedShare, 'share' | 'link'>): boolean =>
  !requiresView(share, link);

/**
 * Identifies what the page of a share shows: its version, by which a script knows an older page, the name of its owner, and its
 * content. It tells nothing about where that is stored.
 */
export const getPageState = ({
  share: { version, texts },
  author,
}: Pick<AdmittedShare, 'share' | 'author'>): string =>
  `${version}.${toShort(author)}.${toShort(texts?.id ?? '')}`;

/** How long a frame may be kept by a process (decisions.md#edge). Seconds. */
const keptSeconds = 2;

/** Renders what a page tells its script, which follows the edits: where to ask, what it shows, and when its frame is sure to be new. */
export const liveMarks = (admitted: AdmittedShare): Html | undefined => {
  if (!isFollowed(admitted)) return undefined;
  const settles = isBehindEdge()
    ? html` data-settles="${maxEdgeSeconds + keptSeconds}"`
    : undefined;
  return html` data-live="/s/${admitted.addressId}/live" data-state="${getPageState(admitted)}"${settles}`;
};
