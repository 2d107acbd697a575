import { randomUUID, type webcrypto } from 'node:crypto';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { LruCache } from '../runtime/lru-cache.ts';
import { findSigningKey, getCurrentKey } from '../runtime/signing-keys.ts';

const issuer = 'handbill';

/** Allowed clock difference between functions (decisions.md#tokens). */
const leewaySeconds = 60;

/** Only canonical ids: another notation of the same number is a forgery. */
const ofSession = {
  sub: z.string().regex(/^(0|[1-9]\d{0,15})$/),
  sid: z.string().regex(/^[\w-]{1,64}$/),
};

/** A hint that the user had a custom role, which is read with the user then. It grants nothing. */
const ofRole = { cr: z.literal(true).optional() };

const ofRotation = { ...ofSession, n: z.int().nonnegative() };

const ofApp = {
  sub: ofSession.sub,
  app: z.string().regex(/^[\w-]{1,64}$/),
  lid: z.string().regex(/^[\w-]{1,64}$/),
  n: z.int().nonnegative(),
};

/** A user as of a time: both epochs must still be those of the account. */
const ofEpochs = { sub: ofSession.sub, se: z.int().nonnegative(), fe: z.int().nonnegative() };

/** What a passkey's challenge is for: adding one, signing in by it alone or after a password, or proving who is signed in. */
const challengeUses = ['add', 'sign-in', 'second', 'prove'] as const;

const ofOpened = { sub: z.string(), pwd: z.string().optional() };

const ofView = {
  ...ofOpened,
  txt: z.string(),
  rdr: z.int().positive().optional(),
  prf: z.string().optional(),
};

/** Claims of each token type, in addition to `iss`, `aud`, `iat`, `exp`, `jti` and `typ`. */
const claims = {
  /** Authorizes requests of a user's session. `n` is that of the refresh token it came with. */
  access: z.object({ ...ofRotation, ...ofRole }),
  /** Exchanged for new tokens. `n` counts the rotations of the session. */
  refresh: z.object(ofRotation),
  /**
   * Authorizes what a connected app asks of `POST /mcp`, and nothing else. `app` is the hash of its client id, `lid` the login
   * that got the token, `n` counts the rotations of that login's refresh token.
   */
  app: z.object({ ...ofApp, ...ofRole }),
  /** Exchanged for new tokens of a connected app. The claims are as above. */
  'app-refresh': z.object(ofApp),
  /** The id of a client that has registered itself: what it has registered. */
  client: z.object({ name: z.string(), to: z.array(z.string()).max(5) }),
  /**
   * Shows that the password was right, or what signed in in its place: `via`, of the provider `pro`. For the second step of a
   * sign-in. `se` and `fe` are the epochs of sessions and factors.
   */
  mfa: z.object({
    ...ofEpochs,
    via: z.enum(['provider', 'email']).optional(),
    pro: z.string().optional(),
  }),
  /**
   * Value of the cookie of a sign-in that is under way at a provider: what the answer is checked with, the page `next` to open
   * afterwards, and, to connect an account, the session and the epochs of who is signed in.
   */
  provider: z.object({
    pro: z.string(),
    st: z.string(),
    non: z.string(),
    ver: z.string(),
    next: z.string().optional(),
    con: z.object({ ...ofEpochs, sid: ofSession.sid }).optional(),
  }),
  /** Allows the session `sid` to connect an account of the provider `pro`. */
  connect: z.object({ ...ofEpochs, sid: ofSession.sid, pro: z.string() }),
  /** The link beside a code that signs a user in: the address that both are sent to, and the id of the code. */
  'sign-in-link': z.object({ email: z.string(), code: z.string() }),
  /** Value of the cookie of a device that isn't asked for a second factor. The claims are as above. */
  device: z.object(ofEpochs),
  /** The challenge of a passkey: the text that it signs. `sub` is the user that it is for, if it is known. */
  challenge: z.object({ use: z.enum(challengeUses), sub: ofSession.sub.optional() }),
  /** Value of the session cookie. */
  session: z.object({ ...ofSession, ...ofRole }),
  /**
   * Allows reading a share again without consuming another view. `sub` is the id of the share, or of the recipient link that
   * opened it, `txt` identifies the content that was viewed, `pwd` the password that was entered, `rdr` the user who was
   * admitted, where not anyone is, `prf` what a code proved, and `at` is when the view was counted, in s since 1970.
   */
  view: z.object({ ...ofView, at: z.int() }),
  /** Allows reading the files that a share’s page loads, for longer than the page. The claims are as above. */
  files: z.object(ofView),
  /** The recipient links whose codes a browser has entered: `id` is what the code proved, `until` is in s since 1970. */
  proofs: z.object({
    of: z.array(z.object({ link: z.string(), id: z.string(), until: z.int() })).max(10),
  }),
  /** Allows a reader to end a share. `sub` and `pwd` are as above. */
  end: z.object(ofOpened),
  /** Allows handing content in through a share request with a password: `pwd` is the one that was entered. */
  submit: z.object({ sub: z.string(), pwd: z.string() }),
} as const;

