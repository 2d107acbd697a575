import { AppError } from '../runtime/errors.ts';
import { getSetting, isMailOn } from '../runtime/settings.ts';
import type { StoredUser } from './user.ts';

/** Returns whether users are asked to verify their addresses: email is on, and the setting isn't `off`. */
export const asksToVerify = (): boolean => isMailOn() && getSetting('EMAIL_VERIFICATION') !== 'off';

/** Returns whether a user must verify the address before anything else (decisions.md#proven-addresses). */
export const mustVerify = ({ emailVerifiedAt }: Pick<StoredUser, 'emailVerifiedAt'>): boolean =>
  emailVerifiedAt === undefined && getSetting('EMAIL_VERIFICATION') === 'required';

/** Creates the error for a user who must verify the address first. */
export const verificationRequired = (): AppError =>
  new AppError(
    'VERIFICATION_REQUIRED',
    'Verify your email address first: open the link in the email we sent you, or request a new one at /verify.',
  );
