import type { Actor } from '../../../../shared/auth/actor.ts';
import { assertLinkOpen, findLinkEnd, getLink } from '../record/links.ts';
import { canEdit } from '../record/rights.ts';
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
  /** Returns the ids of the view that a form asks for, of the current content. It may have been counted before. */
  readonly toViewIds?: ((share: StoredShare) => ViewIds | undefined) | undefined;
}

/**
 * How a share can be read: by a view that was counted before, by anyone any number of times, by its owner, or by those who
 * can change it whatever its state.
 */
export type Reading = 'counted' | 'free' | 'own' | 'editor';

/** What an asker gets: how the share can be read, if it can, and the recipient link that it is opened with. */
export interface Decision {
  readonly reading: Reading | undefined;
  readonly link: string | undefined;
}

/** Whether reading the share requires a view that was counted before. */
export const requiresView = ({ password, viewLimit }: StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/** Whether the current content is or was under a password or a limit: readers never see it as a revision. */
export const isRestricted = (share: StoredShare): boolean =>
  share.isContentRestricted === true || requiresView(share);

/** Whether readers can see the revisions: only where the current content needs no password and no counted view. */
export const areVisibleToReaders = (share: StoredShare): boolean =>
  share.showsRevisions === true && !requiresView(share);

/**
 * Decides how the asker can read a share without consuming a view; `reading` is `undefined` if it takes one. It takes none if the share
 * has neither password nor limit and is not read with a recipient link, or if the token proves a view within the last
 * minute, which may have been the last one.
 * @throws AppError GONE if it or its link has ended, was taken down or its owner is suspended; NOT_FOUND
 */
export const decide = async (
  found: FoundShare,
  { actor, asEditor, asOwner, view, link, toViewIds }: Asker,
): Promise<Decision> => {
  const { share, access } = found;
  if (asEditor && actor && canEdit(actor, share)) {
    if (isTombstoneExpired(getEnd(found))) throw notFound();
    return { reading: 'editor', link: undefined };
  }
  if (asOwner && actor?.user.id === share.ownerId) {
    assertOpen(found);
    return { reading: 'own', link: undefined };
  }
  const counted = await readViewToken(view, share);
  const isOfLink = link === undefined || counted?.link === link;
  if (counted && isOfLink && (requiresView(share) || counted.link !== undefined)) {
    if (isStillReadable(found, counted.link)) return { reading: 'counted', link: counted.link };
  }
  const isRepeated = findViewId(access, toViewIds?.(share) ?? []) !== undefined;
  if (!(isRepeated && isStillReadable(found, link))) {
    assertOpen(found);
    assertLinkOpen(access, link);
  }
  const takesView = requiresView(share) || link !== undefined;
  return { reading: takesView ? undefined : 'free', link };
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

/**
 * Whether who opened a share with a link can still read it: a view may have been the last of its link, but not be older than
 * its end.
 * @throws AppError NOT_FOUND for an unknown link
 */
export const isLinkReadable = ({ access }: FoundShare, link: string | undefined): boolean => {
  if (link === undefined) return true;
  const end = findLinkEnd(getLink(access, link));
  return end === undefined || end === 'views';
};
