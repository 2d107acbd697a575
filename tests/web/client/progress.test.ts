import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../functions/web/browser/client/client.ts';
import { withProgress } from '../../../functions/web/browser/client/progress.ts';
import { settle } from '../../support/client/fake-fetch.ts';
import { type FakeXhr, useFakeXhr } from '../../support/client/fake-xhr.ts';

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

describe('withProgress', () => {
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
