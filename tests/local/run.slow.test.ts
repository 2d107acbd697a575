import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFreshService } from '../support/run/fresh-service.ts';
import {
  addressOf,
  freePort,
  rightsOf,
  type ServiceProcess,
  send,
  startAndFail,
  startProcess,
  temporaryFolder,
} from '../support/run/process.ts';
import { clientOf } from '../support/s3/local-s3.ts';

const registration = (email: string) => ({
  method: 'POST',
  body: { email, name: 'Ann', password: 'correct horse', confirmPassword: 'correct horse' },
});

const object = { Bucket: 'handbill-files', Key: 'kept' };

const storageOf = (service: ServiceProcess) =>
  clientOf({ endpoint: addressOf(service, 'S3'), credentials: { ...service.accessKey } });

const occupyPort = async (): Promise<number> => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** Requests a page again until a server listens on its port. */
const fetchWhenListening = async (url: string): Promise<Response> => {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await wait(5);
    }
  }
};

describe('npm start', () => {
  it('prints its address and the created super_admin, stops at Ctrl+C, and keeps data, files and key', async () => {
    const DATA_DIR = join(await temporaryFolder(), 'new/data');
    const other = { AWS_ACCESS_KEY_ID: 'AKIAOTHER', AWS_SECRET_ACCESS_KEY: 'x'.repeat(40) };
    const first = await startProcess({ DATA_DIR, ...other, AWS_PROFILE: 'missing' });
    const [, email, password] = first.output().match(/Admin +(\S+), password (\S+) \(new\)/) ?? [];
    const login = { method: 'POST', body: { email, password } };
    const admin = await send(`${first.url}/api/auth/login`, login);
    expect(admin.body.user).toMatchObject({ role: 'super_admin', permissions: ['*'] });
    const { token } = admin.body;
    const share = await send(`${first.url}/api/share`, {
      method: 'POST',
      token,
      body: { content: '# Kept', language: 'markdown' },
    });
    expect(share.status).toBe(201);
    await storageOf(first).send(new PutObjectCommand({ ...object, Body: 'bytes' }));
    const asked = await fetch(`${addressOf(first, 'S3')}/handbill-files`, {
      method: 'OPTIONS',
      headers: { origin: first.url, 'access-control-request-method': 'POST' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBe(first.url);
    expect(await first.stop()).toBe(0);

    for (const folder of ['', 's3', 's3/handbill-files']) {
      expect(await rightsOf(DATA_DIR, folder), folder).toBe('700');
    }
    for (const file of ['jwt-secret', 'aws-credentials', 'dynamodb.db']) {
      expect(await rightsOf(DATA_DIR, file), file).toBe('600');
    }
    const { accessKeyId, secretAccessKey } = first.accessKey;
    expect(accessKeyId).toMatch(/^HANDBILL[\dA-F]{12}$/);
    expect(secretAccessKey).toMatch(/^[\w-]{40}$/);
    expect(await readFile(join(DATA_DIR, 'aws-credentials'), 'utf8')).toBe(
      `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`,
    );

    const second = await startProcess({ DATA_DIR });
    expect(second.accessKey).toEqual(first.accessKey);
    expect(second.output()).toMatch(new RegExp(`Admin +${email}\n`));
    expect((await send(`${second.url}/api/users/me`, { token })).status).toBe(200);
    const read = await send(`${second.url}/api/share?id=${share.body.id}`);
    expect(read.body).toMatchObject({ html: '<h1>Kept</h1>', views: 1 });
    const { Body } = await storageOf(second).send(new GetObjectCommand(object));
    expect(await Body?.transformToString()).toBe('bytes');
    expect(await second.stop()).toBe(0);
  });

  it('holds requests until it is ready, then serves its configured super_admin, and logs no query string', async () => {
    const [PORT, SNIPPETS_PORT] = [await freePort(), await freePort()];
    const admin = { ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'my own password' };
    const starting = startProcess({
      DATA_DIR: await temporaryFolder(),
      PORT,
      SNIPPETS_PORT,
      ...admin,
    });
    const responses = await Promise.all(
      [PORT, SNIPPETS_PORT].map((port) => fetchWhenListening(`http://127.0.0.1:${port}/`)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 404]);
    const service = await starting;
    const body = { email: admin.ADMIN_EMAIL, password: admin.ADMIN_PASSWORD };
    const login = await send(`${service.url}/api/auth/login`, { method: 'POST', body });
    expect(login.status).toBe(200);
    await send(`${service.url}/api/share?id=nothing&password=Abc123`);
    expect(await service.stop()).toBe(0);
    expect(service.output()).toMatch(/\nGET \/api\/share 404 \d+ ms\n/);
    expect(service.output()).not.toContain('Abc123');
    expect(service.output()).not.toContain(admin.ADMIN_PASSWORD);
  });

  it('creates 20 shares at once, counts each and shows each its own text', async () => {
    const service = await startFreshService();
    const { token } = (
      await send(`${service.url}/api/auth/register`, registration('a@example.com'))
    ).body;
    const list = '- **one**, `two` and [three](https://example.com)\n'.repeat(50);
    const created = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const body = { language: 'markdown', content: `# No. ${at}\n\n${list}` };
        const { status, body: share } = await send(`${service.url}/api/share`, {
          method: 'POST',
          token,
          body,
        });
        return { status, id: share.id as string };
      }),
    );
    expect(created.map(({ status }) => status)).toEqual(Array(20).fill(201));
    for (const [at, { id }] of created.entries()) {
      const { body } = await send(`${service.url}/api/share?id=${id}`);
      expect(body.html).toContain(`<h1>No. ${at}</h1>`);
    }
    const own = await send(`${service.url}/api/share?mine=true`, { token });
    expect(own.body.total).toBe(20);
  });

  it.each([
    ['PORT', 'abc', 'Set PORT to a port from 0 (any free one) to 65535.'],
    [
      'ADMIN_PASSWORD',
      'Password1',
      'Set ADMIN_PASSWORD to a password that is not one of the 10,000 best-known ones.',
    ],
    [
      'AWS_ENDPOINT_URL_DYNAMODB',
      'http://127.0.0.1:1',
      'Can’t reach DynamoDB at http://127.0.0.1:1. Check that it is running and your permissions.',
    ],
  ])('fails with a message for %s=%s', async (name, value, message) => {
    const settings = { DATA_DIR: await temporaryFolder(), [name]: value };
    expect(await startAndFail(settings)).toEqual({ code: 1, output: '', errors: `${message}\n` });
  });

  it.each(['PORT', 'SNIPPETS_PORT', 'LOCAL_DYNAMODB_PORT'])(
    'reports a port in use: %s',
    async (name) => {
      const port = String(await occupyPort());
      const settings = { DATA_DIR: await temporaryFolder(), [name]: port };
      const errors = `Port ${port} is in use. Set ${name} to another port.\n`;
      expect(await startAndFail(settings)).toEqual({ code: 1, output: '', errors });
    },
  );

  it('reports a data folder in use', async () => {
    const DATA_DIR = await temporaryFolder();
    const service = await startProcess({ DATA_DIR });
    const errors = `The data folder ${DATA_DIR} is in use. Stop the other process, or set DATA_DIR to another folder.\n`;
    expect(await startAndFail({ DATA_DIR })).toEqual({ code: 1, output: '', errors });
    expect((await send(`${service.url}/api/health`)).status).toBe(200);
  });
});

