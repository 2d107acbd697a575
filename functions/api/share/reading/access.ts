import { checkIsOpen, type FoundShare, type StoredShare, statusOf } from '../record/share.ts';
import { isViewToken } from './view-token.ts';

/** Does reading the share take a view that is counted beforehand? */
export const wantsView = ({ password, viewLimit }: StoredShare): boolean =>
  password !== undefined || viewLimit !== undefined;

/**
 * May the share be read as it is: because it has neither password nor limit, or because the token says that a view of it
 * was taken within the last minute, which may have been its last.
 * @throws AppError GONE when it has ended, was taken down, or its owner is suspended; NOT_FOUND
 */
export const admits = async (found: FoundShare, token: string | undefined): Promise<boolean> => {
  const { share } = found;
  if (wantsView(share) && (await isViewToken(token, share))) {
    const status = statusOf(found);
    const isLastView =
      status === 'ended' &&
      !isPastTime(share) &&
      share.closedAt === undefined &&
      !found.gate.ownerSuspended;
    if (status === 'active' || isLastView) return true;
  }
  checkIsOpen(found);
  return !wantsView(share);
};

const isPastTime = ({ expiresAt }: StoredShare): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
