import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isWeakSecret } from '../../../shared/runtime/weak-secret.ts';
import fc from '../../support/run/properties.ts';

const alphabets = {
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  base64url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  alphanumeric: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  'lower case': 'abcdefghijklmnopqrstuvwxyz',
  hex: '0123456789abcdef',
};

describe('a random secret', () => {
  it.each(Object.entries(alphabets))(
    'of 32 to 64 characters is strong: 1,000 in %s',
    (_, alphabet) => {
      // Each character is drawn evenly and apart: fast-check by itself prefers repetitions and `__proto__`, to find edges.
      const characters = fc.array(fc.constantFrom(...alphabet), { minLength: 32, maxLength: 64 });
      const secret = fc.noBias(characters).map((drawn) => drawn.join(''));
      fc.assert(
        fc.property(secret, (text) => !isWeakSecret(text)),
        { numRuns: 1_000 },
      );
    },
  );

  it.each([
    ['openssl rand -base64 32', () => randomBytes(32).toString('base64')],
    ['openssl rand -hex 16', () => randomBytes(16).toString('hex')],
    ['uuidgen', () => crypto.randomUUID()],
    // What `npm run rotate-secret` makes.
    ['48 bytes as base64url', () => randomBytes(48).toString('base64url')],
  ])('is strong as created by %s', (_, make) => {
    const secrets = Array.from({ length: 100 }, make);
    expect(secrets.filter(isWeakSecret)).toEqual([]);
  });

  it('may be 12 words of a dice list or wallet', () => {
    const words =
      'abandon zebra motion cliff orphan tunnel whisper garlic fossil ribbon quantum jacket';
    expect(isWeakSecret(words)).toBe(false);
  });
});

describe('a weak secret', () => {
  it('has under 32 characters', () => {
    const secret = 'q7Yk2vB9xW4nT6mR8cJ3hL5pD1sF0gZe';
    expect(secret).toHaveLength(32);
    expect([isWeakSecret(secret), isWeakSecret(secret.slice(1)), isWeakSecret('')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('has under 8 different characters in any order', () => {
    const draw = (characters: string) =>
      Array.from(randomBytes(400), (byte) => characters[byte % characters.length]).join('');
    expect(isWeakSecret(draw('aGk3_Zp'))).toBe(true);
    expect(isWeakSecret(draw('aGk3_Zpw'))).toBe(false);
  });

  it.each([
    // jwt.io
    'a-string-secret-at-least-256-bits-long',
    // READMEs and .env files
    'your_super_secure_random_string_here_min_32_chars',
    'CHANGE_ME_IN_PRODUCTION_PLEASE_1234567890',
    // published ones that look random, alone and with something about them
    'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
    '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970-prod',
    // patterns
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '0123456789abcdef0123456789abcdef',
    'q7Yk2vB9'.repeat(8),
    '!@#$%^&*()_+!@#$%^&*()_+!@#$%^&*()_+',
    // these tests and the benchmark
    process.env['JWT_SECRET'] ?? '',
    'a secret of the benchmark, long enough to sign with',
  ])('is well known or repeats itself: %s', (secret) => {
    expect(isWeakSecret(secret)).toBe(true);
  });
});
