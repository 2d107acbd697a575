import { assertLinkOpen, findLinkEnd, getLink } from '../record/links.ts';
import { assertOpen, type FoundShare, getShareStatus, type StoredShare } from '../record/share.ts';
import { readViewToken } from './view-token.ts';

/** Whether reading the share requires a view that was counted before. */
export const requiresView = ({ password, viewLimit }: StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/** Whether readers can see the revisions: only where the current content needs no password and no counted view. */
export const areVisibleToReaders = (share: StoredShare): boolean =>
  share.showsRevisions === true && !requiresView(share);

/** How a share can be read: by a view that was counted before, or by anyone any number of times. */
export type Reading = 'counted' | 'free';

/**
 * Returns how the share can be read without consuming a view; `undefined` if it can't. It can if it has neither password
 * nor limit and is not read with a recipient link, or if the token proves a view within the last minute, which may have
 * been the last one.
 * @throws AppError GONE if it or its link has ended, was taken down or its owner is suspended; NOT_FOUND
 */
export const findReading = async (
  found: FoundShare,
  token: string | undefined,
  link?: string,
): Promise<Reading | undefined> => {
  const { share, access } = found;
  const view = await readViewToken(token, share);
  const isOfLink = link === undefined || view?.link === link;
  if (view && isOfLink && (requiresView(share) || view.link !== undefined)) {
    const status = getShareStatus(found);
    const isLastView =
      status === 'ended' &&
      !isExpired(share) &&
      share.closedAt === undefined &&
      !access.ownerSuspended;
    if ((status === 'active' || isLastView) && isLinkReadable(found, view.link)) return 'counted';
  }
  assertOpen(found);
  assertLinkOpen(access, link);
  return requiresView(share) || link !== undefined ? undefined : 'free';
};

const isExpired = ({ expiresAt }: StoredShare): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();

/** A counted view may have been the last of its link, but not be older than its end. */
const isLinkReadable = ({ access }: FoundShare, link: string | undefined): boolean => {
  if (link === undefined) return true;
  const end = findLinkEnd(getLink(access, link));
  return end === undefined || end === 'views';
};
