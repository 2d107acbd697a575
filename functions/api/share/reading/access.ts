import { assertOpen, type FoundShare, getShareStatus, type StoredShare } from '../record/share.ts';
import { isViewToken } from './view-token.ts';

/** Whether reading the share requires a view that was counted before. */
export const requiresView = ({ password, viewLimit }: StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/**
 * Returns whether the share can be read without consuming a view: it has neither password nor limit, or the token
 * proves a view within the last minute, which may have been the last one.
 * @throws AppError GONE if it has ended, was taken down or its owner is suspended; NOT_FOUND
 */
export const canRead = async (found: FoundShare, token: string | undefined): Promise<boolean> => {
  const { share } = found;
  if (requiresView(share) && (await isViewToken(token, share))) {
    const status = getShareStatus(found);
    const isLastView =
      status === 'ended' &&
      !isExpired(share) &&
      share.closedAt === undefined &&
      !found.access.ownerSuspended;
    if (status === 'active' || isLastView) return true;
  }
  assertOpen(found);
  return !requiresView(share);
};

const isExpired = ({ expiresAt }: StoredShare): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
