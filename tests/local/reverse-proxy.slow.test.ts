import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { request as requestByTls } from 'node:https';
import { type AddressInfo, createConnection } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { png } from '../support/files/files.ts';
import { freePort, startAndFail, startProcess, temporaryFolder } from '../support/run/process.ts';

const service = 'handbill.example.com';
const snippets = 'snippets.example.com';

/** Ports of the service, the snippets, the storage and the mailbox, which the proxy passes on to. */
const ports = async () => ({
  PORT: await freePort(),
  SNIPPETS_PORT: await freePort(),
  LOCAL_S3_PORT: await freePort(),
  LOCAL_SES_PORT: await freePort(),
});
type Ports = Awaited<ReturnType<typeof ports>>;

/** Sends a request with exactly this host and path to a proxy. */
type Send = (options: RequestOptions, body?: string | Buffer) => Promise<Answer>;
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

const sendBy =
  (ask: typeof request, port: string | number, fixed: object = {}): Send =>
  async (options, body) => {
    const sent = ask({ ...fixed, ...options, host: '127.0.0.1', port, agent: false });
    sent.end(body);
    const [response] = await once(sent, 'response');
    const bytes = Buffer.concat(await response.toArray());
    return { status: response.statusCode, headers: response.headers, bytes, text: `${bytes}` };
  };

/** Starts a proxy that passes on by host and path, keeps `Host` and appends to `X-Forwarded-For`, as nginx is told to. */
const startProxy = async (to: Ports): Promise<Send> => {
  const portFor = (host: string, path: string): string => {
    if (path.startsWith('/mailbox/')) return to.LOCAL_SES_PORT;
    if (host !== snippets) return to.PORT;
    return path.startsWith('/storage/') ? to.LOCAL_S3_PORT : to.SNIPPETS_PORT;
  };
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path = '', headers, socket } = incoming;
    const client = headers['x-client'] ?? socket.remoteAddress;
    const before = headers['x-forwarded-for'];
    const passed = { ...headers, 'x-forwarded-for': before ? `${before}, ${client}` : client };
    const port = portFor(headers.host ?? '', path);
    incoming.pipe(
      request({ host: '127.0.0.1', port, method, path, headers: passed }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }),
    );
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  return sendBy(request, (proxy.address() as AddressInfo).port);
};

const caddy = '/usr/bin/caddy';

