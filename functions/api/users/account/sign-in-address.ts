import { getSetting } from '../../../../shared/runtime/settings.ts';

/** Returns the address at which an invited user signs in without a password. */
export const getSignInAddress = (): string => `${getSetting('PUBLIC_URL')}/login?next=/`;
