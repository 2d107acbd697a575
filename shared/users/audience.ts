import { type Audience, getNarrowest } from '../permissions/audiences.ts';
import { getSetting } from '../runtime/settings.ts';
import { canStrangersRegister } from '../runtime/settings-check.ts';

/**
 * Whether an account says that its user belongs here. It doesn’t while anyone can register: then everyone could be a member
 * (decisions.md#audience).
 */
export const areMembersKnown = (): boolean =>
  !canStrangersRegister({
    REGISTRATION: getSetting('REGISTRATION'),
    ALLOWED_DOMAINS: getSetting('ALLOWED_DOMAINS'),
    EMAIL_VERIFICATION: getSetting('EMAIL_VERIFICATION'),
  });

/** Returns an audience as far as the settings of the service allow it now. */
export const limitAudience = (audience: Audience): Audience => {
  const allowed = getNarrowest(audience, getSetting('MAX_AUDIENCE'));
  return allowed === 'members' && !areMembersKnown() ? 'private' : allowed;
};
