import { describe, expect, it, vi } from 'vitest';
import type { Handler } from '../../shared/http/create-handler.ts';
import { serveGateway } from '../support/service/gateway.ts';

const { bare } = vi.hoisted(() => ({
  /** Handlers that take the place of a group's own, by its routes. */
  bare: new Map<unknown, unknown>(),
}));

vi.mock('../../shared/http/create-handler.ts', async (original) => {
  const api = await original<typeof import('../../shared/http/create-handler.ts')>();
  const createHandler: typeof api.createHandler = (...args) =>
    (bare.get(args[0]) as Handler | undefined) ?? api.createHandler(...args);
  return { ...api, createHandler };
});

const aText = expect.any(String);
const json = { 'content-type': 'application/json' };

const gateway = serveGateway(bare);
const { events, send } = gateway;

describe('the event', () => {
  it('has payload format 2.0', async () => {
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
          host: `127.0.0.1:${gateway.port}`,
          connection: aText,
          'content-length': '18',
        },
        queryStringParameters: { x: '1', y: 'ä' },
        pathParameters: { id: 'a b/c' },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          domainName: `127.0.0.1:${gateway.port}`,
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

  it('has decoded path parameters of one segment each', async () => {
    await send('GET', '/people/%C3%A4/friends/50%25');
    expect(events[0]?.pathParameters).toEqual({ id: 'ä', friend: '50%' });
    expect(await send('GET', '/people/1/2')).toMatchObject({ status: 404 });
  });
});

describe('a route', () => {
  it('with a fixed path precedes one with a parameter', async () => {
    expect(await send('GET', '/people/me')).toMatchObject({ status: 200, body: 'me' });
    expect(await send('GET', '/people/mel')).toMatchObject({ status: 200, body: 'done' });
    expect(events.map(({ routeKey }) => routeKey)).toEqual(['GET /people/{id}']);
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
