import { expect } from 'vitest';
import { startFreshService } from '../run/fresh-service.ts';
import { send } from '../run/process.ts';

/** Returns a service of this test alone, with one user who creates shares. */
export const serveShares = async () => {
  const { url: service } = await startFreshService();
  const person = { email: 'ann@example.com', name: 'Ann Example', password: 'correct horse' };
  const registered = await send(`${service}/api/auth/register`, {
    method: 'POST',
    body: { ...person, confirmPassword: person.password },
  });
  const { token } = registered.body;
  return {
    service,
    person,
    /** Creates a share and returns the URL of its page. */
    async share(body: Record<string, unknown>): Promise<string> {
      const response = await send(`${service}/api/share`, { method: 'POST', token, body });
      expect(response.status).toBe(201);
      return response.body.url;
    },
    /** Creates a share of one file and returns the URL of its page. */
    async shareFile(name: string, bytes: Buffer): Promise<string> {
      const body = new FormData();
      body.set('file', new File([new Uint8Array(bytes)], name));
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${service}/api/share`, { method: 'POST', headers, body });
      expect(response.status).toBe(201);
      return (await response.json()).url;
    },
    /** Shares an archive, with options such as `viewLimit`, and returns the response. */
    async shareArchive(archive: Uint8Array, options: Readonly<Record<string, string>> = {}) {
      const query = String(new URLSearchParams(options));
      const response = await fetch(`${service}/api/share?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
        body: new Uint8Array(archive),
      });
      const body = await response.json();
      expect([response.status, body]).toEqual([201, expect.anything()]);
      return body;
    },
    /** Sends a request of the user, such as `POST /api/share/requests`, and returns what it is answered with. */
    async ask(endpoint: string, body?: Record<string, unknown>) {
      const [method = '', path = ''] = endpoint.split(' ');
      return (await send(`${service}${path}`, { method, token, body })).body;
    },
    async viewsOf(url: string): Promise<number> {
      const id = url.split('/').at(-1);
      const { body } = await send(`${service}/api/share?id=${id}&mine=true`, { token });
      return body.views;
    },
  };
};
