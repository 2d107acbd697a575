import { AppError } from '../runtime/errors.ts';
import type { Actor } from './actor.ts';
import type { StoredUser } from './user.ts';
import { isPasswordSignInOn } from './ways-in.ts';

/** For how long a sign-in, or a proof after it, shows who the caller is. */
const freshMs = 15 * 60_000;

/** Returns whether a sign-in or proof at this time (ISO 8601) still shows who the caller is. */
export const isFresh = (at: string | undefined): boolean =>
  at !== undefined && Date.parse(at) > Date.now() - freshMs;

/** Creates the error that names what proves the caller; `signIn`: nothing but another sign-in. `reason` is a sentence that says why, `how` one that says how. */
export const reauthenticationRequired = (
  field: 'code' | 'currentPassword' | 'signIn',
  how: string,
  reason: string,
): AppError =>
  new AppError('REAUTHENTICATION_REQUIRED', `${reason} ${how}`.trim(), {
    details: [{ field, message: 'is required' }],
  });

/**
 * Asserts that a session of someone with a second factor has proven it within 15 minutes (decisions.md#second-factors). Others
 * pass: those without a second factor, and API tokens, which took a proof when they were made. `reason` is a sentence that says
 * why.
 * @throws AppError REAUTHENTICATION_REQUIRED about `code`
 */
export const assertStepUp = (
  { user, sessionId, provenAt }: Pick<Actor, 'user' | 'sessionId' | 'provenAt'>,
  reason = '',
): void => {
  if (!user.secondFactors || sessionId === undefined || isFresh(provenAt)) return;
  throw reauthenticationRequired(
    'code',
    'Prove your second factor by `POST /api/auth/reauthenticate`, or sign in again: this needs a proof of the last 15 minutes.',
    reason,
  );
};

/** Returns whether a user has a password that proves who they are. */
export const hasUsablePassword = ({ passwordHash }: Pick<StoredUser, 'passwordHash'>): boolean =>
  passwordHash !== undefined && isPasswordSignInOn();

/**
 * Asserts that the caller, who has no password, has signed in or proven who they are within 15 minutes. `reason` is a sentence
 * that says why.
 * @throws AppError REAUTHENTICATION_REQUIRED about `signIn`
 */
export const assertFreshSignIn = (
  { signedInAt, provenAt, reenteredAt }: Pick<Actor, 'signedInAt' | 'provenAt' | 'reenteredAt'>,
  reason = '',
): void => {
  if ([provenAt, reenteredAt, signedInAt].some(isFresh)) return;
  throw reauthenticationRequired(
    'signIn',
    'Sign in again: this needs a sign-in of the last 15 minutes.',
    reason,
  );
};
