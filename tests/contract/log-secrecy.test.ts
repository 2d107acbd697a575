// biome-ignore-all lint/suspicious/noConsole: the tests check console output
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { beforeEach, describe, expect, it } from 'vitest';
import { getLogger, getMetrics } from '../../shared/runtime/telemetry.ts';
import { takeLeaks } from '../support/run/log-secrecy.ts';
import { keepSecret, keepSecretsOf } from '../support/run/secrets.ts';
import { call } from '../support/service/call.ts';
import { newSeal, sealedBody, unseal } from '../support/shares/sealed.ts';
import { itemsOf, useTable } from '../support/table/table.ts';
import { createApiToken } from '../support/users/account.ts';
import { newResetToken, newUndoToken } from '../support/users/links.ts';
import { login, newPerson, newUserOf, password } from '../support/users/test-users.ts';

useTable();

// Each test clears the secrets that it logs. Remaining leaks fail the file.
beforeEach(() => {
  expect(takeLeaks()).toEqual([]);
});

const newShare = async (fields: Record<string, unknown>) => {
  const { token } = await newPerson();
  const share = { content: '<p>Hi</p>', ...fields };
  const { status, body } = await call('POST /api/share', { token, body: share });
  expect(status).toBe(201);
  return body;
};

const isDerived = (item: Record<string, unknown>) => item['password'] !== undefined;

const storedPassword = async (): Promise<{ hash: Uint8Array }> => {
  const { id } = await newShare({ password: 'aB3dE6' });
  return (await itemsOf(`SHARE#${id}`)).find(isDerived)?.['password'] as { hash: Uint8Array };
};

/** Obtains a secret of each kind the way other tests do. */
const secrets: Readonly<Record<string, () => Promise<string>>> = {
  'a password': async () => {
    await newPerson();
    return password;
  },
  'a wrong password': async () => {
    const body = { email: 'nobody@example.com', password: 'tr0ub4dor' };
    await call('POST /api/auth/login', { body });
    return 'tr0ub4dor';
  },
  'an access token': async () => (await newPerson()).token,
  'a refresh token': async () => (await newPerson()).refreshToken,
  'a session cookie': async () =>
    (await login((await newPerson()).email)).cookies?.[0]?.match(/=([^;]+)/)?.[1] ?? '',
  'an API token': async () => {
    const { token } = await newPerson();
    return (await createApiToken(token)).body.data.token;
  },
  'a token of a link': async () => {
    const token = await newResetToken((await newPerson()).id);
    await call('GET /reset', { query: { token } });
    return token;
  },
  'a token that undoes an email change': async () => {
    const token = await newUndoToken();
    await call('GET /undo-email', { query: { token } });
    return token;
  },
  "a share's password": async () => {
    await newShare({ password: 'Xy7giv' });
    return 'Xy7giv';
  },
  "a share's password that was made up": async () =>
    (await newShare({ useRandomPassword: true })).password,
  "a share's password in a query": async () => {
    await call('GET /api/share', { query: { id: 'none', password: 'Xy7-query' } });
    return 'Xy7-query';
  },
  "a share's password in a header": async () => {
    const headers = { 'x-share-password': 'Xy7-header' };
    await call('GET /api/share', { query: { id: 'none' }, headers });
    return 'Xy7-header';
  },
  'the proof of a sealed share': async () => {
    const seal = await newSeal();
    await newShare(await sealedBody(seal));
    return seal.proof;
  },
  'the proof of a sealed share in a header': async () => {
    const { proof } = await newSeal();
    await unseal('none', { proof });
    return proof;
  },
  "a share's password in a form": async () => {
    await call('POST /s/{id}/open', { params: { id: 'none' }, body: 'password=Xy7+f%C3%B6rm' });
    return 'Xy7 förm';
  },
  'a view token': async () => {
    const { id } = await newShare({ viewLimit: 1 });
    const { headers } = await call('POST /s/{id}/open', { params: { id }, body: '' });
    return headers['location']?.match(/view=(.+)/)?.[1] ?? '';
  },
  'the signing secret': async () => process.env['JWT_SECRET'] ?? '',
  'a bcrypt hash': async () => {
    const { id } = await newUserOf('user');
    return String(
      (await itemsOf(`USER#${id}`)).find(({ passwordHash }) => passwordHash)?.['passwordHash'],
    );
  },
  'a scrypt hash in base64': async () =>
    Buffer.from((await storedPassword()).hash).toString('base64'),
  'a scrypt hash as JSON': async () => JSON.stringify((await storedPassword()).hash),
  'a scrypt hash as JSON of a buffer': async () =>
    JSON.stringify(Buffer.from((await storedPassword()).hash)),
};

