import { findCookie } from '../../../../shared/auth/find-cookie.ts';
import { readToken, signToken } from '../../../../shared/auth/tokens.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { getEpochs, isAsSigned } from './second-step.ts';

/** The prefix makes browsers require https, this exact host and the path `/`. */
const cookieName = '__Host-device';

/** For how long a device isn't asked for a second factor. */
const lifetimeMs = 30 * 24 * 60 * 60_000;

/**
 * Creates the `Set-Cookie` value of a device that isn't asked for a second factor for 30 days (decisions.md#second-factors). It is Lax,
 * so that it is seen when a provider sends its user back.
 */
export const createDeviceCookie = async (user: StoredUser): Promise<string> =>
  `${cookieName}=${await signToken('device', getEpochs(user), lifetimeMs)}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=${lifetimeMs / 1_000}`;

/** Finds the token of a device in the cookies of a request. */
export const readDeviceCookie = (cookies: readonly string[]): string | undefined =>
  findCookie(cookieName, cookies);

/** Returns whether a device is one of the user's that isn't asked for a second factor. */
export const isTrustedDevice = async (
  user: StoredUser,
  device: string | undefined,
): Promise<boolean> => {
  const claims = await readToken('device', device);
  return claims !== undefined && isAsSigned(user, claims);
};
