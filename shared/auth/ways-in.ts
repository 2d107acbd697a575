import { AppError } from '../runtime/errors.ts';
import { getSetting, isMailOn } from '../runtime/settings.ts';

/** Returns whether users sign in by a code or a link in an email. */
export const isEmailSignInOn = (): boolean => getSetting('EMAIL_SIGN_IN') === 'on' && isMailOn();

/**
 * Asserts that users sign in by a code or a link in an email.
 * @throws AppError FORBIDDEN
 */
export const assertEmailSignIn = (): void => {
  if (isEmailSignInOn()) return;
  throw new AppError('FORBIDDEN', 'Sign-in by email is off here. Sign in at /login.');
};

/** Returns whether passwords sign in, and can be set. */
export const isPasswordSignInOn = (): boolean => getSetting('PASSWORD_SIGN_IN') === 'on';

/**
 * Asserts that passwords sign in, and can be set.
 * @throws AppError FORBIDDEN
 */
export const assertPasswordSignIn = (): void => {
  if (isPasswordSignInOn()) return;
  throw new AppError('FORBIDDEN', 'Passwords are off here. Sign in at /login.');
};