describe('the check for logged secrets', () => {
  it.each(Object.entries(secrets))('finds %s', async (_, obtain) => {
    const secret = await obtain();
    expect(secret.length).toBeGreaterThanOrEqual(6);
    expect(takeLeaks()).toEqual([]);
    console.log(`before ${secret} after`);
    expect(takeLeaks()).toEqual([
      { channel: 'console', kind: expect.any(String), line: `before ${secret} after` },
    ]);
  });
});

describe('the check for encoded secrets', () => {
  const secret = 'ünsafe "pass" & wörd+/?';
  const token = () => newPerson().then((person) => person.token);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it.each<[string, () => string | Promise<string>]>([
    ['JSON', () => JSON.stringify({ secret })],
    ['JSON within JSON', () => JSON.stringify({ body: JSON.stringify({ secret }) })],
    ['a query', () => `/?x=${encodeURIComponent(secret)}&y=1`],
    ['a form', () => new URLSearchParams({ x: '1', secret }).toString()],
    ['base64', () => base64(secret)],
    ['base64url', () => Buffer.from(secret).toString('base64url')],
    ['Basic credentials', () => `Basic ${base64(`a:${secret}`)}`],
    ['an encoded body', () => base64(JSON.stringify([1, secret]).replaceAll('\\"', '"'))],
    ['the signature of a token', async () => (await token()).split('.')[2] ?? ''],
    ['base64 of a token', async () => base64(`xx Bearer ${await token()}`)],
  ])('finds %s', async (_, write) => {
    keepSecret('test', secret);
    console.log(await write());
    expect(takeLeaks()).toHaveLength(1);
  });

  it.each(['', 'a', 'ab'])('finds base64 after %j', (before) => {
    keepSecret('test', secret);
    console.log(base64(`${before}${secret}z`));
    expect(takeLeaks()).toHaveLength(1);
  });

  it('finds an unrecorded secret by its pattern', () => {
    const signature = 'x'.repeat(43);
    for (const text of [
      `eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.${signature}`,
      `hb_7_${'0a'.repeat(28)}`,
      `/reset?token=7.${signature}`,
      `$2b$04$${'a'.repeat(53)}`,
      '__Host-session=x',
    ]) {
      console.log(text);
      expect(takeLeaks()).toMatchObject([{ line: text }]);
    }
  });
});

describe('the check of all outputs', () => {
  const secret = 'a planted secret';
  const cause = new Error(secret);
  const writers: Readonly<Record<string, () => void>> = {
    'log().debug': () => getLogger().debug(secret),
    'log().info, in an extra': () => getLogger().info('x', { deep: { in: [secret] } }),
    'log().warn': () => getLogger().warn(secret),
    'log().error, in a cause': () => getLogger().error('x', new Error('y', { cause })),
    'log().critical': () => getLogger().critical(secret),
    'log().appendKeys': () => {
      getLogger().appendKeys({ secret });
      getLogger().info('x');
      getLogger().resetKeys();
    },
    'a metric': () => {
      getMetrics().addMetadata('secret', secret);
      getMetrics().addMetric('Planted', MetricUnit.Count, 1);
      getMetrics().publishStoredMetrics();
    },
    'console.log': () => console.log('%s!', secret),
    'console.info': () => console.info(secret),
    'console.warn': () => console.warn(secret),
    'console.error': () => console.error(cause),
    'console.debug': () => console.debug({ secret }),
    'console.table': () => console.table([{ secret }]),
    'stdout, as bytes': () => process.stdout.write(Buffer.from(secret)),
    stderr: () => process.stderr.write(`${secret}\n`),
    'stdout, in pieces': () => {
      process.stdout.write(secret.slice(0, 7));
      process.stdout.write(secret.slice(7));
    },
  };

  it.each(Object.entries(writers))('finds a secret written by %s', (_, write) => {
    keepSecret('test', secret);
    write();
    const [leak] = takeLeaks();
    expect(leak).toMatchObject({ kind: 'test', line: expect.stringContaining(secret) });
  });

  it('finds a secret printed by a worker', async () => {
    keepSecret('test', secret);
    const worker = new Worker(`console.log(${JSON.stringify(secret)})`, { eval: true });
    await once(worker, 'exit');
    expect(takeLeaks()).toMatchObject([{ kind: 'test', line: secret }]);
  });

  it('calls the callback of a write', async () => {
    await new Promise<void>((resolve) => process.stdout.write('x\n', () => resolve()));
    expect(takeLeaks()).toEqual([]);
  });
});

describe('the check of harmless output', () => {
  it.each(['', 'short', '123456', 'password', 'Secret', 'tokens'])('ignores %j', (text) => {
    keepSecretsOf({ password: text });
    console.log(`POST /api/auth/reset-password short 1234567890 secrets ${text} tokens`);
    expect(takeLeaks()).toEqual([]);
  });

  it('reports each leak once', async () => {
    keepSecret('test', 'a planted secret');
    console.log('a planted secret');
    expect(takeLeaks()).toHaveLength(1);
    expect(takeLeaks()).toEqual([]);
  });
});
