import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with what all authenticator apps know: SHA-1, 6 digits, 30 seconds. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** The bytes of a new key: as many as SHA-1 gives (RFC 4226, 4). */
const secretBytes = 20;

/** How many time steps a clock may be off. */
const skew = 1;

/** Creates the key of a new authenticator app, in Base32. */
export const createSecret = (): string => new Secret({ size: secretBytes }).base32;

/** Returns the address that a QR code shows to an app, which then names the service and the account. */
export const toUri = (secret: string, service: string, account: string): string =>
  new TOTP({ ...parameters, secret, issuer: service, label: account }).toString();

/** Returns whether a text is six digits, with spaces or without. */
export const isTotpCode = (typed: string): boolean => /^\d{6}$/.test(typed.replace(/\s/g, ''));

/**
 * Returns the time step (30 s, since 1970) of which a code is, at a time in ms since 1970; `undefined` if it is of none from
 * one before to one after that time, or of one up to `lastStep`.
 */
export const findStep = (
  typed: string,
  secret: string,
  now: number,
  lastStep = -1,
): number | undefined => {
  if (!isTotpCode(typed)) return undefined;
  const totp = new TOTP({ ...parameters, secret });
  const token = typed.replace(/\s/g, '');
  const delta = totp.validate({ token, timestamp: now, window: skew });
  if (delta === null) return undefined;
  const step = Math.floor(now / 1_000 / parameters.period) + delta;
  return step > lastStep ? step : undefined;
};