describe('two processes with one DynamoDB', () => {
  it('grant 20 of 80 concurrent views of a share limited to 20, and register an email address once', async () => {
    const DATA_DIR = await temporaryFolder();
    const LOCAL_DYNAMODB_PORT = await freePort();
    const first = await startProcess({ DATA_DIR, LOCAL_DYNAMODB_PORT });
    expect(first.dynamoDbUrl).toBe(`http://127.0.0.1:${LOCAL_DYNAMODB_PORT}`);
    const second = await startProcess({ DATA_DIR, AWS_ENDPOINT_URL_DYNAMODB: first.dynamoDbUrl });
    const both = [first.url, second.url];

    const ann = await send(`${first.url}/api/auth/register`, registration('ann@example.com'));
    const share = await send(`${second.url}/api/share`, {
      method: 'POST',
      token: ann.body.token,
      body: { content: '<p>Hi</p>', viewLimit: 20 },
    });
    const views = await Promise.all(
      Array.from({ length: 80 }, (_, at) => send(`${both[at % 2]}/api/share?id=${share.body.id}`)),
    );
    expect(views.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(views.filter(({ status }) => status === 410)).toHaveLength(60);

    const registrations = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        send(
          `${both[at % 2]}/api/auth/register`,
          registration(at % 3 ? 'BOB@example.com' : 'bob@Example.com'),
        ),
      ),
    );
    expect(registrations.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(registrations.filter(({ status }) => status === 409)).toHaveLength(29);
  });
});
