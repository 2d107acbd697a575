import { type Claims, readToken, signToken } from '../../../../shared/auth/tokens.ts';
import type { TextsRef } from '../../../../shared/storage/stored-text.ts';
import type { StoredShare } from '../record/share.ts';

/** How long reloads, retries and the frame belong to the counted view. */
const lifetimeMs = 60_000;

/** How long the page of a counted view can load the files of its share: scripts load more when they need it. */
export const filesLifetimeMs = 15 * 60_000;

/** What a share was opened with. */
export interface OpenedWith {
  /** The id of the verified password, if it takes one. */
  readonly passwordId?: string | undefined;
  /** The id of the user who was admitted, unless anyone is. */
  readonly reader?: number | undefined;
  /** What a code proved, if its recipient link asks for one. */
  readonly proofId?: string | undefined;
}

/** A view that was counted before, and when: in s since 1970. */
export interface CountedView extends OpenedWith {
  readonly at: number;
}

const toClaims = (
  addressId: string,
  content: TextsRef,
  { passwordId, reader, proofId }: OpenedWith,
): Claims<'files'> => ({
  sub: addressId,
  txt: content.id,
  ...(passwordId !== undefined && { pwd: passwordId }),
  ...(reader !== undefined && { rdr: reader }),
  ...(proofId !== undefined && { prf: proofId }),
});

/**
 * Issues a token for a view of a content that was just consumed, where `addressId` is in the address. `at` is when it was counted
 * (ms since 1970), if that was before.
 */
export const issueViewToken = (
  addressId: string,
  content: TextsRef,
  opened: OpenedWith,
  at = Date.now(),
): Promise<string> => {
  const claims = { ...toClaims(addressId, content, opened), at: Math.floor(at / 1_000) };
  return signToken('view', claims, lifetimeMs);
};

/** Issues a token for the files of a content, which ends 15 minutes after its view was counted; for a view, it is always the same. */
export const issueFilesToken = (
  addressId: string,
  content: TextsRef,
  { at, ...opened }: CountedView,
): Promise<string> =>
  signToken('files', toClaims(addressId, content, opened), filesLifetimeMs, {
    issuedAt: at * 1_000,
    id: content.id,
  });

/** Returns what a token proves for an address: a view of the share’s current content, with its current password if it has one. */
const toOpened = (
  claims: Claims<'files'> | undefined,
  { password, texts }: StoredShare,
  addressId: string,
): OpenedWith | undefined => {
  if (claims?.sub !== addressId || claims.txt !== texts?.id) return undefined;
  const { pwd, rdr, prf } = claims;
  const isValid = password === undefined || pwd === password.id;
  return isValid ? { passwordId: pwd, reader: rdr, proofId: prf } : undefined;
};

/**
 * Returns the view of this share in the last 60 s that a token proves for an address: one of its current content, with its current
 * password if it has one.
 */
export const readViewToken = async (
  token: string | undefined,
  share: StoredShare,
  addressId: string,
): Promise<CountedView | undefined> => {
  const claims = await readToken('view', token);
  const opened = toOpened(claims, share, addressId);
  return opened && claims && { ...opened, at: claims.at };
};

/** Returns the view whose files a token opens, as `readViewToken` does. */
export const readFilesToken = async (
  token: string,
  share: StoredShare,
  addressId: string,
): Promise<OpenedWith | undefined> => toOpened(await readToken('files', token), share, addressId);

/** Returns the id in the address that a token for files was issued for, while it is valid. */
export const readFilesAddress = async (token: string): Promise<string | undefined> =>
  (await readToken('files', token))?.sub;
