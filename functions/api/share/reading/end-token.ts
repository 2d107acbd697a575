import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import type { StoredShare } from '../record/share.ts';
import { requiresView } from './access.ts';

/** How long after opening it a reader can end a share. */
const lifetimeMs = 86_400_000;

/** Issues a token to a reader who opened a share with a password or a limit: it lets the reader end the share. */
export const issueEndToken = ({ id, password }: StoredShare): Promise<string> =>
  signToken('end', { sub: id, ...(password && { pwd: password.id }) }, lifetimeMs);

/**
 * Whether a reader may end a share: its owner allows it, and the reader could open it. That takes a token if it has a
 * password or a limit (decisions.md#share-end).
 */
export const canReaderEnd = async (
  share: StoredShare,
  token: string | undefined,
): Promise<boolean> => {
  if (!share.readersCanEnd) return false;
  if (!requiresView(share)) return true;
  const claims = await readToken('end', token);
  return claims?.sub === share.id && claims.pwd === share.password?.id;
};
