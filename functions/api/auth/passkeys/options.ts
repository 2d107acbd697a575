import type { StoredUser } from '../../../../shared/auth/user.ts';
import { toShownEmail } from '../../../../shared/text/email-address.ts';
import type { StoredPasskey } from '../factors/stored-factors.ts';
import { challengeMs } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';
import { toUserHandle } from './user-handle.ts';

/** The signature algorithms that a passkey can have, best first: ES256, EdDSA, RS256. https://www.iana.org/assignments/cose */
export const algorithms = [-7, -8, -257] as const;

type Passkeys = Readonly<Record<string, StoredPasskey>>;

const describe = (passkeys: Passkeys) =>
  Object.values(passkeys).map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key' as const,
    ...(transports && { transports: [...transports] }),
  }));

/**
 * Creates the options of a new passkey of a user, who can't have two on one authenticator. It is one that an authenticator
 * offers by itself, so that signing in takes no name.
 */
export const toNewPasskeyOptions = (
  { id: rpId }: RelyingParty,
  { id, email, name }: StoredUser,
  passkeys: Passkeys,
  challenge: string,
) => ({
  challenge,
  rp: { id: rpId, name: 'Handbill' },
  user: { id: toUserHandle(id), name: toShownEmail(email), displayName: name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: challengeMs,
  excludeCredentials: describe(passkeys),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'preferred' as const,
  },
  attestation: 'none' as const,
});

/**
 * Creates the options of a use: of one of these passkeys, as second factor; without them, of any, which must then check who
 * uses it, because nothing else does.
 */
export const toPasskeyOptions = (
  { id: rpId }: RelyingParty,
  challenge: string,
  passkeys?: Passkeys,
) => ({
  challenge,
  rpId,
  timeout: challengeMs,
  userVerification: passkeys ? ('preferred' as const) : ('required' as const),
  allowCredentials: passkeys ? describe(passkeys) : [],
});
