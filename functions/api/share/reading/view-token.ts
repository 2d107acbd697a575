import { signToken, TokenError, verifyToken } from '../../../../shared/auth/tokens.ts';
import type { StoredShare } from '../record/share.ts';

/** How long reloads, retries and the frame belong to the counted view. */
const lifetimeMs = 60_000;

/** Issues a token for a view that was just consumed; `passwordId` names the verified password, if any. */
export const issueViewToken = (shareId: string, passwordId: string | undefined): Promise<string> =>
  signToken(
    'view',
    { sub: shareId, ...(passwordId !== undefined && { pwd: passwordId }) },
    lifetimeMs,
  );

/** Whether the token proves a view of this share in the last 60 s with its current password, if it has one. */
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
