import { signToken, TokenError, verifyToken } from '../../../../shared/auth/tokens.ts';
import type { StoredShare } from '../record/share.ts';

/** Within this time reload, retry and the frame are the view that was counted. */
const lifetimeMs = 60_000;

/** Says that a view of this share was counted just now, by a visitor who gave the password of this id, or none. */
export const issueViewToken = (shareId: string, passwordId: string | undefined): Promise<string> =>
  signToken(
    'view',
    { sub: shareId, ...(passwordId !== undefined && { pwd: passwordId }) },
    lifetimeMs,
  );

/** Was a view of this share counted within the last 60 s, and does it still have the password that was given, if any? */
export const isViewToken = async (
  token: string | undefined,
  { id, password }: StoredShare,
): Promise<boolean> => {
  if (token === undefined) return false;
  try {
    const { sub, pwd } = await verifyToken('view', token);
    return sub === id && (password === undefined || pwd === password.id);
  } catch (error) {
    if (error instanceof TokenError) return false;
    throw error;
  }
};
