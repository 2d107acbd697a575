import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { createGateway } from '../../infra/local/gateway.ts';
import type { GroupHandler } from '../../shared/http/create-handler.ts';
import type { Result } from '../../shared/http/http.ts';
import { route } from '../../shared/http/route.ts';
import { useServer } from '../support/run/server.ts';
import { serveGateway } from './gateway.ts';

const { bare } = vi.hoisted(() => ({
  /** Handlers that take the place of a group's own, by its routes. */
  bare: new Map<unknown, unknown>(),
}));

vi.mock('../../shared/http/create-handler.ts', async (original) => {
  const api = await original<typeof import('../../shared/http/create-handler.ts')>();
  const createHandler: typeof api.createHandler = (...args) =>
    (bare.get(args[0]) as GroupHandler | undefined) ?? api.createHandler(...args);
  return { ...api, createHandler };
});

const aText = expect.any(String);
const json = { 'content-type': 'application/json' };

const gateway = serveGateway(bare);
const { events, answered, send } = gateway;

describe('the event', () => {
  it('has payload format 2.0', async () => {
    await send('PUT', '/echo/a%20b?x=1&y=%C3%A4', {
      headers: { ...json, 'User-Agent': 'tests', 'X-Own': 'Value', Cookie: 'a=1; b=2' },
      body: '{"name":"Ann ☂"}',
    });
    expect(events).toEqual([
      {
        version: '2.0',
        routeKey: 'ANY /echo/{id}',
        rawPath: '/echo/a b',
        rawQueryString: 'x=1&y=%C3%A4',
        cookies: ['a=1', 'b=2'],
        headers: {
          'content-type': 'application/json',
          'user-agent': 'tests',
          'x-own': 'Value',
          host: `127.0.0.1:${gateway.port}`,
          connection: aText,
          'content-length': '18',
        },
        queryStringParameters: { x: '1', y: 'ä' },
        pathParameters: { id: 'a b' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          domainName: `127.0.0.1:${gateway.port}`,
          domainPrefix: 'local',
          http: {
            method: 'PUT',
            path: '/echo/a b',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'tests',
          },
          requestId: expect.stringMatching(/^[\da-f-]{36}$/),
          routeKey: 'ANY /echo/{id}',
          stage: '$default',
          time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
          timeEpoch: expect.any(Number),
        },
        body: '{"name":"Ann ☂"}',
        isBase64Encoded: false,
      },
    ]);
  });

  it('omits absent fields', async () => {
    await send('GET', '/echo');
    const [event] = events;
    for (const field of ['body', 'cookies', 'queryStringParameters', 'pathParameters']) {
      expect(event).not.toHaveProperty(field);
    }
    expect(event).toMatchObject({ rawQueryString: '', isBase64Encoded: false });
  });

  it('joins repeated values with commas', async () => {
    await send('GET', '/echo?a=1&b=2&a=3&a=&constructor=4', {
      headers: { 'X-Own': ['one', 'two'], Cookie: ['a=1', 'b=2; c=3'] },
    });
    expect(events[0]).toMatchObject({
      queryStringParameters: { a: '1,3,', b: '2', constructor: '4' },
      cookies: ['a=1', 'b=2', 'c=3'],
    });
    expect(events[0]?.headers['x-own']).toMatch(/^one, ?two$/);
    expect(events[0]?.headers).not.toHaveProperty('cookie');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml'])(
    'has a body of %s as text',
    async (type) => {
      await send('POST', '/echo', { headers: { 'content-type': type }, body: 'ä' });
      expect(events[0]).toMatchObject({ body: 'ä', isBase64Encoded: false });
    },
  );

  it.each([
    'application/octet-stream',
    'image/png',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ])('has a body of %s in base64', async (type) => {
    const body = Buffer.from([0, 255, 128, 10]);
    await send('POST', '/echo', { headers: { 'content-type': type }, body });
    expect(events[0]).toMatchObject({ body: 'AP+ACg==', isBase64Encoded: true });
  });

  it('has the decoded path parameters of its key', async () => {
    await send('GET', '/people/%C3%A4/friends/50%25');
    expect(events[0]?.pathParameters).toEqual({ proxy: 'ä/friends/50%' });
    expect(await send('GET', '/people/1/2')).toMatchObject({ status: 404 });
  });
});

describe('what is no route of the group whose key it has', () => {
  it.each([
    ['GET', '/people/1/more', 404, undefined],
    ['GET', '/people/', 404, undefined],
    ['GET', '/people/1%2Ffriends', 404, undefined],
    ['PATCH', '/people/1', 405, 'GET, HEAD'],
    ['HEAD', '/echo/1', 405, 'PUT'],
    ['OPTIONS', '/echo', 204, 'GET, HEAD, POST'],
  ])('is answered by the fallback: %s %s', async (method, path, status, allow) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers['allow']]).toEqual([status, allow]);
    expect(events).toEqual([]);
  });
});

