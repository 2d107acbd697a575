import { createHash } from 'node:crypto';
import { type Claims, signToken, TokenError, verifyToken } from '../../../../shared/auth/tokens.ts';
import { createItemWrite, type Step } from '../../../../shared/db/transaction.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { passkeyKeys } from './keys.ts';

/** What a challenge is for: adding a passkey, signing in by one alone or after a password, or proving who is signed in. */
export type ChallengeUse = Claims<'challenge'>['use'];

/** How long a challenge can be used. */
export const challengeMs = 5 * 60_000;

/** Longer than any challenge's token. */
export const maxTokenLength = 1_024;

const hash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A new challenge: its token for the caller, and what the passkey signs (Base64url). */
export interface Challenge {
  readonly challengeToken: string;
  readonly challenge: string;
}

/**
 * Creates a challenge for one use, and for one user if it is known. Nothing is stored: the passkey signs the SHA-256 of the
 * token, which nobody can make up without the signing secret.
 */
export const createChallenge = async (use: ChallengeUse, userId?: number): Promise<Challenge> => {
  const sub = userId === undefined ? {} : { sub: String(userId) };
  const challengeToken = await signToken('challenge', { use, ...sub }, challengeMs);
  return { challengeToken, challenge: hash(challengeToken) };
};

const ended = (cause?: unknown) =>
  invalidField('challengeToken', 'was used or is over 5 minutes old; ask for new options', cause);

/** A challenge that a response answers. */
export interface OpenChallenge {
  /** What the passkey must have signed (Base64url). */
  readonly challenge: string;
  /** Records the use, which must be in the same transaction as what follows from it. A second use is refused there. */
  readonly claim: Step;
}

/**
 * Returns the challenge of a token.
 * @throws AppError VALIDATION_ERROR about `challengeToken` if it is expired, of another use or of another user
 */
export const openChallenge = async (
  challengeToken: string,
  use: ChallengeUse,
  userId?: number,
): Promise<OpenChallenge> => {
  const claims = await verifyToken('challenge', challengeToken).catch((error) => {
    throw error instanceof TokenError ? ended(error) : error;
  });
  if (claims.use !== use || claims.sub !== (userId === undefined ? undefined : String(userId))) {
    throw invalidField('challengeToken', 'is for something else; ask for new options');
  }
  const challenge = hash(challengeToken);
  const key = passkeyKeys.usedChallenge.at({ hash: challenge });
  // Beyond the token's end, the clocks of functions may differ.
  const ttl = Math.ceil((Date.now() + 2 * challengeMs) / 1_000);
  return { challenge, claim: { write: createItemWrite(key, { ttl }), refused: () => ended() } };
};
