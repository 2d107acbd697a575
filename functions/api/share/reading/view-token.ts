import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import type { TextsRef } from '../../../../shared/storage/stored-text.ts';
import type { StoredShare } from '../record/share.ts';

/** How long reloads, retries and the frame belong to the counted view. */
const lifetimeMs = 60_000;

/** What a share was opened with. */
export interface OpenedWith {
  /** The id of the verified password, if it takes one. */
  readonly passwordId?: string | undefined;
  /** The id of the user who was admitted, unless anyone is. */
  readonly reader?: number | undefined;
  /** What a code proved, if its recipient link asks for one. */
  readonly proofId?: string | undefined;
}

/** Issues a token for a view of a content that was just consumed, where `addressId` is in the address. */
export const issueViewToken = (
  addressId: string,
  content: TextsRef,
  { passwordId, reader, proofId }: OpenedWith,
): Promise<string> =>
  signToken(
    'view',
    {
      sub: addressId,
      txt: content.id,
      ...(passwordId !== undefined && { pwd: passwordId }),
      ...(reader !== undefined && { rdr: reader }),
      ...(proofId !== undefined && { prf: proofId }),
    },
    lifetimeMs,
  );

/**
 * Returns the view of this share in the last 60 s that a token proves for an address: one of its current content, with its current
 * password if it has one.
 */
export const readViewToken = async (
  token: string | undefined,
  { password, texts }: StoredShare,
  addressId: string,
): Promise<OpenedWith | undefined> => {
  const claims = await readToken('view', token);
  if (claims?.sub !== addressId || claims.txt !== texts?.id) return undefined;
  const { pwd, rdr, prf } = claims;
  const isValid = password === undefined || pwd === password.id;
  return isValid ? { passwordId: pwd, reader: rdr, proofId: prf } : undefined;
};
