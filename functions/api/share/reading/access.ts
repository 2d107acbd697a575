import { assertOpen, type FoundShare, getShareStatus, type StoredShare } from '../record/share.ts';
import { isViewToken } from './view-token.ts';

/** Does reading the share take a view that is counted beforehand? */
export const requiresView = ({ password, viewLimit }: StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/**
 * May the share be read as it is: because it has neither password nor limit, or because the token says that a view of it
 * was taken within the last minute, which may have been its last.
 * @throws AppError GONE when it has ended, was taken down, or its owner is suspended; NOT_FOUND
 */
export const canRead = async (found: FoundShare, token: string | undefined): Promise<boolean> => {
  const { share } = found;
  if (requiresView(share) && (await isViewToken(token, share))) {
    const status = getShareStatus(found);
    const isLastView =
      status === 'ended' &&
      !isPastTime(share) &&
      share.closedAt === undefined &&
      !found.gate.ownerSuspended;
    if (status === 'active' || isLastView) return true;
  }
  assertOpen(found);
  return !requiresView(share);
};

const isPastTime = ({ expiresAt }: StoredShare): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
