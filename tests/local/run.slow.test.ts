import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  freePort,
  send,
  startAndFail,
  startProcess,
  temporaryFolder,
} from '../support/run/process.ts';

const registration = (email: string) => ({
  method: 'POST',
  body: { email, name: 'Ann', password: 'correct horse', confirmPassword: 'correct horse' },
});

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
  it('prints its address and the created super_admin, stops at Ctrl+C, and keeps its data', async () => {
    const DATA_DIR = await temporaryFolder();
    const first = await startProcess({ DATA_DIR });
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
    expect(await first.stop()).toBe(0);

    const second = await startProcess({ DATA_DIR });
    expect(second.output()).toMatch(new RegExp(`Admin +${email}\n`));
    expect((await send(`${second.url}/api/users/me`, { token })).status).toBe(200);
    const read = await send(`${second.url}/api/share?id=${share.body.id}`);
    expect(read.body).toMatchObject({ html: '<h1>Kept</h1>', views: 1 });
    expect(await second.stop()).toBe(0);
  });

  it('holds requests until it is ready', async () => {
    const [PORT, SNIPPETS_PORT] = [await freePort(), await freePort()];
    const starting = startProcess({ DATA_DIR: await temporaryFolder(), PORT, SNIPPETS_PORT });
    const responses = await Promise.all(
      [PORT, SNIPPETS_PORT].map((port) => fetchWhenListening(`http://127.0.0.1:${port}/`)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 404]);
    await starting;
  });

  it('creates the configured super_admin', async () => {
    const settings = { ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'my own password' };
    const service = await startProcess({ DATA_DIR: await temporaryFolder(), ...settings });
    expect(service.output()).not.toContain(settings.ADMIN_PASSWORD);
    const body = { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD };
    const { status } = await send(`${service.url}/api/auth/login`, { method: 'POST', body });
    expect(status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  it('creates 50 shares at once, counts each and shows each its own text', async () => {
    const DATA_DIR = await temporaryFolder();
    const service = await startProcess({ DATA_DIR });
    const { token } = (
      await send(`${service.url}/api/auth/register`, registration('a@example.com'))
    ).body;
    const list = '- **one**, `two` and [three](https://example.com)\n'.repeat(50);
    const created = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const body = { language: 'markdown', content: `# No. ${at}\n\n${list}` };
        const { status, body: share } = await send(`${service.url}/api/share`, {
          method: 'POST',
          token,
          body,
        });
        return { status, id: share.id as string };
      }),
    );
    expect(created.map(({ status }) => status)).toEqual(Array(50).fill(201));
    for (const [at, { id }] of created.entries()) {
      const { body } = await send(`${service.url}/api/share?id=${id}`);
      expect(body.html).toContain(`<h1>No. ${at}</h1>`);
    }
    const own = await send(`${service.url}/api/share?mine=true`, { token });
    expect(own.body.total).toBe(50);
    expect(await service.stop()).toBe(0);
  });

  it('logs each request without its query string', async () => {
    const service = await startProcess({ DATA_DIR: await temporaryFolder() });
    await send(`${service.url}/api/share?id=nothing&password=Abc123`);
    await service.stop();
    expect(service.output()).toMatch(/\nGET \/api\/share 404 \d+ ms\n/);
    expect(service.output()).not.toContain('Abc123');
  });

  it.each([
    ['PORT', 'abc', 'Set PORT to a port from 0 (any free one) to 65535.'],
    ['PASSWORD_COST', '99', 'Set PASSWORD_COST to an integer from 4 to 15.'],
    [
      'CHECKIN_TIMEZONE',
      'Mars/Base',
      'Set CHECKIN_TIMEZONE to an IANA time zone such as UTC or Europe/Berlin.',
    ],
    ['ADMIN_PASSWORD', 'short', 'Set ADMIN_PASSWORD to a password of 6 characters to 72 bytes.'],
    [
      'ADMIN_PASSWORD',
      'Password1',
      'Set ADMIN_PASSWORD to a password that is not one of the 10,000 best-known ones.',
    ],
    [
      'AWS_ENDPOINT_URL_DYNAMODB',
      'nowhere',
      'Set AWS_ENDPOINT_URL_DYNAMODB to a URL such as http://127.0.0.1:8000.',
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
