// Which recipient links a browser has entered the code of (decisions.md#recipients-by-email).
import { findCookie } from '../../../../shared/auth/find-cookie.ts';
import { type Claims, readToken } from '../../../../shared/auth/tokens.ts';

/** The prefix makes browsers require https, this exact host and the path `/`. */
export const proofsCookieName = '__Host-proofs';

/** What a code proved: the `proofId` of a link. */
export interface Proof {
  readonly link: string;
  readonly id: string;
}

/** Returns what cookies prove now. */
export const readProofs = async (cookies?: readonly string[]): Promise<Claims<'proofs'>['of']> => {
  const { of = [] } = (await readToken('proofs', findCookie(proofsCookieName, cookies))) ?? {};
  return of.filter(({ until }) => until * 1_000 > Date.now());
};

/** Whether cookies prove that a browser has entered a code of this link, sent to its address of today. */
export const hasProof = async (
  cookies: readonly string[] | undefined,
  { link, id }: Proof,
): Promise<boolean> =>
  (await readProofs(cookies)).some((one) => one.link === link && one.id === id);