export type TokenKind = keyof typeof claims;
export type Claims<Kind extends TokenKind> = Readonly<z.output<(typeof claims)[Kind]>>;

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
  const key = await getCurrentKey();
  return new SignJWT({ ...content, typ: kind })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setJti(id)
    .setIssuedAt(Math.floor(issuedAt / 1_000))
    .setExpirationTime(Math.floor((issuedAt + lifetimeMs) / 1_000))
    .sign(key.hmac);
};

const getKey = async ({ kid }: JWTHeaderParameters): Promise<webcrypto.CryptoKey> => {
  const key = kid === undefined ? undefined : await findSigningKey(kid);
  if (!key) throw new TokenError('Signed with a key that is not in use');
  return key.hmac;
};

interface Signed {
  readonly payload: JWTPayload & { readonly exp: number; readonly iat: number };
  readonly kid: string;
  readonly key: unknown;
}

const verifySignature = async (token: string): Promise<Signed> => {
  try {
    const { payload, protectedHeader, key } = await jwtVerify(token, getKey, {
      algorithms: ['HS256'],
      issuer,
      audience: issuer,
      requiredClaims: ['exp', 'iat', 'jti'],
    });
    return { payload, kid: protectedHeader.kid, key } as Signed;
  } catch (cause) {
    if (cause instanceof errors.JOSEError)
      throw new TokenError('The token is not valid', { cause });
    throw cause;
  }
};

/** The claims of a verified access token, the key that signed it, and from when to when they hold, in ms since 1970. */
interface Verified {
  readonly claims: Claims<'access'>;
  readonly kid: string;
  readonly key: unknown;
  readonly from: number;
  readonly until: number;
}

/** How many access tokens a process remembers, the last that were used. */
const maxVerified = 500;

/** By their text (decisions.md#tokens). */
const verified = new LruCache<Verified>(maxVerified);

/** Returns the claims of an access token that this process has verified, if it still holds and its key is still in use. */
const recallClaims = async (token: string): Promise<Claims<'access'> | undefined> => {
  const known = verified.get(token);
  if (!known) return undefined;
  const now = Date.now();
  const isCurrent = known.from <= now && now < known.until;
  if (isCurrent && (await findSigningKey(known.kid))?.hmac === known.key) return known.claims;
  verified.delete(token);
  return undefined;
};

/**
 * Verifies a token's type, signature, issuer, audience and expiry, and returns its claims.
 * @throws TokenError if the token is invalid
 */
export const verifyToken = async <Kind extends TokenKind>(
  kind: Kind,
  token: string,
): Promise<Claims<Kind>> => {
  const known = kind === 'access' ? await recallClaims(token) : undefined;
  if (known) return known as Claims<Kind>;
  const { payload, kid, key } = await verifySignature(token);
  const now = Date.now();
  if (payload.iat > now / 1_000 + leewaySeconds) {
    throw new TokenError('The token is from the future');
  }
  const parsed = claims[kind].safeParse(payload);
  if (payload['typ'] !== kind || !parsed.success) {
    throw new TokenError(`Not a token of the kind ${kind}`);
  }
  const found = parsed.data as unknown as Claims<Kind>;
  if (kind === 'access') {
    const until = payload.exp * 1_000;
    verified.set(token, { claims: found as Claims<'access'>, kid, key, from: now, until });
  }
  return found;
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
