import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import type { TextsRef } from '../../../../shared/storage/stored-text.ts';
import type { StoredShare } from '../record/share.ts';

/** How long reloads, retries and the frame belong to the counted view. */
const lifetimeMs = 60_000;

/** What was given to consume a view: the id of the verified password and that of the recipient link, if any. */
interface ConsumedView {
  readonly passwordId?: string | undefined;
  readonly link?: string | undefined;
}

/** Issues a token for a view of a content of a share that was just consumed. */
export const issueViewToken = (
  id: string,
  content: TextsRef,
  { passwordId, link }: ConsumedView,
): Promise<string> =>
  signToken(
    'view',
    {
      sub: id,
      txt: content.id,
      ...(passwordId !== undefined && { pwd: passwordId }),
      ...(link !== undefined && { lnk: link }),
    },
    lifetimeMs,
  );

/**
 * Returns the view of this share in the last 60 s that a token proves: one of its current content, with its current password
 * if it has one.
 */
export const readViewToken = async (
  token: string | undefined,
  { id, password, texts }: StoredShare,
): Promise<ConsumedView | undefined> => {
  const claims = await readToken('view', token);
  if (claims?.sub !== id || claims.txt !== texts?.id) return undefined;
  const { pwd, lnk } = claims;
  const isValid = password === undefined || pwd === password.id;
  return isValid ? { passwordId: pwd, link: lnk } : undefined;
};
