import { invalidField } from '../runtime/errors.ts';
import type { Actor } from './actor.ts';
import { isPassword } from './passwords.ts';
import {
  assertFreshSignIn,
  assertStepUp,
  hasUsablePassword,
  isFresh,
  reauthenticationRequired,
} from './step-up.ts';

/**
 * Asserts that the caller, and nobody who found an open session, does what a stolen session would last by. Whoever has a
 * second factor must have proven it within 15 minutes. All others have signed in or proven who they are within that time, or
 * give their password, which must be right in any case; who has none signs in again. `reason` is a sentence that says why.
 * @throws AppError VALIDATION_ERROR about `currentPassword`; REAUTHENTICATION_REQUIRED
 */
export const assertReauthenticated = async (
  actor: Actor,
  currentPassword: string | null | undefined,
  reason = '',
): Promise<void> => {
  const { user, signedInAt, provenAt, reenteredAt } = actor;
  const isGiven = currentPassword != null && hasUsablePassword(user);
  if (isGiven && !(await isPassword(currentPassword, user.passwordHash))) {
    throw invalidField('currentPassword', 'is incorrect');
  }
  assertStepUp(actor, reason);
  if (isGiven || [provenAt, reenteredAt, signedInAt].some(isFresh)) return;
  if (!hasUsablePassword(user)) assertFreshSignIn(actor, reason);
  throw reauthenticationRequired(
    'currentPassword',
    'Send your `currentPassword`, or sign in again: this needs a sign-in of the last 15 minutes.',
    reason,
  );
};
