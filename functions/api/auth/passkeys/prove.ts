import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import type { Proven } from '../factors/prove.ts';
import type { WithFactors } from '../factors/stored-factors.ts';
import { createChallenge } from './challenges.ts';
import { toPasskeyOptions } from './options.ts';
import { getRelyingParty } from './relying-party.ts';
import type { PasskeyProof } from './schemas.ts';
import { UnverifiedError } from './unverified-error.ts';
import { checkUse } from './use.ts';

/** What a passkey proves beside another proof: the second step of a sign-in, or who is signed in. */
export type ProofUse = 'second' | 'prove';

/**
 * Creates the options for a user's own passkeys.
 * @throws AppError CONFLICT without a passkey, or as `getRelyingParty`
 */
export const createProofOptions = async ({ user, factors }: WithFactors, use: ProofUse) => {
  const rp = getRelyingParty();
  const { passkeys = {} } = factors;
  if (Object.keys(passkeys).length === 0) {
    throw new AppError('CONFLICT', 'There is no passkey. Use another way.');
  }
  const { challengeToken, challenge } = await createChallenge(use, user.id);
  return { challengeToken, options: toPasskeyOptions(rp, challenge, passkeys) };
};

/**
 * Checks a passkey as proof of a user as read. The caller's transaction uses it up.
 * @throws AppError VALIDATION_ERROR about `passkey` or `challengeToken`; FORBIDDEN if the counter has fallen
 */
export const proveByPasskey = async (
  proof: PasskeyProof,
  found: WithFactors,
  use: ProofUse,
  recorder: ChangeRecorder,
): Promise<Proven> => {
  try {
    const { use: step, claim } = await checkUse(
      proof,
      { found, use, challenged: found.user.id },
      recorder,
    );
    return { factor: 'passkey', use: step, claim };
  } catch (error) {
    if (error instanceof UnverifiedError)
      throw invalidField('passkey', 'could not be verified', error);
    throw error;
  }
};
