import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/web/fallback/index.ts';
import { prefersHtml } from '../../shared/http/content/accept.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Event } from '../../shared/http/http.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const send = async (host: Host, method: string, rawPath: string, accept?: string) => {
  vi.stubEnv('API_HOST', host);
  const http = { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '::1', userAgent: '' };
  const event = {
    routeKey: '$default',
    rawPath,
    headers: accept === undefined ? {} : { accept },
    requestContext: { http, requestId: 'the-request' },
  } as object as Event;
  const { statusCode, headers = {}, body = '' } = await handler(event, {} as Context);
  return { status: statusCode, headers: headers as Record<string, string>, body };
};

const json = 'application/json; charset=utf-8';
const html = 'text/html; charset=utf-8';

describe('an unknown address', () => {
  it.each(['service', 'snippets'] as const)(
    'returns a page to a browser on host %s',
    async (host) => {
      const { status, headers, body } = await send(host, 'GET', '/nowhere/at/all', browser);
      expect([status, headers['content-type']]).toEqual([404, html]);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body).toContain('<title>Page not found');
    },
  );

  it('uses the page layout on the main host only', async () => {
    const ours = await send('service', 'GET', '/nowhere', browser);
    expect(ours.body).toContain('rel="stylesheet"');
    expect(ours.body).toContain('href="/"');
    const theirs = await send('snippets', 'GET', '/no/where', browser);
    expect(theirs.body).not.toContain('rel="stylesheet"');
  });

  it('tells the page of a share that its snippet went there', async () => {
    const { headers, body } = await send('snippets', 'GET', '/no/where', browser);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'unsafe-inline'; sandbox allow-scripts; frame-ancestors *",
    );
    expect(body).toContain('parent.postMessage("left","*")');
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
    'returns JSON for Accept: %s',
    async (accept) => {
      for (const host of ['service', 'snippets'] as const) {
        const { status, headers, body } = await send(host, 'GET', '/nowhere/at/all', accept);
        expect([status, headers['content-type']]).toEqual([404, json]);
        expect(JSON.parse(body)).toEqual({
          success: false,
          error: {
            code: 'NOT_FOUND',
            message: 'Not found.',
            details: [],
            requestId: 'the-request',
          },
        });
      }
    },
  );

  it('returns the page length without a body for HEAD', async () => {
    const { body: page } = await send('service', 'GET', '/nowhere', browser);
    const { status, headers, body } = await send('service', 'HEAD', '/nowhere', browser);
    expect([status, headers['content-length'], body]).toEqual([
      404,
      String(Buffer.byteLength(page)),
      '',
    ]);
  });
});

describe('an unsupported method', () => {
  it('returns a page to a browser at the address of a page', async () => {
    const { status, headers, body } = await send('service', 'POST', '/account', browser);
    expect([status, headers['content-type'], headers['allow']]).toEqual([405, html, 'GET, HEAD']);
    expect(body).toContain('Method not allowed. Allowed: GET, HEAD.');
  });

  it.each(['/api/users', '/health', '/api/share'])(
    'returns JSON at %s to every client',
    async (path) => {
      const { status, headers, body } = await send('service', 'PATCH', path, browser);
      expect([status, headers['content-type']]).toEqual([405, json]);
      expect(JSON.parse(body).error.code).toBe('METHOD_NOT_ALLOWED');
    },
  );

  it('returns JSON to a program at the address of a page', async () => {
    const { status, headers } = await send('service', 'POST', '/account', '*/*');
    expect([status, headers['content-type']]).toEqual([405, json]);
  });
});

describe('prefersHtml', () => {
  it.each([
    [browser, true],
    ['text/html', true],
    ['TEXT/HTML;q=0.1', true],
    ['text/html, application/json', true],
    ['application/json;q=0.9, text/html', true],
    ['application/json, text/html', false],
    ['text/plain, text/html;q=0.9', false],
    ['text/html;q=0', false],
    ['text/html;q=much', false],
    ['text/*', false],
    ['*/*', false],
    ['', false],
    [undefined, false],
  ])('checks %j and returns %s', (accept, expected) => {
    expect(prefersHtml(accept)).toBe(expected);
  });
});
