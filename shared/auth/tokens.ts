import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { findSigningKey, getCurrentKey } from '../runtime/signing-keys.ts';
import { signJwt, verifyJwt } from './jwt.ts';

const issuer = 'handbill';

/** Allowed clock difference between functions (decisions.md#tokens). */
const leewaySeconds = 60;

/** Only canonical ids: another notation of the same number is a forgery. */
const ofSession = {
  sub: z.string().regex(/^(0|[1-9]\d{0,15})$/),
  sid: z.string().regex(/^[\w-]{1,64}$/),
};

/** Claims of each token type, in addition to `iss`, `aud`, `iat`, `exp`, `jti` and `typ`. */
const claims = {
  /** Authorizes requests of a user's session. */
  access: z.object(ofSession),
  /** Exchanged for new tokens. `n` counts the rotations of the session. */
  refresh: z.object({ ...ofSession, n: z.int().nonnegative() }),
  /** Value of the session cookie. */
  session: z.object(ofSession),
  /**
   * Allows reading a share again without consuming another view. `pwd` identifies the password that was entered, `lnk` the
   * recipient link.
   */
  view: z.object({ sub: z.string(), pwd: z.string().optional(), lnk: z.string().optional() }),
  /** Allows a reader to end a share. `pwd` is as above. */
  end: z.object({ sub: z.string(), pwd: z.string().optional() }),
} as const;

export type TokenKind = keyof typeof claims;
export type Claims<Kind extends TokenKind> = z.output<(typeof claims)[Kind]>;

/** A token that is malformed, forged, expired or of another type. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/**
 * Signs a token (HS256) that is valid for `lifetimeMs` from `issuedAt` (ms since 1970, now by default). Equal content,
 * times and `id` create an equal token.
 */
export const signToken = async <Kind extends TokenKind>(
  kind: Kind,
  content: Claims<Kind>,
  lifetimeMs: number,
  { issuedAt = Date.now(), id = randomUUID() as string } = {},
): Promise<string> => {
  const signed = {
    ...content,
    typ: kind,
    iss: issuer,
    aud: issuer,
    jti: id,
    iat: Math.floor(issuedAt / 1_000),
    exp: Math.floor((issuedAt + lifetimeMs) / 1_000),
  };
  return signJwt(signed, await getCurrentKey());
};

const isValid = ({ iss, aud, jti, iat, exp, nbf }: Readonly<Record<string, unknown>>): boolean => {
  const now = Date.now() / 1_000;
  return (
    iss === issuer &&
    aud === issuer &&
    jti !== undefined &&
    // The service sets none.
    nbf === undefined &&
    typeof iat === 'number' &&
    iat <= now + leewaySeconds &&
    typeof exp === 'number' &&
    exp > now
  );
};

/**
 * Verifies a token's type, signature, issuer, audience and expiry, and returns its claims.
 * @throws TokenError if the token is invalid
 */
export const verifyToken = async <Kind extends TokenKind>(
  kind: Kind,
  token: string,
): Promise<Claims<Kind>> => {
  const payload = await verifyJwt(token, findSigningKey);
  const content = payload && isValid(payload) ? claims[kind].safeParse(payload) : undefined;
  if (payload?.['typ'] !== kind || !content?.success) {
    throw new TokenError(`Not a valid token of the kind ${kind}`);
  }
  return content.data as Claims<Kind>;
};

/** Returns the claims of a token as `verifyToken` does; `undefined` without a token, or for an invalid one. */
export const readToken = async <Kind extends TokenKind>(
  kind: Kind,
  token: string | undefined,
): Promise<Claims<Kind> | undefined> => {
  if (token === undefined) return undefined;
  try {
    return await verifyToken(kind, token);
  } catch (error) {
    if (error instanceof TokenError) return undefined;
    throw error;
  }
};
