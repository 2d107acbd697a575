import { invalidField } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';

/** Returns whether ALLOWED_DOMAINS has the domain of an email address. */
export const isAllowedDomain = (email: string): boolean => {
  const domains = getSetting('ALLOWED_DOMAINS');
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1));
};

/**
 * Asserts that ALLOWED_DOMAINS has the domain of an email address.
 * @throws AppError VALIDATION_ERROR about `email` that names the domains
 */
export const assertAllowedDomain = (email: string): void => {
  if (isAllowedDomain(email)) return;
  const domains = getSetting('ALLOWED_DOMAINS').join(' or ');
  throw invalidField('email', `must be an address at ${domains}`);
};
