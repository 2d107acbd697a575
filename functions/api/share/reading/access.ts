import type { Actor } from '../../../../shared/auth/actor.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { isInAudience, isOpenToAll } from '../record/audience.ts';
import { assertLinkOpen, findLinkEnd, getLink, isLinkAllowed } from '../record/links.ts';
import { canEdit } from '../record/rights.ts';
import {
  assertOpen,
  codeRequired,
  type FoundShare,
  getEnd,
  getShareStatus,
  isTombstoneExpired,
  notFound,
  type StoredShare,
  signInRequired,
} from '../record/share.ts';
import { findViewId, type ViewIds } from '../record/view-ids.ts';
import { type Address, getAddressId } from './address.ts';
import { hasProof } from './proofs.ts';
import { type OpenedWith, readFilesToken, readViewToken } from './view-token.ts';

/** Who asks for a share, and what they give. */
export interface Asker {
  /** The signed-in user, where the route knows one. */
  readonly actor?: Actor | undefined;
  /** Whether the owner and moderators get the share whatever its state. */
  readonly asEditor?: true;
  /** Whether the owner looks at the share, which takes no view and no password. */
  readonly asOwner?: true;
  /** Whether someone reports the share, which takes no code. */
  readonly asReporter?: true;
  /** The cookies of the request, which may prove that a code was entered. */
  readonly cookies?: readonly string[] | undefined;
  /** The token of a view that was counted before. */
  readonly view?: string | undefined;
  /** The token for the files of a view that was counted before, which opens nothing else. */
  readonly files?: string | undefined;
  /** Whether the token says who asks, as it does where there is no session: for the frame of a page. */
  readonly isFrame?: true;
  /** Which end of its recipient link refuses nothing: that by its last view, or any. */
  readonly afterEnd?: 'views' | 'any' | undefined;
  /** Returns the ids of the view that a form asks for, of the current content. It may have been counted before. */
  readonly toViewIds?: ((share: StoredShare) => ViewIds | undefined) | undefined;
}

/**
 * How a share can be read: by a view that was counted before, by anyone any number of times, by this signed-in user any
 * number of times, by its owner, or by those who can change it whatever its state.
 */
export type Reading = 'counted' | 'free' | 'reader' | 'own' | 'editor';

/** What an asker gets. */
export interface Decision {
  /** How the share can be read, if it can. */
  readonly reading: Reading | undefined;
  /** The user whom a token names as the reader, and whose account the caller has to check. */
  readonly reader?: number | undefined;
  /** Whether the link asks for a code, which the asker has not entered. */
  readonly isUnproven?: true;
}

/** What keeps some from a share. */
type Restricted = Pick<StoredShare, 'password' | 'viewLimit' | 'audience'>;

/** Whether reading the share requires a view that was counted before, as it does by a recipient link. */
export const requiresView = ({ password, viewLimit }: Restricted, link?: string): boolean =>
  link !== undefined || password !== undefined || viewLimit !== undefined;

/** Whether the parts of its page are read with a token: they have no session, and not everyone gets them. */
export const requiresToken = (share: Restricted, link?: string): boolean =>
  requiresView(share, link) || !isOpenToAll(share);

/** Whether the current content is or was for fewer than all: readers never see it as a revision. */
export const isRestricted = (share: StoredShare): boolean =>
  share.isContentRestricted === true || requiresToken(share);

/** Whether readers can see the revisions: only where anyone gets the current content without a counted view. */
export const areVisibleToReaders = (
  share: Restricted & Pick<StoredShare, 'showsRevisions'>,
): boolean => share.showsRevisions === true && !requiresToken(share);

/**
 * Asserts that the asker is one of those who can open the share, before anything else of it is told
 * (decisions.md#audience). Returns the user whom only a token names.
 * @throws AppError UNAUTHORIZED if the asker is signed out; NOT_FOUND, also for a guessed name
 */