/** Starts Caddy with the file that the README shows, on other ports and with certificates of its own. */
const startCaddy = async (to: Ports): Promise<Send> => {
  const readme = await readFile(join(import.meta.dirname, '../../infra/README.md'), 'utf8');
  const [, shown = ''] = readme.match(/```caddyfile\n(.+?)```/s) ?? [];
  const [folder, port] = [await temporaryFolder(), await freePort()];
  const global = `{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttps_port ${port}\n}\n`;
  const file = join(folder, 'Caddyfile');
  await writeFile(
    file,
    global +
      shown
        .replace(':3000', `:${to.PORT}`)
        .replace(':3001', `:${to.SNIPPETS_PORT}`)
        .replace(':3002', `:${to.LOCAL_S3_PORT}`),
  );
  const child = spawn(caddy, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  // It listens before its certificates are there.
  while (log.split('certificate obtained').length < 3) {
    const ended = await Promise.race([once(child.stderr, 'data').then(() => false), exited]);
    if (ended) throw new Error(`Caddy did not start: ${log}`);
  }
  await once(createConnection(Number(port), '127.0.0.1'), 'connect');
  const ask = (options: RequestOptions) => {
    const servername = String((options.headers as Record<string, string>)['host']);
    return requestByTls({ ...options, servername, rejectUnauthorized: false });
  };
  return sendBy(ask as typeof request, port);
};

const settings = {
  PUBLIC_URL: `https://${service}`,
  SNIPPETS_URL: `https://${snippets}`,
  FILES_URL: `https://${snippets}/storage`,
};

const adminPassword = 'correct horse';

/** Starts the service and a proxy; returns how a browser elsewhere asks it. */
const start = async (
  startBefore: (to: Ports) => Promise<Send>,
  more: Record<string, string> = {},
) => {
  const to = await ports();
  const process = await startProcess({
    ...settings,
    ...to,
    DATA_DIR: await temporaryFolder(),
    ADMIN_PASSWORD: adminPassword,
    ...more,
  });
  const send = await startBefore(to);
  /** Sends JSON as a page of the service does. */
  const ask = (path: string, body?: object, headers: Record<string, string> = {}) =>
    send(
      {
        method: body ? 'POST' : 'GET',
        path,
        headers: {
          host: service,
          ...(body && { 'content-type': 'application/json', origin: `https://${service}` }),
          ...headers,
        },
      },
      body && JSON.stringify(body),
    );
  /** Follows an address of this deployment. */
  const open = (address: string, options: RequestOptions = {}, body?: Buffer) => {
    const { protocol, host, pathname, search } = new URL(address);
    expect(protocol).toBe('https:');
    const headers = { ...(options.headers as object), host };
    return send({ ...options, path: pathname + search, headers }, body);
  };
  const signIn = async () => {
    const body = { email: 'admin@example.com', password: adminPassword };
    const { status, headers } = await ask('/api/auth/login', body);
    expect(status).toBe(200);
    const [cookie = ''] = String(headers['set-cookie']).split(';');
    expect(cookie).toMatch(/^__Host-session=/);
    return { cookie };
  };
  return { process, to, send, ask, open, signIn };
};

/** Uploads a file as a page does: by the form that the service signs. */
const upload = async (
  { ask, open }: Pick<Awaited<ReturnType<typeof start>>, 'ask' | 'open'>,
  cookie: { readonly cookie: string },
  name: string,
  bytes: Buffer,
  type: string,
) => {
  const announced = await ask('/api/files/presign', { name, size: bytes.length, type }, cookie);
  const { id, url, fields } = JSON.parse(announced.text).data;
  expect(url).toBe(`https://${snippets}/storage/handbill-files`);
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const sent = new Response(form);
  const stored = await open(
    url,
    {
      method: 'POST',
      headers: {
        origin: `https://${service}`,
        'content-type': String(sent.headers.get('content-type')),
      },
    },
    Buffer.from(await sent.arrayBuffer()),
  );
  expect([stored.status, stored.headers['access-control-allow-origin']]).toEqual([
    201,
    `https://${service}`,
  ]);
  expect(stored.headers.location).toBe(`${url}/${encodeURIComponent(fields.key)}`);
  const completed = await ask(`/api/files/${id}/complete`, {}, cookie);
  expect(completed.status).toBe(200);
  return id as number;
};

describe.each([
  ['a proxy', startProxy, true],
  ['Caddy, as the README sets it up,', startCaddy, existsSync(caddy)],
] as const)('npm start behind %s', (_, startBefore, isThere) => {
  it.runIf(isThere)(
    'serves people elsewhere: signing in, shares, uploads and downloads',
    async () => {
      const proxied = await start(startBefore);
      const { ask, open, send, signIn } = proxied;
      const cookie = await signIn();

      const body = { content: '<p>Hello, team</p>' };
      const shared = await ask('/api/share', body, cookie);
      expect(shared.status).toBe(201);
      const { url } = JSON.parse(shared.text);
      expect(new URL(url).origin).toBe(`https://${service}`);
      const page = await open(url);
      const [frame = ''] =
        page.text.match(/(?<= src=")https:\/\/snippets\.example\.com[^"]+/) ?? [];
      expect(await open(frame)).toMatchObject({
        status: 200,
        text: expect.stringContaining('Hello, team'),
      });
      // A snippet is a page of another site.
      const origin = `https://${snippets}`;
      expect((await ask('/api/share', body, { ...cookie, origin })).status).toBe(403);

      const files = await ask('/files', undefined, cookie);
      expect(String(files.headers['content-security-policy'])).toContain(
        `connect-src 'self' https://${snippets}/storage/handbill-files`,
      );
      const id = await upload(proxied, cookie, 'A picture.png', png, 'image/png');
      const led = await ask(`/api/files/${id}/download?inline=true`, undefined, cookie);
      const address = String(led.headers.location);
      expect([led.status, address.startsWith(`https://${snippets}/storage/`)]).toEqual([302, true]);
      const got = await open(address);
      expect([got.status, got.bytes.equals(png)]).toEqual([200, true]);
      expect(got.headers).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': expect.stringMatching(/^inline/),
        'x-content-type-options': 'nosniff',
      });
      // Signed as they are: another path, host or type is another address.
      expect((await open(address.replace('/storage/', '/storage//'))).status).toBe(403);
      expect((await open(address.replace('inline', 'attachment'))).status).toBe(403);
      expect(
        (await send({ path: '/storage/handbill-files', headers: { host: snippets } })).status,
      ).toBe(403);

      // What a browser would run is only saved.
      const html = Buffer.from('<script>alert(1)</script>');
      const other = await upload(proxied, cookie, 'a.html', html, 'text/html');
      const saved = await ask(`/api/files/${other}/download?inline=true`, undefined, cookie);
      expect((await open(String(saved.headers.location))).headers).toMatchObject({
        'content-type': expect.stringMatching(/^text\/plain/),
        'x-content-type-options': 'nosniff',
      });
    },
  );
});

