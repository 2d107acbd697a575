import { signToken } from '../../../../shared/auth/tokens.ts';
import { type Proof, proofsCookieName, readProofs } from '../reading/proofs.ts';

/** How long a code that was entered lets its reader in. */
const lifetimeMs = 12 * 3_600_000;
const maxProofs = 10;

/** Creates the `Set-Cookie` value that adds a proof to those of a browser, which keeps the newest ten. */
export const createProofsCookie = async (
  cookies: readonly string[],
  { link, id }: Proof,
): Promise<string> => {
  const others = (await readProofs(cookies)).filter((one) => one.link !== link);
  const until = Math.floor((Date.now() + lifetimeMs) / 1_000);
  const token = await signToken(
    'proofs',
    { of: [{ link, id, until }, ...others].slice(0, maxProofs) },
    lifetimeMs,
  );
  // Lax, because readers come from their emails.
  return `${proofsCookieName}=${token}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=${lifetimeMs / 1_000}`;
};
