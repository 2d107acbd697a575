import commonNames from 'reserved-usernames/data.json' with { type: 'json' };

/**
 * Names that the common list lacks: of our pages and what is below `/s/{slug}` (a test compares them with the routes), and
 * others that a reader would take for those of the service.
 */
const ownNames = `assets audit authorize calendar checkin documents embed enrol enroll favicon fonts handbill health leaving live mine moderation open proof
  public raw revisions robots shares snippets summary undefined undo-email view licences verify-email verify
  verification reverify confirm confirmation activate unlock recover recovery account-recovery my-account
  my-profile my-settings account-settings change-password new-password password-change password-recovery
  password-reset password-expired update-password sign-on log-on register-now two-factor second-factor mfa otp totp
  passkey passkeys sso session-expired billings invoice invoices payments refund refunds checkout renew
  subscribe unsubscribe help-desk helpdesk support-team security-alert security-check suspended
  callback safe-browsing captcha undeliverable quarantine takedown take-down licenses request requests decision`;

/** Writes `log-in`, `log_in` and `login` in one way. */
const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

let reserved: ReadonlySet<string> | undefined;

const getReserved = (): ReadonlySet<string> => {
  reserved ??= new Set([...commonNames, ...ownNames.split(/\s+/)].map(normalize));
  return reserved;
};

/** Returns whether a slug is the name of a page, or one that a reader would take for the service's own. */
export const isReserved = (slug: string): boolean => getReserved().has(normalize(slug));
