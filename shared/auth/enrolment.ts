import { AppError } from '../runtime/errors.ts';
import { getSetting } from '../runtime/settings.ts';
import type { StoredUser } from './user.ts';

/** Returns whether who signs in to an account must set up a second factor before anything else (decisions.md#second-factors). */
export const mustEnrol = ({
  role,
  secondFactors,
}: Pick<StoredUser, 'role' | 'secondFactors'>): boolean =>
  secondFactors === undefined && getSetting('MFA_REQUIRED_ROLES').some((name) => name === role);

/** Creates the error for a session that must set up a second factor first. */
export const enrolmentRequired = (): AppError =>
  new AppError(
    'ENROLMENT_REQUIRED',
    'Your role requires a second factor: set one up first, at /enrol.',
  );
