import { createHash } from 'node:crypto';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';

/** The token of a link contains the id of its user, so that one read finds it. */
export const tokenPattern = /^([1-9]\d{0,15})\.([\w-]{43})$/;

/** Creates the error for an invalid token, the same for any reason. */
export const invalidLinkError = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This link is invalid or expired. Request a new one.', {
    details: [{ field: 'token', message: 'is invalid or expired; request a new link' }],
  });

/** Returns the address that a verification link would prove: the pending one, or else the current one if it is unproven. */
export const getAddressToVerify = ({
  email,
  emailVerifiedAt,
  pendingEmail,
}: StoredUser): string | undefined =>
  pendingEmail ?? (emailVerifiedAt === undefined ? email : undefined);

/** Returns the hash that is stored of a verification link. It covers the address, so that another one ends the link. */
export const hashVerification = (secret: string, email: string): string =>
  createHash('sha256').update(`verify ${secret} ${email}`).digest('base64url');

/** Returns the address that a token of a verification link proves for a user; `undefined` for a token that isn't valid. */
export const readVerification = (user: StoredUser, token: string): string | undefined => {
  const [, id, secret = ''] = token.match(tokenPattern) ?? [];
  const email = getAddressToVerify(user);
  const { emailTokenHash, emailTokenExpiresAt = '' } = user;
  if (Number(id) !== user.id || email === undefined || emailTokenHash === undefined)
    return undefined;
  if (emailTokenExpiresAt <= new Date().toISOString()) return undefined;
  return hashVerification(secret, email) === emailTokenHash ? email : undefined;
};
