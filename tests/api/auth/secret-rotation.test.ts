import { createHash, randomUUID } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { call } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import {
  invocationMs,
  newBody,
  useKeyedRequests,
  usersOf,
} from '../../support/service/keyed-requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newEmail, newUserOf, register } from '../../support/users/test-users.ts';

useTable();
const { create } = useKeyedRequests();
const secrets = mockClient(SecretsManagerClient);
const secretOf = (name: string) => createHash('sha256').update(name).digest('base64');
const [older, old, current] = [secretOf('older'), secretOf('old'), secretOf('current')];

/** Sets the values of the two versions of the secret. */
const hold = (now: string, before: string): void => {
  secrets.reset();
  secrets.on(GetSecretValueCommand, { VersionStage: 'AWSCURRENT' }).resolves({ SecretString: now });
  secrets
    .on(GetSecretValueCommand, { VersionStage: 'AWSPREVIOUS' })
    .resolves({ SecretString: before });
};
const reads = (): number => secrets.commandCalls(GetSecretValueCommand).length / 2;
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Rotates the secret and waits until it is read again. */
const rotate = () => {
  hold(current, old);
  later(6 * 60_000);
};

let number = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubEnv('JWT_SECRET', undefined);
  // A new secret name avoids the cache of the previous test.
  vi.stubEnv('JWT_SECRET_ID', `handbill/rotated-${number++}`);
  hold(old, older);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('a session from before a rotation of the secret', () => {
  it('stays valid with each of its tokens', async () => {
    const { body, cookies = [] } = await register(newEmail());
    rotate();
    const me = (credentials: object) => call('GET /api/auth/me', credentials);
    expect((await me({ token: body.accessToken })).status).toBe(200);
    later(6 * 86_400_000);
    const cookie = cookies[0]?.split(';')[0] ?? '';
    expect((await me({ cookies: [cookie] })).status).toBe(200);
    const { refreshToken } = body;
    const refreshed = await call('POST /api/auth/refresh', { body: { refreshToken } });
    expect(refreshed.status).toBe(200);
  });
});

describe('a request repeated after a rotation of the secret', () => {
  it('returns the first response and rejects another body', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const first = await create(admin, body, key);
    rotate();
    for (const _ of [1, 2]) {
      const again = await create(admin, body, key);
      expect([again.status, again.isReplayed, again.text]).toEqual([201, true, first.text]);
    }
    const other = await create(admin, { ...body, name: 'Another' }, key);
    expect([other.status, other.body.error.code]).toEqual([422, 'UNPROCESSABLE']);
    expect(await usersOf(body.email)).toBe(1);
  });

  it('succeeds after an attempt that was interrupted after the write', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    const isMade = new Promise<void>((resolve) => {
      instead(documentClient(), TransactWriteCommand, async (go) => {
        await go();
        resolve();
        return new Promise<never>(() => undefined);
      });
    });
    // The rest of the attempt never completes.
    create(admin, body, key).catch(() => undefined);
    await isMade;
    vi.restoreAllMocks();
    rotate();
    later(invocationMs + 1_000);
    const again = await create(admin, body, key);
    expect([again.status, again.body.data.email]).toEqual([201, body.email]);
    expect(await usersOf(body.email)).toBe(1);
  });

  it('returns the first response before this function has read the new secret', async () => {
    const admin = await newUserOf('admin');
    const body = newBody();
    const key = randomUUID();
    vi.stubEnv('JWT_SECRET', current);
    const token = (
      await call('POST /api/auth/login', {
        body: { email: admin.email, password: 'correct horse' },
      })
    ).body.accessToken;
    const first = await create({ token }, body, key);
    vi.stubEnv('JWT_SECRET', undefined);
    const here = (
      await call('POST /api/auth/login', {
        body: { email: admin.email, password: 'correct horse' },
      })
    ).body.accessToken;
    later(10_001);
    hold(current, old);
    const again = await create({ token: here }, body, key);
    expect([again.status, again.isReplayed, again.text]).toEqual([201, true, first.text]);
    expect(reads()).toBe(1);
  });
});
