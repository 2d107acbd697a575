import { createHash } from 'node:crypto';
import {
  GetSecretValueCommand,
  InternalServiceError,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signToken, TokenError, verifyToken } from '../../../shared/auth/tokens.ts';
import { findSigningKey, getCurrentKey } from '../../../shared/runtime/signing-keys.ts';

const secrets = mockClient(SecretsManagerClient);
const start = Date.parse('2026-11-21T12:00:00Z');
const kidOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8);
const secretOf = (name: string) => createHash('sha256').update(name).digest('base64');
const [older, old, current] = [secretOf('older'), secretOf('old'), secretOf('current')];
const noSuchVersion = new ResourceNotFoundException({
  message: 'Secrets Manager can not find the specified secret value for staging label: AWSPREVIOUS',
  $metadata: { httpStatusCode: 400 },
});
const down = new InternalServiceError({
  message: 'down',
  $metadata: { httpStatusCode: 500 },
});

/** What the secret's two versions hold from now on. */
const hold = (now: string, before?: string): void => {
  secrets.reset();
  secrets.on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' }).resolves({ SecretString: now });
  const previous = secrets.on(GetSecretValueCommand, { VersionStage: 'AWSPREVIOUS' });
  if (before === undefined) previous.rejects(noSuchVersion);
  else previous.resolves({ SecretString: before });
};

/** How often the versions of the secret were read since it was last changed. */
const reads = (VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS' = 'AWSCURRENT'): number =>
  secrets.commandCalls(GetSecretValueCommand, { VersionStage }).length;

const later = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};

const sign = () => signToken('end', { sub: 'a-share' }, 3_600_000);
const verify = (token: string) => verifyToken('end', token);

let secretCount = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  vi.stubEnv('JWT_SECRET', undefined);
  // A secret of another name: nothing of the test before is remembered.
  vi.stubEnv('JWT_SECRET_ID', `handbill/jwt-${secretCount++}`);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('the signing secret', () => {
  it('is read from Secrets Manager once for concurrent callers', async () => {
    hold(current, old);
    const keys = await Promise.all([
      getCurrentKey(),
      getCurrentKey(),
      findSigningKey(kidOf(current)),
    ]);
    expect(keys.map((key) => key?.kid)).toEqual(Array.from({ length: 3 }, () => kidOf(current)));
    const SecretId = process.env['JWT_SECRET_ID'];
    expect(secrets.commandCalls(GetSecretValueCommand).map(({ args }) => args[0].input)).toEqual([
      { SecretId, VersionStage: 'AWSCURRENT' },
    ]);
  });

  it('is read in both versions from the first token of another key on', async () => {
    hold(current, old);
    await getCurrentKey();
    const keys = await Promise.all([findSigningKey(kidOf(old)), findSigningKey(kidOf(old))]);
    expect(keys.map((key) => key?.kid)).toEqual([kidOf(old), kidOf(old)]);
    expect([reads(), reads('AWSPREVIOUS')]).toEqual([2, 1]);
    later(6 * 60_000);
    await getCurrentKey();
    expect([reads(), reads('AWSPREVIOUS')]).toEqual([3, 2]);
  });

  it('signs with the current version, and its id does not reveal it', async () => {
    hold(current, old);
    const token = await sign();
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: kidOf(current) });
    expect(await verify(token)).toEqual({ sub: 'a-share' });
  });

  it('may have no previous version', async () => {
    hold(current);
    expect(await verify(await sign())).toEqual({ sub: 'a-share' });
    expect(await findSigningKey(kidOf(old))).toBeUndefined();
  });

  it('is cached for 5 minutes', async () => {
    hold(current);
    await sign();
    later(5 * 60_000);
    await sign();
    expect(reads()).toBe(1);
    later(1);
    await sign();
    expect(reads()).toBe(2);
  });

  it('of JWT_SECRET needs no Secrets Manager', async () => {
    hold(current);
    vi.stubEnv('JWT_SECRET', old);
    expect(await getCurrentKey()).toMatchObject({ kid: kidOf(old) });
    expect(reads()).toBe(0);
  });

  it('throws an error if it is not set', async () => {
    vi.stubEnv('JWT_SECRET_ID', undefined);
    await expect(getCurrentKey()).rejects.toThrow(
      'Set JWT_SECRET to a random secret of at least 32 characters.',
    );
  });
});

