import { invalidField } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';

/**
 * Asserts that ALLOWED_DOMAINS has the domain of an email address.
 * @throws AppError VALIDATION_ERROR about `email` that names the domains
 */
export const assertAllowedDomain = (email: string): void => {
  const domains = getSetting('ALLOWED_DOMAINS');
  if (domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))) return;
  throw invalidField('email', `must be an address at ${domains.join(' or ')}`);
};