const assertInAudience = (
  { share, access }: FoundShare,
  { actor, isFrame }: Asker,
  { link, proofId, isNamed }: Address,
  counted: OpenedWith | undefined,
): number | undefined => {
  if (link !== undefined) {
    getLink(access, link);
    if (!isLinkAllowed({ proofId })) throw notFound();
    return undefined;
  }
  if (isOpenToAll(share)) return undefined;
  const userId = actor?.user.id ?? (isFrame && counted?.reader);
  if (userId === undefined) throw isNamed ? notFound() : signInRequired();
  if (!isInAudience(share, userId)) throw notFound();
  return actor ? undefined : userId;
};

/** Whether a view that was counted before is the asker’s own: of a share that isn’t open to all, each reader takes one. */
const isOwnView = (
  share: StoredShare,
  { reader }: { readonly reader?: number | undefined },
  userId: number | undefined,
): boolean => isOpenToAll(share) || reader === undefined || reader === userId;

/**
 * Whether the asker has entered the code that a link asks for, if it does. The owner and who reports need none.
 * @throws AppError UNAUTHORIZED; GONE if the link was revoked; NOT_FOUND once nothing is known of the share any more
 */
const isProven = async (
  found: FoundShare,
  { actor, asOwner, asReporter, cookies }: Asker,
  { link, proofId }: Address,
  counted: OpenedWith | undefined,
): Promise<boolean> => {
  if (link === undefined || proofId === undefined || counted?.proofId === proofId) return true;
  if (asOwner && actor?.user.id === found.share.ownerId) return true;
  if (await hasProof(cookies, { link, id: proofId })) return true;
  assertAsking(found, link);
  if (!asReporter) throw codeRequired();
  return false;
};

/**
 * Asserts that a link still asks for its code. That its share has ended is told only to who enters it.
 * @throws AppError GONE if it was revoked; NOT_FOUND once nothing is known of the share any more
 */
export const assertAsking = (found: FoundShare, link: string): void => {
  if (isTombstoneExpired(getEnd(found))) throw notFound();
  if (findLinkEnd(getLink(found.access, link)) === 'owner') assertLinkOpen(found.access, link);
};

/**
 * Decides how the asker can read a share without consuming a view; `reading` is `undefined` if it takes one. It takes none if the share
 * has neither password nor limit and is not opened by a recipient link, or if the token proves a view within the last
 * minute, or that for files one within the last 15; it may have been the last one. `address` is what the share was found by.
 * @throws AppError as `assertInAudience` and `isProven`; GONE if it or its link has ended, was taken down or its owner is suspended
 */
export const decide = async (
  found: FoundShare,
  asker: Asker,
  address: Address,
): Promise<Decision> => {
  const { share, access } = found;
  const { actor, asEditor, asOwner, afterEnd, view, files, toViewIds } = asker;
  const { link } = address;
  if (asEditor && actor && canEdit(actor, share)) {
    if (isTombstoneExpired(getEnd(found))) throw notFound();
    return { reading: 'editor' };
  }
  const addressId = getAddressId(address);
  const counted =
    files === undefined
      ? await readViewToken(view, share, addressId)
      : await readFilesToken(files, share, addressId);
  const reader = assertInAudience(found, asker, address, counted);
  if (!(await isProven(found, asker, address, counted))) {
    return { reading: undefined, isUnproven: true };
  }
  if (asOwner && actor?.user.id === share.ownerId) {
    assertOpen(found);
    assertLinkOpen(access, link);
    return { reading: 'own' };
  }
  const isCounted = counted && isOwnView(share, counted, actor?.user.id ?? reader);
  if (isCounted && requiresToken(share, link) && isStillReadable(found, link)) {
    return { reading: 'counted', reader };
  }
  const isRepeated = findViewId(access, toViewIds?.(share) ?? []) !== undefined;
  if (!(isRepeated && isStillReadable(found, link))) {
    assertOpen(found);
    const isExcused = afterEnd === 'any' || (afterEnd === 'views' && isLinkReadable(found, link));
    if (!isExcused) assertLinkOpen(access, link);
  }
  if (requiresView(share, link)) return { reading: undefined, reader };
  return { reading: isOpenToAll(share) ? 'free' : 'reader', reader };
};

const isExpired = (share: StoredShare): boolean => {
  const expiry = getExpiry(share);
  return expiry !== undefined && Date.parse(expiry) <= Date.now();
};

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