describe('a route', () => {
  it('with a fixed path precedes one with a parameter', async () => {
    expect(await send('GET', '/people/me')).toMatchObject({ status: 200, body: 'me' });
    expect(await send('GET', '/people/mel')).toMatchObject({ status: 200, body: 'done' });
    expect(events.map(({ routeKey }) => routeKey)).toEqual(['ANY /people/{proxy+}']);
  });

  it('calls the handler of its group', async () => {
    const { status, headers, body } = await send('GET', '/typed');
    expect({ status, body }).toEqual({ status: 200, body: '{"ok":true}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': headers['apigw-requestid'],
    });
  });

  it('of GET also serves HEAD, without a body', async () => {
    const { status, headers, body } = await send('HEAD', '/typed');
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('that does not exist returns 404 in the envelope', async () => {
    const { status, headers, body } = await send('GET', '/nowhere');
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 404,
      body: {
        success: false,
        error: {
          code: 'NOT_FOUND',
          message: 'Not found.',
          details: [],
          requestId: headers['apigw-requestid'],
        },
      },
    });
  });

  it.each([
    ['DELETE', '/echo', 'GET, HEAD, POST'],
    ['PATCH', '/people/7', 'GET, HEAD'],
    ['POST', '/people/me', 'GET, HEAD'],
    ['GET', '/echo/7', 'PUT'],
  ])(
    'returns 405 with the allowed methods for other methods than %s %s',
    async (method, path, allow) => {
      const { status, headers, body } = await send(method, path);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
      expect(JSON.parse(body)).toMatchObject({
        success: false,
        error: { code: 'METHOD_NOT_ALLOWED', details: [] },
      });
    },
  );

  it('responds to OPTIONS with the allowed methods', async () => {
    const { status, headers, body } = await send('OPTIONS', '/echo');
    expect({ status, body, allow: headers.allow }).toEqual({
      status: 204,
      body: '',
      allow: 'GET, HEAD, POST',
    });
    expect(await send('OPTIONS', '/nowhere')).toMatchObject({ status: 404 });
  });

  it.each(['/people/%', '/people/%E4', '/people/%zz', '/%C3'])(
    'whose path can not be decoded is a 400: %s',
    async (path) => {
      const { status, body } = await send('GET', path);
      expect({ status, body }).toEqual({ status: 400, body: '{"message":"Bad Request"}' });
    },
  );

  it('does not match a part of its path', async () => {
    for (const path of ['//elsewhere/echo', '/Echo', '/echo/', '/api/echo', '/ech', '/echo%00']) {
      expect(await send('GET', path)).toMatchObject({ status: expect.toBeOneOf([404, 405]) });
    }
    expect(events).toEqual([]);
  });
});

const mb = 1024 * 1024;

describe('a limit', () => {
  const tooLarge = { status: 413, body: '{"message":"Request Entity Too Large"}' };
  const post = async (body: string | Buffer, type = 'text/plain') => {
    const response = await send('POST', '/echo', { headers: { 'content-type': type }, body });
    return { status: response.status, body: response.body };
  };

  it('of a request is 10 MB', async () => {
    expect(await post(Buffer.alloc(10 * mb + 1, 'a'))).toEqual(tooLarge);
    expect(events).toEqual([]);
  });

  it('of an event is 6 MB, with its escapes and its base64', async () => {
    expect(await post('a'.repeat(5.9 * mb))).toMatchObject({ status: 200 });
    expect(await post('a'.repeat(6 * mb))).toEqual(tooLarge);
    expect(await post('"'.repeat(2.9 * mb))).toMatchObject({ status: 200 });
    expect(await post('"'.repeat(3 * mb))).toEqual(tooLarge);
    expect(await post(Buffer.alloc(4.4 * mb), 'image/png')).toMatchObject({ status: 200 });
    expect(await post(Buffer.alloc(4.6 * mb), 'image/png')).toEqual(tooLarge);
    expect(events).toHaveLength(3);
  });

  it('of a response is 6 MB', async () => {
    gateway.reply = async () => ({ statusCode: 200, body: 'a'.repeat(5.9 * mb) });
    expect(await post('')).toMatchObject({ status: 200 });
    gateway.reply = async () => ({ statusCode: 200, body: '"'.repeat(3 * mb) });
    expect(await post('')).toEqual({ status: 500, body: '{"message":"Internal Server Error"}' });
  });

  it('of time is 30 s', async () => {
    const started = Promise.withResolvers<void>();
    gateway.reply = () => {
      started.resolve();
      return new Promise(() => undefined);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = post('');
    await started.promise;
    vi.advanceTimersByTime(29_999);
    expect(answered).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await response).toEqual({ status: 503, body: '{"message":"Service Unavailable"}' });
  });
});

