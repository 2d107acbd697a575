import type { Actor } from '../../../../shared/auth/actor.ts';
import { assertLinkOpen, findLinkEnd, getLink } from '../record/links.ts';
import { canEdit } from '../record/owner.ts';
import {
  assertOpen,
  type FoundShare,
  getEnd,
  getShareStatus,
  isTombstoneExpired,
  notFound,
  type StoredShare,
} from '../record/share.ts';
import { findViewId, type ViewIds } from '../record/view-ids.ts';
import { readViewToken } from './view-token.ts';

/** Who asks for a share, and what they give. */
export interface Asker {
  /** The signed-in user, where the route knows one. */
  readonly actor?: Actor | undefined;
  /** Whether the owner and moderators get the share whatever its state. */
  readonly asEditor?: true;
  /** Whether the owner looks at the share, which takes no view and no password. */
  readonly asOwner?: true;
  /** The token of a view that was counted before. */
  readonly view?: string | undefined;
  /** The id of the recipient link that the share is opened with. */
  readonly link?: string | undefined;
  /** Ids of the view that a form asks for. It may have been counted before. */
  readonly viewIds?: ViewIds | undefined;
}

/**
 * How a share can be read: by a view that was counted before, by anyone any number of times, by its owner, or by those who
 * can change it whatever its state.
 */
export type Reading = 'counted' | 'free' | 'own' | 'editor';

/** Whether reading the share requires a view that was counted before. */
export const requiresView = ({ password, viewLimit }: StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/** Whether readers can see the revisions: only where the current content needs no password and no counted view. */
export const areVisibleToReaders = (share: StoredShare): boolean =>
  share.showsRevisions === true && !requiresView(share);

/**
 * Decides how the asker can read a share without consuming a view; `undefined` if it takes one. It takes none if the share
 * has neither password nor limit and is not read with a recipient link, or if the token proves a view within the last
 * minute, which may have been the last one.
 * @throws AppError GONE if it or its link has ended, was taken down or its owner is suspended; NOT_FOUND
 */
export const findReading = async (
  found: FoundShare,
  { actor, asEditor, asOwner, view, link, viewIds }: Asker,
): Promise<Reading | undefined> => {
  const { share, access } = found;
  if (asEditor && actor && canEdit(actor, share)) {
    if (isTombstoneExpired(getEnd(found))) throw notFound();
    return 'editor';
  }
  if (asOwner && actor?.user.id === share.ownerId) {
    assertOpen(found);
    return 'own';
  }
  const counted = await readViewToken(view, share);
  const isOfLink = link === undefined || counted?.link === link;
  if (counted && isOfLink && (requiresView(share) || counted.link !== undefined)) {
    if (isStillReadable(found, counted.link)) return 'counted';
  }
  const isRepeated = viewIds !== undefined && findViewId(access, viewIds) !== undefined;
  if (!(isRepeated && isStillReadable(found, link))) {
    assertOpen(found);
    assertLinkOpen(access, link);
  }
  return requiresView(share) || link !== undefined ? undefined : 'free';
};

const isExpired = ({ expiresAt }: StoredShare): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();

/** Whether a view that was counted before still counts. It may have been the last of the share and of its link. */
const isStillReadable = (found: FoundShare, link: string | undefined): boolean => {
  const { share, access } = found;
  const status = getShareStatus(found);
  const isLastView =
    status === 'ended' &&
    !isExpired(share) &&
    share.closedAt === undefined &&
    !access.ownerSuspended;
  return (status === 'active' || isLastView) && isLinkReadable(found, link);
};

/** A counted view may have been the last of its link, but not be older than its end. */
const isLinkReadable = ({ access }: FoundShare, link: string | undefined): boolean => {
  if (link === undefined) return true;
  const end = findLinkEnd(getLink(access, link));
  return end === undefined || end === 'views';
};
