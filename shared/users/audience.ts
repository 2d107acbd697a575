import { type Audience, getNarrowest } from '../permissions/audiences.ts';
import { getSetting } from '../runtime/settings.ts';

/**
 * Whether an account says that its user belongs here. It doesn’t while anyone can register: then everyone could be a member
 * (decisions.md#audience).
 */
export const areMembersKnown = (): boolean =>
  getSetting('REGISTRATION') !== 'open' ||
  (getSetting('ALLOWED_DOMAINS').length > 0 && getSetting('EMAIL_VERIFICATION') === 'required');

/** Returns an audience as far as the settings of the service allow it now. */
export const limitAudience = (audience: Audience): Audience => {
  const allowed = getNarrowest(audience, getSetting('MAX_AUDIENCE'));
  return allowed === 'members' && !areMembersKnown() ? 'private' : allowed;
};
