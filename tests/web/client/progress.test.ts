import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../functions/web/browser/client/client.ts';
import { withProgress } from '../../../functions/web/browser/client/progress.ts';
import { withStreamProgress } from '../../../functions/web/browser/client/stream-progress.ts';
import { readMultipart } from '../../../shared/http/multipart.ts';
import { settle } from '../../support/client/fake-fetch.ts';
import { useServer } from '../../support/run/server.ts';
import { type FakeXhr, useFakeXhr } from './fake-xhr.ts';

describe('withProgress', () => {
  let requests: readonly FakeXhr[];
  beforeEach(() => {
    vi.useFakeTimers();
    requests = useFakeXhr();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const minuteMs = 60_000;

  /** Starts a call that reports its progress. */
  const start = async (signal?: AbortSignal) => {
    const parts: number[] = [];
    const call = createClient({ baseUrl: 'https://handbill.test' }).call('POST /api/documents', {
      body: { title: 'A' },
      fetch: withProgress((part) => parts.push(part)),
      timeoutMs: Number.POSITIVE_INFINITY,
      retryMs: 0,
      signal,
    });
    call.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    const [request] = requests;
    if (!request) throw new Error('Nothing was sent');
    return { call, parts, request };
  };

  it('sends a call and reports the parts that are sent', async () => {
    const { call, parts, request } = await start();
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://handbill.test/api/documents',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"A"}',
    });
    request.progress(25, 100);
    request.progress(100, 100);
    request.progress(0, 0);
    request.respond(201, { success: true, data: { id: 7 } });
    expect(await call).toEqual({ id: 7 });
    expect(parts).toEqual([0.25, 1, 0]);
  });

  it('goes on as long as something is sent, and ends a minute after nothing is', async () => {
    const { call, request } = await start();
    for (let loaded = 1; loaded <= 5; loaded++) {
      await vi.advanceTimersByTimeAsync(minuteMs - 1);
      request.progress(loaded, 100);
    }
    expect(request.isAborted).toBe(false);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(request.isAborted).toBe(true);
    expect((await settle(call)).error).toMatchObject({ status: 0, code: 'UNREACHABLE' });
  });

  it('stops when the call is aborted', async () => {
    const controller = new AbortController();
    const { call, request } = await start(controller.signal);
    controller.abort(new Error('left'));
    expect(request.isAborted).toBe(true);
    await expect(call).rejects.toThrow('left');
  });

  it('fails like fetch', async () => {
    const { call, request } = await start();
    request.fail();
    await expect(call).rejects.toMatchObject({ status: 0, code: 'UNREACHABLE' });
    const { call: refused, request: second } = await start();
    void second;
    requests.at(-1)?.respond(403, { error: { code: 'FORBIDDEN', message: 'No.' } });
    await expect(refused).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('reports the end where there is no XMLHttpRequest', async () => {
    vi.unstubAllGlobals();
    vi.stubGlobal('fetch', async () => Response.json({}));
    const parts: number[] = [];
    await withProgress((part) => parts.push(part))('https://handbill.test/');
    expect(parts).toEqual([1]);
  });
});

describe('withStreamProgress', () => {
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

  it('sends a form of known length and reports the parts that are read', async () => {
    const parts: number[] = [];
    const send = withStreamProgress((part) => parts.push(part));
    const init = { method: 'POST', body: formOf('a "b".txt'), headers: { 'x-other': '1' } };
    expect((await send(server.origin, init)).status).toBe(200);
    const { headers, body } = received ?? { headers: {}, body: Buffer.alloc(0) };
    expect(headers).toMatchObject({ 'content-length': String(body.length), 'x-other': '1' });
    expect(headers['transfer-encoding']).toBeUndefined();
    const form = await readMultipart(headers['content-type'] ?? '', body);
    expect(form).toMatchObject({ key: 'files/1', file: { name: 'a "b".txt' } });
    // Much faster than a comparison of two million numbers.
    expect(bytes.equals((form['file'] as { bytes: Buffer }).bytes)).toBe(true);
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
