import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SigningKey } from '../runtime/signing-keys.ts';

/*
 * JSON Web Tokens in the compact form, signed with HS256 and nothing else (RFC 7519, RFC 7515). `node:crypto` signs within
 * microseconds; Web Crypto, on which libraries rely, passes each signature to another thread (decisions.md#tokens).
 */

type Json = Readonly<Record<string, unknown>>;

const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Parses a part of a token, or returns `undefined` if it is no JSON object. */
const decode = (part: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined;
  } catch {
    return undefined;
  }
};

const createSignature = (signed: string, { secret }: SigningKey): string =>
  createHmac('sha256', secret).update(signed).digest('base64url');

/** Signs claims. */
export const signJwt = (claims: Json, key: SigningKey): string => {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid: key.kid })}.${encode(claims)}`;
  return `${signed}.${createSignature(signed, key)}`;
};

const isEqual = (text: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(text), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
};

/** Returns the claims of a token if its signature is by the key that `findKey` returns for its `kid`, else `undefined`. */
export const verifyJwt = async (
  token: string,
  findKey: (kid: string) => Promise<SigningKey | undefined>,
): Promise<Json | undefined> => {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.', 4);
  const { alg, kid, crit } = decode(header) ?? {};
  // Extensions listed in `crit` must be understood, and none is.
  if (rest.length > 0 || alg !== 'HS256' || typeof kid !== 'string' || crit !== undefined) {
    return undefined;
  }
  const key = await findKey(kid);
  if (!key || !isEqual(signature, createSignature(`${header}.${payload}`, key))) return undefined;
  return decode(payload);
};
