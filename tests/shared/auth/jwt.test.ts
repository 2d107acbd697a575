import { jwtVerify, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { signJwt, verifyJwt } from '../../../shared/auth/jwt.ts';

const key = { kid: '0a1b2c3d', secret: 'kCq9vV3x7R2mN5pL8sT1wY4zB6dF0hJa' };
const bytes = new TextEncoder().encode(key.secret);
const claims = { sub: 'ä/+?>', n: 1, iss: 'handbill', exp: 4_102_444_800 };
const findKey = async (kid: string) => (kid === key.kid ? key : undefined);
const verify = (token: string) => verifyJwt(token, findKey);

describe('a token', () => {
  it('is accepted by another implementation', async () => {
    const { payload, protectedHeader } = await jwtVerify(signJwt(claims, key), bytes);
    expect(payload).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT', kid: key.kid });
  });

  it('of another implementation is accepted', async () => {
    const signer = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key.kid });
    expect(await verify(await signer.sign(bytes))).toEqual(claims);
  });

  it('is rejected with any other character in any place', async () => {
    const token = signJwt(claims, key);
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', 'z', '_', '.', '=', '+', '']) {
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        if (changed !== token) expect(await verify(changed)).toBeUndefined();
      }
    }
  });

  it('is rejected with another key of the same id', async () => {
    const token = signJwt(claims, { ...key, secret: `${key.secret}!` });
    expect(await verify(token)).toBeUndefined();
  });
});
