import { createHash } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { type Step, transact } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { alertWrite } from '../../users/record/security-alert.ts';
import { useWrite } from '../factors/prove.ts';
import type { StoredFactors, StoredPasskey, WithFactors } from '../factors/stored-factors.ts';
import { type ChallengeUse, openChallenge } from './challenges.ts';
import { getRelyingParty } from './relying-party.ts';
import type { PasskeyProof } from './schemas.ts';
import { UnverifiedError } from './unverified-error.ts';

/** Returns the id by which a passkey is stored and which its owner sees: the SHA-256 of what the authenticator calls it. */
export const toPasskeyId = (credentialId: string): string =>
  createHash('sha256').update(credentialId).digest('base64url');

/** A use of a passkey that is right. */
export interface CheckedUse {
  /** Whether the authenticator has checked who uses it, such as by a PIN. */
  readonly isVerified: boolean;
  /** The writes that record the use and use up the challenge. They must be in the transaction of what follows from it. */
  readonly use: Step<'changed'>;
  readonly claim: Step;
}

/** The account that a passkey is said to be of, as read, and what the challenge is for. */
export interface UseOf {
  readonly found: WithFactors;
  readonly use: ChallengeUse;
  /** The user whom the challenge names, if it does. */
  readonly challenged?: number;
}

const useStep = (
  factors: StoredFactors,
  id: string,
  before: StoredPasskey,
  { counter, isSynced }: Pick<StoredPasskey, 'counter' | 'isSynced'>,
): Step<'changed'> =>
  useWrite(factors, {
    sets: [
      'passkeys.#id.#counter = :counter',
      'passkeys.#id.isSynced = :isSynced',
      'passkeys.#id.lastUsedAt = :now',
    ],
    // Of two copies that count in parallel, one is too late.
    condition: 'passkeys.#id.#counter = :before',
    names: { '#id': id, '#counter': 'counter' },
    values: {
      ':counter': counter,
      ':before': before.counter,
      ':isSynced': isSynced,
      ':now': new Date().toISOString(),
    },
  });

/** Audits a copied passkey and tells its owner. */
const reportCopy = async (
  user: StoredUser,
  id: string,
  { name }: StoredPasskey,
  recorder: ChangeRecorder,
): Promise<void> => {
  await transact([
    alertWrite(user, 'passkey-copied', { token: name }),
    ...recorder.steps({
      subject: `user:${user.id}`,
      action: 'session.fail',
      actor: user,
      after: { reason: 'passkey counter fell', passkey: id },
    }),
  ]);
};

/**
 * Checks a passkey's response against the account as read. Nothing is written, unless the counter of the passkey has fallen:
 * then a copy of it is in use, and the owner is told.
 * @throws UnverifiedError if the account has no such passkey, or it has signed something else; AppError VALIDATION_ERROR about
 *   `challengeToken`; FORBIDDEN if the counter has fallen; CONFLICT as `getRelyingParty`
 */
export const checkUse = async (
  { challengeToken, response }: PasskeyProof,
  { found: { user, factors }, use, challenged }: UseOf,
  recorder: ChangeRecorder,
): Promise<CheckedUse> => {
  const { challenge, claim } = await openChallenge(challengeToken, use, challenged);
  const rp = getRelyingParty();
  const id = toPasskeyId(response.id);
  const passkey = factors.passkeys?.[id];
  if (!passkey) throw new UnverifiedError('The account has no such passkey');
  const { verifyUse } = await import('./verification.ts');
  const now = await verifyUse(response, passkey, { challenge, rp });
  const counts = now.counter > 0 || passkey.counter > 0;
  if (counts && now.counter <= passkey.counter) {
    await reportCopy(user, id, passkey, recorder);
    throw new AppError(
      'FORBIDDEN',
      'This passkey was refused, because a copy of it seems to be in use. Sign in another way and remove it.',
    );
  }
  return { isVerified: now.isVerified, use: useStep(factors, id, passkey, now), claim };
};
