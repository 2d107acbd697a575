import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Handler } from '../../shared/http/create-handler.ts';
import type { Result } from '../../shared/http/http.ts';
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

const mb = 1024 * 1024;

const gateway = serveGateway(bare);
const { events, answered, send } = gateway;

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
    expect(events.map(({ routeKey }) => routeKey)).toEqual(['GET /echo']);
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
