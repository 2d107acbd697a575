import {
  GetSecretValueCommand,
  InternalServiceError,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getClientSecret, renewClientSecrets } from '../../../shared/runtime/provider-secrets.ts';

const secrets = mockClient(SecretsManagerClient);
const google = { name: 'google' };
const down = new InternalServiceError({ message: 'down', $metadata: { httpStatusCode: 500 } });

/** What is stored from now on. */
const hold = (SecretString: string): void => {
  secrets.reset();
  secrets.on(GetSecretValueCommand).resolves({ SecretString });
};

/** How often it was read since it was last changed. */
const reads = (): number => secrets.commandCalls(GetSecretValueCommand).length;

const later = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};

let secretCount = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') });
  // A secret of another name: nothing of the test before is remembered.
  vi.stubEnv('PROVIDER_SECRETS_ID', `handbill/providers-${secretCount++}`);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('a client secret', () => {
  it('is read from Secrets Manager, once for concurrent callers and all providers', async () => {
    hold('{"google":"of-google","github":"of-github"}');
    const found = await Promise.all(
      ['google', 'github', 'okta', 'constructor'].map((name) => getClientSecret({ name })),
    );
    expect(found).toEqual(['of-google', 'of-github', undefined, undefined]);
    const SecretId = process.env['PROVIDER_SECRETS_ID'];
    expect(secrets.commandCalls(GetSecretValueCommand).map(({ args }) => args[0].input)).toEqual([
      { SecretId },
    ]);
  });

  it('is that of the environment on one machine', async () => {
    hold('{"google":"of-google"}');
    vi.stubEnv('OIDC_GOOGLE_CLIENT_SECRET', 'local');
    expect(await getClientSecret(google)).toBe('local');
    expect(reads()).toBe(0);
  });

  it('is none without Secrets Manager', async () => {
    vi.stubEnv('PROVIDER_SECRETS_ID', undefined);
    hold('{"google":"of-google"}');
    expect(await getClientSecret(google)).toBeUndefined();
    expect(reads()).toBe(0);
  });

  it('is none before one was stored', async () => {
    secrets.reset();
    secrets
      .on(GetSecretValueCommand)
      .rejects(new ResourceNotFoundException({ message: 'no value', $metadata: {} }));
    expect(await getClientSecret(google)).toBeUndefined();
  });

  it('is kept for 5 minutes', async () => {
    hold('{"google":"old"}');
    await getClientSecret(google);
    hold('{"google":"new"}');
    later(5 * 60_000);
    expect(await getClientSecret(google)).toBe('old');
    later(1);
    expect(await getClientSecret(google)).toBe('new');
  });

  it('is read again after the issuer refused it, at most every 10 s', async () => {
    hold('{"google":"old"}');
    await getClientSecret(google);
    hold('{"google":"new"}');
    renewClientSecrets();
    later(10_000);
    expect(await getClientSecret(google)).toBe('old');
    later(1);
    expect(await getClientSecret(google)).toBe('new');
    later(60_000);
    await getClientSecret(google);
    expect(reads()).toBe(1);
  });
});

describe('a failed load', () => {
  it('is thrown to all callers and not kept', async () => {
    hold('{"google":"of-google"}');
    secrets
      .on(GetSecretValueCommand)
      .rejectsOnce(down)
      .resolves({ SecretString: '{"google":"a"}' });
    const results = await Promise.allSettled([getClientSecret(google), getClientSecret(google)]);
    expect(results).toEqual([
      { status: 'rejected', reason: down },
      { status: 'rejected', reason: down },
    ]);
    expect(await getClientSecret(google)).toBe('a');
  });

  it('leaves what was read before in use', async () => {
    hold('{"google":"of-google"}');
    await getClientSecret(google);
    later(301_000);
    secrets.reset();
    secrets.on(GetSecretValueCommand).rejects(down);
    expect(await getClientSecret(google)).toBe('of-google');
  });
});

it.each(['of-google', '["of-google"]', '{"google":{"of-google":1}}', '{"google":"of-google"'])(
  'names the command for another form, and quotes nothing: %s',
  async (text) => {
    hold(text);
    const refused = getClientSecret(google);
    await expect(refused).rejects.toThrow(/^Store the client secrets .*`npm run secret`/);
    const error = (await refused.catch((thrown: unknown) => thrown)) as Error;
    expect([error.message, error.stack, error.cause].join()).not.toContain('of-google');
  },
);
