import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withStreamProgress } from '../../../functions/web/browser/client/stream-progress.ts';
import { readMultipart } from '../../../shared/http/multipart.ts';
import { useServer } from '../../support/run/server.ts';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

let received: Received | undefined;
/** Whether requests are left without an answer, and their bodies unread. */
let isStalled = false;
const http = createServer(async (request, response) => {
  if (isStalled) return;
  received = { headers: request.headers, body: await buffer(request) };
  response.end('{}');
});
const server = useServer(http);
afterEach(() => {
  isStalled = false;
  vi.useRealTimers();
});

const bytes = Buffer.alloc(2_000_000, 'x');
const formOf = (name: string) => {
  const form = new FormData();
  form.append('key', 'files/1');
  form.append('file', new File([bytes], name));
  return form;
};

describe('withStreamProgress', () => {
  it('sends a form of known length and reports the parts that are read', async () => {
    const parts: number[] = [];
    const send = withStreamProgress((part) => parts.push(part));
    const init = { method: 'POST', body: formOf('a "b".txt'), headers: { 'x-other': '1' } };
    expect((await send(server.origin, init)).status).toBe(200);
    const { headers, body } = received ?? { headers: {}, body: Buffer.alloc(0) };
    expect(headers).toMatchObject({ 'content-length': String(body.length), 'x-other': '1' });
    expect(headers['transfer-encoding']).toBeUndefined();
    const form = await readMultipart(headers['content-type'] ?? '', body);
    expect(form).toMatchObject({ key: 'files/1', file: { name: 'a "b".txt', bytes } });
    expect(parts.length).toBeGreaterThan(2);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
  });

  it('sends other bodies as they are', async () => {
    await withStreamProgress(() => {})(server.origin, { method: 'POST', body: 'plain' });
    expect(received?.body.toString()).toBe('plain');
  });

  it('ends with its signal, and leaves no timer', async () => {
    isStalled = true;
    const stopped = new AbortController();
    const arrived = once(http, 'request');
    const init = { method: 'POST', body: formOf('a.txt'), signal: stopped.signal };
    const sending = withStreamProgress(() => {})(server.origin, init);
    await arrived;
    vi.useFakeTimers();
    stopped.abort(new Error('Stopped'));
    await expect(sending).rejects.toThrow();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives up when nothing is read for a minute', async () => {
    isStalled = true;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrived = once(http, 'request');
    const sending = withStreamProgress(() => {})(server.origin, {
      method: 'POST',
      body: formOf('a.txt'),
    });
    const refused = expect(sending).rejects.toThrow('abort');
    await arrived;
    // The sockets take what they can hold.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
  });
});