describe('the response', () => {
  it('has the status, headers, cookies and body of the function', async () => {
    gateway.reply = async () => ({
      statusCode: 303,
      headers: { location: '/elsewhere', 'x-own': 'Value' },
      cookies: ['a=1; Secure', 'b=2; HttpOnly'],
      body: 'ä☂',
    });
    const { status, headers, body } = await send('GET', '/echo');
    expect({ status, body }).toEqual({ status: 303, body: 'ä☂' });
    expect(headers).toMatchObject({
      location: '/elsewhere',
      'x-own': 'Value',
      'set-cookie': ['a=1; Secure', 'b=2; HttpOnly'],
      'content-length': '5',
      'apigw-requestid': events[0]?.requestContext.requestId,
    });
  });

  it('may be base64 or have no body', async () => {
    gateway.reply = async () => ({ statusCode: 200, body: '4piC', isBase64Encoded: true });
    expect(await send('GET', '/echo')).toMatchObject({ body: '☂' });
    gateway.reply = async () => ({ statusCode: 200 });
    expect(await send('GET', '/echo')).toMatchObject({ status: 200, body: '' });
  });

  it('of a failed function is a plain 500', async () => {
    gateway.reply = async () => {
      throw new Error('a secret');
    };
    expect(await send('GET', '/echo')).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    });
  });

  it('is logged without the query, which may contain a password', async () => {
    await send('GET', '/people/7?password=aB3dE6');
    expect(answered).toEqual([
      { method: 'GET', path: '/people/7', status: 200, ms: expect.any(Number) },
    ]);
  });

  it('is logged without the key of a link whose # a program has encoded', async () => {
    await send('GET', `/people/7%23k1.${'A'.repeat(43)}`);
    expect(answered.map(({ path }) => path)).toEqual(['/people/7…']);
  });
});

describe('a client that disconnects', () => {
  const hangUp = async (text: string, when: Promise<void>) => {
    const socket = connect(gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    await when;
    socket.destroy();
    await once(socket, 'close');
  };
  const head = `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`;

  it('during its body does not invoke the function or disturb others', async () => {
    const begun = once(gateway.server, 'request').then(() => undefined);
    await hangUp(`${head}Content-Length: 100\r\n\r\nhalf`, begun);
    expect(await send('GET', '/echo')).toMatchObject({ status: 200, body: 'done' });
    expect(events.map(({ routeKey }) => routeKey)).toEqual(['ANY /echo']);
  });

  it('before the response does not stop the function or disturb others', async () => {
    const called = Promise.withResolvers<void>();
    const response = Promise.withResolvers<Result>();
    gateway.reply = () => {
      called.resolve();
      return response.promise;
    };
    await hangUp(`${head}Content-Length: 4\r\n\r\nbody`, called.promise);
    response.resolve({ statusCode: 200, body: 'for nobody' });
    gateway.reply = async () => ({ statusCode: 200, body: 'done' });
    expect(await send('GET', '/echo')).toMatchObject({ status: 200, body: 'done' });
    expect(answered.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('a page of another origin', () => {
  const typed = [
    route({
      endpoint: 'GET /typed',
      access: 'public',
      summary: 'A route',
      output: z.object({ ok: z.boolean() }),
      handle: async () => ({ ok: true }),
    }),
  ];

  const page = 'https://app.example.com';
  const open = useServer(createGateway([{ routes: typed }], () => {}, { corsOrigins: [page] }));
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
        'authorization,content-type,idempotency-key,if-match,if-none-match,mcp-method,mcp-name,mcp-protocol-version,x-share-claim,x-share-password,x-share-proof',
      'access-control-max-age': '3600',
    });
  });

  it('can read the response only if it is allowed', async () => {
    const allowed = await ask('GET', { origin: page });
    expect(allowed.headers['access-control-allow-origin']).toBe(page);
    expect(allowed.headers['access-control-expose-headers']).toBe(
      'etag,idempotency-replayed,x-request-id,retry-after,ratelimit,ratelimit-policy,www-authenticate,content-disposition,link,x-next-cursor',
    );
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask(method, { origin: 'https://evil.example.com', ...wanted });
      expect(Object.keys(headers).join()).not.toContain('access-control');
    }
  });
});
