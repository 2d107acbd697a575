import { isPassword } from '../../../shared/auth/passwords.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';

/** For how long a sign-in proves who the caller is. */
const freshMs = 15 * 60_000;

/**
 * Asserts that the caller, and nobody who found an open session, does what a stolen session would last by. A password that
 * is given must be right; without one, the caller has signed in within 15 minutes. `reason` is a sentence that says why.
 * @throws AppError VALIDATION_ERROR about `currentPassword`; REAUTHENTICATION_REQUIRED
 */
export const assertReauthenticated = async (
  { user, signedInAt }: SessionActor,
  currentPassword: string | null | undefined,
  reason = '',
): Promise<void> => {
  if (currentPassword != null) {
    if (await isPassword(currentPassword, user.passwordHash)) return;
    throw invalidField('currentPassword', 'is incorrect');
  }
  if (signedInAt !== undefined && Date.parse(signedInAt) > Date.now() - freshMs) return;
  throw new AppError(
    'REAUTHENTICATION_REQUIRED',
    `${reason} Send your \`currentPassword\`, or sign in again: this needs a sign-in of the last 15 minutes.`.trim(),
    { details: [{ field: 'currentPassword', message: 'is required' }] },
  );
};
