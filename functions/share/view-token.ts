import { signToken, TokenError, verifyToken } from '../../shared/tokens.ts';

/** Within this time reload, retry and the frame are the view that was counted (decisions §4). */
const lifetimeMs = 60_000;

/** Says that a view of this share was counted just now. */
export const issueViewToken = (shareId: string): Promise<string> =>
  signToken('view', { sub: shareId }, lifetimeMs);

/** Was a view of this share counted within the last 60 s? */
export const isViewToken = async (token: string | undefined, shareId: string): Promise<boolean> => {
  if (token === undefined) return false;
  try {
    return (await verifyToken('view', token)).sub === shareId;
  } catch (error) {
    if (error instanceof TokenError) return false;
    throw error;
  }
};
