import { describe, expect, it } from 'vitest';
import {
  createSecret,
  findStep,
  isTotpCode,
  toUri,
} from '../../../../functions/api/auth/factors/totp.ts';
import { codeOf, stepMs } from '../../../support/users/authenticator.ts';

/** The test key of RFC 6238, appendix B, in Base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** The last six of its eight digits, by the time in s. https://www.rfc-editor.org/rfc/rfc6238#appendix-B */
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('a code of an authenticator app', () => {
  it.each(vectors)('at %d s is %s, as RFC 6238 says', (seconds, code) => {
    expect(findStep(code, secret, seconds * 1_000)).toBe(Math.floor(seconds / 30));
    expect(codeOf(secret, seconds * 1_000)).toBe(code);
  });

  it('is accepted from one time step before to one after, to the millisecond', () => {
    const step = 60_000_000;
    const code = codeOf(secret, step * stepMs);
    const at = (ms: number) => findStep(code, secret, step * stepMs + ms);
    expect([at(-stepMs - 1), at(-stepMs), at(0), at(2 * stepMs - 1), at(2 * stepMs)]).toEqual([
      undefined,
      step,
      step,
      step,
      undefined,
    ]);
  });

  it('is refused if its time step or a later one was used', () => {
    const now = 1_111_111_111_000;
    const step = Math.floor(now / stepMs);
    const code = codeOf(secret, now);
    expect(findStep(code, secret, now, step - 1)).toBe(step);
    expect(findStep(code, secret, now, step)).toBeUndefined();
    expect(findStep(code, secret, now, step + 1)).toBeUndefined();
  });

  it.each(['050 471', ' 050471 ', '0 5 0 4 7 1'])('may have spaces: %j', (typed) => {
    expect(isTotpCode(typed)).toBe(true);
    expect(findStep(typed, secret, 1_111_111_111_000)).toBeDefined();
  });

  it.each(['', '50471', '0504710', '05047a', '-50471', '5.0471', '٠٥٠٤٧١', '050471\u0000'])(
    'is not %j',
    (typed) => {
      expect(isTotpCode(typed)).toBe(false);
      expect(findStep(typed, secret, 1_111_111_111_000)).toBeUndefined();
    },
  );
});

describe('the key of an authenticator app', () => {
  it('has 160 random bits in Base32', () => {
    const keys = new Set(Array.from({ length: 100 }, createSecret));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is shown to the app with the service and the account', () => {
    const uri = new URL(toUri(secret, 'Handbill handbill.test', 'ann+x@example.com'));
    expect(uri.protocol + uri.host).toBe('otpauth:totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/Handbill handbill.test:ann+x@example.com');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret,
      issuer: 'Handbill handbill.test',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
