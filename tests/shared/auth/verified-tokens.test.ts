import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Claims,
  signToken,
  TokenError,
  type TokenKind,
  verifyToken,
} from '../../../shared/auth/tokens.ts';
import { noticedWithinMs } from '../../../shared/runtime/signing-keys.ts';

const lifetimeMs = 15 * 60_000;
const start = Date.parse('2026-11-21T12:00:00Z');
const claims = { sub: '7', sid: 'a-session', n: 1 };

const signatures = vi.spyOn(crypto.subtle, 'verify');
const sign = (id?: string): Promise<string> => signToken('access', claims, lifetimeMs, { id });
const verify = (token: string): Promise<Claims<'access'>> => verifyToken('access', token);
const at = (ms: number): void => {
  vi.setSystemTime(start + ms);
};

let secretCount = 0;
const rotate = (): void => {
  vi.stubEnv('JWT_SECRET', `a secret of the tests, number ${secretCount++}`);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  rotate();
  signatures.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Returns a token that is remembered. */
const signVerified = async (): Promise<string> => {
  const token = await sign();
  expect(await verify(token)).toEqual(claims);
  return token;
};

/** Signs the claims of a token again, with another header or another secret. */
const signAgain = (
  token: string,
  header: Readonly<Record<string, string>>,
  secret = process.env['JWT_SECRET'] ?? '',
): string => {
  const [head = '', payload] = token.split('.');
  const before = JSON.parse(Buffer.from(head, 'base64url').toString());
  const signed = `${Buffer.from(JSON.stringify({ ...before, ...header })).toString('base64url')}.${payload}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

describe('a verified access token', () => {
  it('is not verified again while it is valid', async () => {
    const token = await signVerified();
    at(lifetimeMs / 4);
    expect(await verify(token)).toEqual(claims);
    expect(signatures).toHaveBeenCalledTimes(1);
  });

  it('expires', async () => {
    const token = await signVerified();
    at(lifetimeMs - 1);
    expect(await verify(token)).toEqual(claims);
    at(lifetimeMs);
    await expect(verify(token)).rejects.toThrow(TokenError);
  });

  it('is from the future once the clock was put back', async () => {
    const token = await signVerified();
    at(-60_000);
    expect(await verify(token)).toEqual(claims);
    at(-61_000);
    await expect(verify(token)).rejects.toThrow('The token is from the future');
  });

  it('is invalid once its key is not in use', async () => {
    const token = await signVerified();
    rotate();
    await expect(verify(token)).rejects.toThrow(TokenError);
  });

  it('is verified by each key that is read, even if the id is the same', async () => {
    const token = await signVerified();
    at(noticedWithinMs + 1);
    expect(await verify(token)).toEqual(claims);
    expect(signatures).toHaveBeenCalledTimes(2);
  });

  it.each<[string, (token: string) => string]>([
    ['another signature', (token) => signAgain(token, {}, 'another secret')],
    ['a signature cut short', (token) => token.slice(0, -1)],
    ['an unknown key', (token) => signAgain(token, { kid: '00000000' })],
    ['another algorithm', (token) => signAgain(token, { alg: 'HS512' })],
    ['no algorithm', (token) => signAgain(token, { alg: 'none' })],
  ])('lets no other with the same claims pass: %s', async (_, forge) => {
    const token = await signVerified();
    await expect(verify(forge(token))).rejects.toThrow(TokenError);
    await expect(verify(forge(token))).rejects.toThrow(TokenError);
    expect(await verify(token)).toEqual(claims);
  });

  it('is of no other kind', async () => {
    const token = await signVerified();
    for (const kind of ['session', 'refresh', 'view', 'files', 'end'] as const) {
      await expect(verifyToken(kind, token)).rejects.toThrow(`Not a token of the kind ${kind}`);
    }
  });

  it('makes room for others, the least recently used first', async () => {
    const tokens = await Promise.all(Array.from({ length: 501 }, (_, id) => sign(`${id}`)));
    const [first = '', second = '', ...others] = tokens;
    for (const token of [first, second, first, ...others]) await verify(token);
    expect(signatures).toHaveBeenCalledTimes(tokens.length);
    await verify(first);
    expect(signatures).toHaveBeenCalledTimes(tokens.length);
    await verify(second);
    expect(signatures).toHaveBeenCalledTimes(tokens.length + 1);
  });
});

describe('not remembered', () => {
  it('is an invalid token', async () => {
    const token = signAgain(await sign(), {}, 'another secret');
    for (let times = 1; times <= 3; times++) {
      await expect(verify(token)).rejects.toThrow(TokenError);
      expect(signatures).toHaveBeenCalledTimes(times);
    }
  });

  it.each<[Exclude<TokenKind, 'access'>, Claims<Exclude<TokenKind, 'access'>>]>([
    ['session', claims],
    ['refresh', claims],
    ['view', { sub: 'a-share', txt: 'a-content', at: 1 }],
    ['files', { sub: 'a-share', txt: 'a-content' }],
    ['end', { sub: 'a-share' }],
  ])('is a token of the kind %s', async (kind, content) => {
    const token = await signToken(kind, content, lifetimeMs);
    for (let times = 1; times <= 2; times++) {
      await verifyToken(kind, token);
      expect(signatures).toHaveBeenCalledTimes(times);
    }
  });
});
