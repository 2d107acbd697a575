import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, startProcess, temporaryFolder } from '../support/run/process.ts';

const service = 'handbill.test';
const snippets = 'snippets.test';

/** Starts a reverse proxy that forwards each host name to an origin and keeps the header `Host`. */
const startProxy = async (origins: Readonly<Record<string, string>>): Promise<number> => {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const target = new URL(url, origins[headers.host ?? '']);
    incoming.pipe(
      request(target, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }),
    );
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  return (proxy.address() as AddressInfo).port;
};

/** Sends a request through the proxy as a browser elsewhere does. */
const ask = async (
  port: number,
  host: string,
  path: string,
  {
    body,
    cookie,
    origin = `https://${host}`,
  }: { readonly body?: object; readonly cookie?: string; readonly origin?: string } = {},
) => {
  const sent = request(`http://127.0.0.1:${port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      host,
      ...(body && { 'content-type': 'application/json', origin }),
      ...(cookie !== undefined && { cookie }),
    },
  });
  sent.end(body && JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode as number, headers: response.headers, text };
};

describe('npm start behind a reverse proxy', () => {
  it('serves another machine by PUBLIC_URL and SNIPPETS_URL, also signed in by the cookie', async () => {
    const [PORT, SNIPPETS_PORT] = [await freePort(), await freePort()];
    await startProcess({
      DATA_DIR: await temporaryFolder(),
      PUBLIC_URL: `https://${service}`,
      SNIPPETS_URL: `https://${snippets}`,
      ...{ PORT, SNIPPETS_PORT },
    });
    const port = await startProxy({
      [service]: `http://127.0.0.1:${PORT}`,
      [snippets]: `http://127.0.0.1:${SNIPPETS_PORT}`,
    });
    const person = { email: 'ann@example.com', name: 'Ann', password: 'correct horse' };
    const registered = await ask(port, service, '/api/auth/register', {
      body: { ...person, confirmPassword: person.password },
    });
    expect(registered.status).toBe(201);
    const [cookie = ''] = String(registered.headers['set-cookie']).split(';');
    expect(cookie).toMatch(/^__Host-session=/);

    const body = { content: '<p>Hello, team</p>' };
    const shared = await ask(port, service, '/api/share', { body, cookie });
    expect(shared.status).toBe(201);
    const { url } = JSON.parse(shared.text);
    expect(new URL(url).origin).toBe(`https://${service}`);
    const page = await ask(port, service, new URL(url).pathname);
    const [frame = ''] = page.text.match(/(?<= src=")https:\/\/snippets\.test[^"]+/) ?? [];
    const snippet = await ask(
      port,
      snippets,
      new URL(frame).href.slice(`https://${snippets}`.length),
    );
    expect(snippet).toMatchObject({ status: 200, text: expect.stringContaining('Hello, team') });

    // A snippet is a page of another site.
    const origin = `https://${snippets}`;
    expect((await ask(port, service, '/api/share', { body, cookie, origin })).status).toBe(403);
  });
});
