import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type Answered, createGateway } from '../infra/local/gateway.ts';
import type { Handler } from '../shared/api.ts';
import type { Event, Result } from '../shared/http.ts';
import { type Route, route } from '../shared/route.ts';

const { bare, waits } = vi.hoisted(() => ({
  /** Handlers that take the place of a group's own, by its routes. */
  bare: new Map<unknown, unknown>(),
  /** The waits asked for, each with what ends it. */
  waits: [] as { ms: number; end: () => void }[],
}));

vi.mock('../shared/api.ts', async (original) => {
  const api = await original<typeof import('../shared/api.ts')>();
  const createHandler: typeof api.createHandler = (...args) =>
    (bare.get(args[0]) as Handler | undefined) ?? api.createHandler(...args);
  return { ...api, createHandler };
});
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown) =>
    new Promise((resolve) => waits.push({ ms, end: () => resolve(value) })),
}));

const mb = 1024 * 1024;
const aText = expect.any(String);

const of = (
  endpoint: `${Route['method']} /${string}`,
  output: z.ZodType = z.unknown(),
  handle: () => Promise<unknown> = async () => ({}),
) =>
  route({
    endpoint,
    access: 'public',
    summary: 'A route of the tests',
    output,
    handle,
  } as never);

let events: Event[] = [];
let reply: (event: Event) => Promise<Result>;

/** A group whose handler is the gateway's view of a function: an event in, a result out. */
const echoed = [
  of('GET /echo'),
  of('POST /echo'),
  of('PUT /echo/{id}'),
  of('GET /people/{id}'),
  of('GET /people/{id}/friends/{friend}'),
];
const own = [of('GET /people/me')];
const typed = [
  of('GET /typed', z.object({ ok: z.boolean() }), async () => ({ ok: true, pk: 'x' })),
];

const handler: Handler = async (event) => {
  events.push(event);
  return reply(event);
};
bare.set(echoed, handler);
bare.set(own, async () => ({ statusCode: 200, body: 'me' }));

let server: Server;
let port: number;
let answered: Answered[];

beforeAll(async () => {
  server = createGateway({ echoed, own, typed }, (one) => answered.push(one));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  events = [];
  answered = [];
  waits.length = 0;
  reply = async () => ({ statusCode: 200, body: 'done' });
});

interface Sent {
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

/** Sends a request as it is, without the tidying that fetch does. */
const send = async (method: string, path: string, { headers = {}, body }: Sent = {}) => {
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers });
  // A server may answer and close before it has read everything.
  request.on('error', () => undefined);
  request.end(body);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode as number,
    headers: response.headers as IncomingHttpHeaders,
    body: Buffer.concat(chunks).toString(),
  };
};

const json = { 'content-type': 'application/json' };

