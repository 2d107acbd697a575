import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createGateway } from '../../infra/local/gateway.ts';
import { route } from '../../shared/http/route.ts';
import { useServer } from '../support/run/server.ts';

const typed = [
  route({
    endpoint: 'GET /typed',
    access: 'public',
    summary: 'A route',
    output: z.object({ ok: z.boolean() }),
    handle: async () => ({ ok: true }),
  }),
];

describe('a page of another origin', () => {
  const page = 'https://app.example.com';
  const open = useServer(createGateway([{ routes: typed }], () => {}, [page]));
  const ask = async (method: string, headers: Record<string, string>) => {
    const { port } = open;
    const request = httpRequest({ host: '127.0.0.1', port, method, path: '/typed', headers });
    request.end();
    const [response] = await once(request, 'response');
    response.resume();
    return { status: response.statusCode, headers: response.headers as IncomingHttpHeaders };
  };
  const wanted = { 'access-control-request-method': 'POST' };

  it('gets a preflight response from the gateway', async () => {
    const { status, headers } = await ask('OPTIONS', { origin: page, ...wanted });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
      'access-control-allow-headers':
        'authorization,content-type,idempotency-key,if-match,if-none-match,x-share-password',
      'access-control-max-age': '3600',
    });
  });

  it('can read the response only if it is allowed', async () => {
    const allowed = await ask('GET', { origin: page });
    expect(allowed.headers['access-control-allow-origin']).toBe(page);
    expect(allowed.headers['access-control-expose-headers']).toBe(
      'etag,idempotency-replayed,x-request-id,retry-after,ratelimit,ratelimit-policy',
    );
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask(method, { origin: 'https://evil.example.com', ...wanted });
      expect(Object.keys(headers).join()).not.toContain('access-control');
    }
  });
});
