import type { ProofMethod } from '../../../../shared/auth/second-factors.ts';
import { type Claims, signToken, TokenError, verifyToken } from '../../../../shared/auth/tokens.ts';
import { canSignIn, type StoredUser } from '../../../../shared/auth/user.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { findWithFactors, type WithFactors } from './stored-factors.ts';

/** A sign-in whose password was right, or what signed in in its place, and what it still takes. */
export interface SecondStep {
  /** Shows that the password was right; good for nothing else, for 5 minutes. */
  readonly mfaToken: string;
  readonly methods: readonly ProofMethod[];
}

const lifetimeMs = 5 * 60_000;

/** Returns what a token about an account as it is now says: a later password, sign-out everywhere or factor makes it invalid. */
export const getEpochs = ({ id, sessionEpoch, factorEpoch = 0 }: StoredUser): Claims<'mfa'> => ({
  sub: String(id),
  se: sessionEpoch,
  fe: factorEpoch,
});

/** Returns whether an account is as a token says. */
export const isAsSigned = (user: StoredUser, { sub, se, fe }: Claims<'mfa'>): boolean => {
  const now = getEpochs(user);
  return now.sub === sub && now.se === se && now.fe === fe;
};

/** What signed in in place of the password, if anything did. */
export interface Began {
  readonly method?: 'provider' | 'email';
  /** The name of the provider. */
  readonly provider?: string;
}

/**
 * Creates the second step of a sign-in. It says that a recovery code will do even if none is left: the record of the user,
 * which the password was compared with, doesn't know.
 */
export const createSecondStep = async (
  user: StoredUser,
  { method, provider }: Began = {},
): Promise<SecondStep> => ({
  mfaToken: await signToken(
    'mfa',
    { ...getEpochs(user), ...(method && { via: method }), ...(provider && { pro: provider }) },
    lifetimeMs,
  ),
  methods: [...(user.secondFactors ?? []), 'recovery'],
});

const expired = (cause?: unknown) =>
  new AppError(
    'UNAUTHORIZED',
    'This sign-in took too long, or the account has changed. Sign in again.',
    {
      cause,
    },
  );

/** The account of a second step, and how it began. */
export interface OpenSecondStep extends WithFactors {
  readonly began: Began;
}

/**
 * Reads the account of a second step.
 * @throws AppError UNAUTHORIZED if the token is invalid or over 5 minutes old, or the account has changed since
 */
export const readSecondStep = async (mfaToken: string): Promise<OpenSecondStep> => {
  const claims = await verifyToken('mfa', mfaToken).catch((error) => {
    throw error instanceof TokenError ? expired(error) : error;
  });
  const found = await findWithFactors(Number(claims.sub));
  if (!found || !canSignIn(found.user) || !isAsSigned(found.user, claims)) throw expired();
  const { via, pro } = claims;
  return { ...found, began: { ...(via && { method: via }), ...(pro && { provider: pro }) } };
};