describe('the event', () => {
  it('is that of payload format 2.0', async () => {
    await send('PUT', '/echo/a%20b%2Fc?x=1&y=%C3%A4', {
      headers: { ...json, 'User-Agent': 'tests', 'X-Own': 'Value', Cookie: 'a=1; b=2' },
      body: '{"name":"Ann ☂"}',
    });
    expect(events).toEqual([
      {
        version: '2.0',
        routeKey: 'PUT /echo/{id}',
        rawPath: '/echo/a b/c',
        rawQueryString: 'x=1&y=%C3%A4',
        cookies: ['a=1', 'b=2'],
        headers: {
          'content-type': 'application/json',
          'user-agent': 'tests',
          'x-own': 'Value',
          host: `127.0.0.1:${port}`,
          connection: aText,
          'content-length': '18',
        },
        queryStringParameters: { x: '1', y: 'ä' },
        pathParameters: { id: 'a b/c' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          domainName: `127.0.0.1:${port}`,
          domainPrefix: 'local',
          http: {
            method: 'PUT',
            path: '/echo/a b/c',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'tests',
          },
          requestId: expect.stringMatching(/^[\da-f-]{36}$/),
          routeKey: 'PUT /echo/{id}',
          stage: '$default',
          time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
          timeEpoch: expect.any(Number),
        },
        body: '{"name":"Ann ☂"}',
        isBase64Encoded: false,
      },
    ]);
  });

  it('leaves out what was not sent', async () => {
    await send('GET', '/echo');
    const [event] = events;
    for (const field of ['body', 'cookies', 'queryStringParameters', 'pathParameters']) {
      expect(event).not.toHaveProperty(field);
    }
    expect(event).toMatchObject({ rawQueryString: '', isBase64Encoded: false });
  });

  it('joins what is there twice with commas', async () => {
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

  it('has each path parameter decoded, and a parameter is one segment', async () => {
    await send('GET', '/people/%C3%A4/friends/50%25');
    expect(events[0]?.pathParameters).toEqual({ id: 'ä', friend: '50%' });
    expect(await send('GET', '/people/1/2')).toMatchObject({ status: 404 });
  });
});

describe('a route', () => {
  it('with a fixed path wins over one with a parameter', async () => {
    expect(await send('GET', '/people/me')).toMatchObject({ status: 200, body: 'me' });
    expect(await send('GET', '/people/mel')).toMatchObject({ status: 200, body: 'done' });
    expect(events.map(({ routeKey }) => routeKey)).toEqual(['GET /people/{id}']);
  });

  it('is served by the handler of its group', async () => {
    const { status, headers, body } = await send('GET', '/typed');
    expect({ status, body }).toEqual({ status: 200, body: '{"ok":true}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': headers['apigw-requestid'],
    });
  });

  it('of GET answers HEAD too, without a body', async () => {
    const { status, headers, body } = await send('HEAD', '/typed');
    expect({ status, body }).toEqual({ status: 200, body: '' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('that exists nowhere is a 404 in the envelope', async () => {
    const { status, headers, body } = await send('GET', '/nowhere');
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 404,
      body: {
        success: false,
        error: {
          code: 'NOT_FOUND',
          message: 'There is nothing at this address',
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
  ])('of another method than %s %s is a 405 that says which', async (method, path, allow) => {
    const { status, headers, body } = await send(method, path);
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      error: { code: 'METHOD_NOT_ALLOWED', details: [] },
    });
  });

  it('answers OPTIONS with what can be used there', async () => {
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

  it('is found for no part of its path', async () => {
    for (const path of ['//elsewhere/echo', '/Echo', '/echo/', '/api/echo', '/ech', '/echo%00']) {
      expect(await send('GET', path)).toMatchObject({ status: expect.toBeOneOf([404, 405]) });
    }
    expect(events).toEqual([]);
  });
});

describe('a limit', () => {
  const tooLarge = { status: 413, body: '{"message":"Request Entity Too Large"}' };
  const post = async (body: string | Buffer, type = 'text/plain') => {
    const answer = await send('POST', '/echo', { headers: { 'content-type': type }, body });
    return { status: answer.status, body: answer.body };
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

  it('of an answer is 6 MB', async () => {
    reply = async () => ({ statusCode: 200, body: 'a'.repeat(5.9 * mb) });
    expect(await post('')).toMatchObject({ status: 200 });
    reply = async () => ({ statusCode: 200, body: '"'.repeat(3 * mb) });
    expect(await post('')).toEqual({ status: 500, body: '{"message":"Internal Server Error"}' });
  });

  it('of time is 30 s', async () => {
    const started = Promise.withResolvers<void>();
    reply = () => {
      started.resolve();
      return new Promise(() => undefined);
    };
    const answer = post('');
    await started.promise;
    expect(waits.map(({ ms }) => ms)).toEqual([30_000]);
    waits[0]?.end();
    expect(await answer).toEqual({ status: 503, body: '{"message":"Service Unavailable"}' });
  });
});

describe('the answer', () => {
  it('is what the function said: status, headers, cookies and body', async () => {
    reply = async () => ({
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

  it('may come in base64, or with no body at all', async () => {
    reply = async () => ({ statusCode: 200, body: '4piC', isBase64Encoded: true });
    expect(await send('GET', '/echo')).toMatchObject({ body: '☂' });
    reply = async () => ({ statusCode: 200 });
    expect(await send('GET', '/echo')).toMatchObject({ status: 200, body: '' });
  });

  it('to a function that breaks is a bare 500', async () => {
    reply = async () => {
      throw new Error('a secret');
    };
    expect(await send('GET', '/echo')).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    });
  });

  it('is told without the query, which may hold a password', async () => {
    await send('GET', '/people/7?password=aB3dE6');
    expect(answered).toEqual([
      { method: 'GET', path: '/people/7', status: 200, ms: expect.any(Number) },
    ]);
  });
});

describe('a client that hangs up', () => {
  const hangUp = async (text: string, when: Promise<void>) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    await when;
    socket.destroy();
    await once(socket, 'close');
  };
  const head = `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`;

  it('within its body calls no function, and others are served', async () => {
    const begun = once(server, 'request').then(() => undefined);
    await hangUp(`${head}Content-Length: 100\r\n\r\nhalf`, begun);
    expect(await send('GET', '/echo')).toMatchObject({ status: 200, body: 'done' });
    expect(events.map(({ routeKey }) => routeKey)).toEqual(['GET /echo']);
  });

  it('before its answer lets the function end, and others are served', async () => {
    const called = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Result>();
    reply = () => {
      called.resolve();
      return answer.promise;
    };
    await hangUp(`${head}Content-Length: 4\r\n\r\nbody`, called.promise);
    answer.resolve({ statusCode: 200, body: 'for nobody' });
    reply = async () => ({ statusCode: 200, body: 'done' });
    expect(await send('GET', '/echo')).toMatchObject({ status: 200, body: 'done' });
    expect(answered.map(({ status }) => status)).toEqual([200, 200]);
  });
});