describe('a rotation', () => {
  it('keeps tokens of the previous version valid, but no older ones', async () => {
    hold(older);
    const oldest = await sign();
    later(6 * 60_000);
    hold(old, older);
    const token = await sign();
    later(6 * 60_000);
    hold(current, old);
    expect(await verify(token)).toEqual({ sub: 'a-share' });
    await expect(verify(oldest)).rejects.toThrow(TokenError);
    expect(decodeProtectedHeader(await sign()).kid).toBe(kidOf(current));
  });

  it('is noticed by a token that another function has signed', async () => {
    hold(current);
    const token = await sign();
    vi.stubEnv('JWT_SECRET_ID', 'handbill/jwt-of-a-function-that-was-slower');
    hold(old);
    await sign();
    later(10_001);
    hold(current, old);
    expect(await verify(token)).toEqual({ sub: 'a-share' });
    expect(reads()).toBe(1);
  });
});

describe('a token of an unknown key', () => {
  it('reads the secret again, at most every 10 s', async () => {
    hold(old);
    const stranger = await sign();
    vi.stubEnv('JWT_SECRET_ID', 'handbill/jwt-of-others');
    hold(current);
    await sign();
    expect(reads()).toBe(1);
    const verifyMany = () =>
      Promise.all(
        Array.from({ length: 20 }, () => expect(verify(stranger)).rejects.toThrow(TokenError)),
      );
    await verifyMany();
    // It may have been signed with the previous version.
    expect(reads()).toBe(2);
    later(10_000);
    await verifyMany();
    expect(reads()).toBe(2);
    later(1);
    await verifyMany();
    expect(reads()).toBe(3);
    later(10_000);
    await verifyMany();
    expect(reads()).toBe(3);
  });
});

describe('a failed load', () => {
  it('is thrown to all callers and not cached', async () => {
    hold(current);
    secrets.on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' }).rejectsOnce(down);
    const results = await Promise.allSettled([sign(), sign()]);
    expect(results).toEqual([
      { status: 'rejected', reason: down },
      { status: 'rejected', reason: down },
    ]);
    secrets
      .on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' })
      .resolves({ SecretString: current });
    expect(await verify(await sign())).toEqual({ sub: 'a-share' });
  });

  it('includes one of the previous version, unless there is none', async () => {
    hold(current);
    secrets.on(GetSecretValueCommand, { VersionStage: 'AWSPREVIOUS' }).rejects(down);
    await expect(findSigningKey(kidOf(old))).rejects.toBe(down);
    expect(await getCurrentKey()).toMatchObject({ kid: kidOf(current) });
    hold(current, old);
    expect(await findSigningKey(kidOf(old))).toMatchObject({ kid: kidOf(old) });
  });
});

it('uses the cached keys while they cannot be read again', async () => {
  hold(current, old);
  const keys = [kidOf(current), kidOf(old)];
  const find = () => Promise.all(keys.map(findSigningKey));
  expect(await find()).toMatchObject(keys.map((kid) => ({ kid })));
  vi.setSystemTime(Date.now() + 301_000);
  secrets.reset();
  secrets.on(GetSecretValueCommand).rejects(down);
  expect(await find()).toMatchObject(keys.map((kid) => ({ kid })));
  expect(await findSigningKey('unknown!')).toBeUndefined();
});

describe('a weak secret', () => {
  const weak = [
    ['a short one', secretOf('short').slice(0, 31)],
    ['an example', 'your-super-secret-jwt-key-change-in-production'],
    ['a pattern', 'x1y2'.repeat(10)],
  ] as const;

  it.each(weak)('is rejected and not quoted: %s', async (_, secret) => {
    hold(secret);
    const refused = getCurrentKey();
    await expect(refused).rejects.toThrow(
      'Put a random secret of at least 32 characters, neither an example nor a pattern, into the secret that JWT_SECRET_ID names.',
    );
    await expect(refused).rejects.not.toThrow(secret);
  });

  it.each(weak)('is not accepted as the previous version: %s', async (_, secret) => {
    // Signed elsewhere, as anyone who has guessed the secret would.
    vi.stubEnv('JWT_SECRET', secret);
    const forged = await sign();
    vi.stubEnv('JWT_SECRET', undefined);
    hold(current, secret);
    expect(await verify(await sign())).toEqual({ sub: 'a-share' });
    await expect(verify(forged)).rejects.toThrow(TokenError);
  });

  it('does not replace a strong one in use', async () => {
    hold(current);
    const { kid } = await getCurrentKey();
    later(6 * 60_000);
    hold('changeme'.repeat(5), current);
    expect(await getCurrentKey()).toMatchObject({ kid });
  });
});

it.each(['JWT_SECRET', 'JWT_SECRET_ID'])(
  'rejects a weak secret in production: %s',
  async (name) => {
    vi.stubEnv('NODE_ENV', 'production');
    hold('changeme'.repeat(5));
    if (name === 'JWT_SECRET') vi.stubEnv('JWT_SECRET', 'changeme'.repeat(5));
    await expect(getCurrentKey()).rejects.toThrow(/random secret of at least 32 characters/);
  },
);