describe('npm start behind a proxy', () => {
  const forgot = { email: 'nobody@example.com' };

  it('limits people by the address that the trusted proxy adds, not by what they add themselves', async () => {
    const { ask } = await start(startProxy, { TRUSTED_PROXIES: '1' });
    const statusOf = async (client: string, claimed: string) =>
      (
        await ask('/api/auth/forgot-password', forgot, {
          'x-client': client,
          'x-forwarded-for': claimed,
        })
      ).status;
    const statuses: number[] = [];
    for (let at = 0; at < 40; at++)
      statuses.push(await statusOf('203.0.113.7', `198.51.100.${at}`));
    expect(statuses.at(-1)).toBe(429);
    expect(await statusOf('203.0.114.8', '203.0.113.7')).not.toBe(429);
  });

  it('shows the mailbox at MAILBOX_URL, and elsewhere to nobody', async () => {
    const closed = await start(startProxy);
    const { pathname } = new URL(closed.process.output().match(/Email +(\S+)/)?.[1] ?? '');
    expect((await closed.ask(`/mailbox${pathname}`)).status).toBe(421);

    const MAILBOX_URL = `https://${service}/mailbox`;
    const { process, open, send, ask } = await start(startProxy, { MAILBOX_URL });
    const page = process.output().match(/Email +(\S+)/)?.[1] ?? '';
    expect(page).toMatch(/^https:\/\/handbill\.example\.com\/mailbox\/[\w-]{24}$/);
    expect(await open(page)).toMatchObject({
      status: 200,
      text: expect.stringContaining(`${new URL(page).pathname}/mailbox.js`),
    });
    expect((await ask('/mailbox/')).status).toBe(404);
    const origin = `https://${service}`;
    const clear = { method: 'POST', headers: { origin, 'sec-fetch-site': 'same-origin' } };
    expect((await open(`${page}/clear-store`, clear)).status).toBe(200);
    const foreign = { method: 'POST', headers: { origin: `https://${snippets}` } };
    expect((await open(`${page}/clear-store`, foreign)).status).toBe(403);
    // The storage and the database are not at that host.
    expect((await send({ path: '/storage/x', headers: { host: snippets } })).status).toBe(403);

    await ask('/api/auth/forgot-password', { email: 'admin@example.com' });
    await expect
      .poll(async () => JSON.parse((await open(`${page}/store`)).text).emails.length, {
        timeout: 10_000,
      })
      .toBe(1);
  });

  it('refuses to mix files with the origin that people sign in to', async () => {
    const FILES_URL = `${settings.PUBLIC_URL}/storage`;
    const failed = await startAndFail({
      ...settings,
      DATA_DIR: await temporaryFolder(),
      FILES_URL,
    });
    expect(failed).toMatchObject({
      code: 1,
      errors:
        'Set FILES_URL to an address on another host than PUBLIC_URL, such as that of SNIPPETS_URL: people’s files stay out of the origin that they sign in to.\n',
    });
  });
});
