import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../functions/web/browser/client/client.ts';
import type { TokenStore, Tokens } from '../../../functions/web/browser/client/session.ts';
import {
  failure,
  fakeFetch,
  hang,
  lost,
  ok,
  type Respond,
  settle,
} from '../../support/client/fake-fetch.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-23T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const busy = (seconds: string | undefined, status = 503) =>
  failure(status, { code: 'X', message: 'Busy.' }, seconds ? { 'retry-after': seconds } : {});

const body = { title: 'A' };
const params = { id: 7 };

describe('a failed call', () => {
  it('has what the service says', async () => {
    const details = [{ field: 'title', message: 'is required' }];
    const error = {
      code: 'VALIDATION_ERROR',
      message: 'Invalid title.',
      details,
      requestId: 'r-1',
    };
    const { fetch } = fakeFetch(() => failure(400, error));
    await expect(
      createClient({ fetch }).call('POST /api/documents', { body }),
    ).rejects.toMatchObject({ name: 'ApiError', status: 400, ...error, retryAfterMs: undefined });
  });

  it.each([
    [413, 'PAYLOAD_TOO_LARGE', 'This is too large to send.'],
    [429, 'RATE_LIMITED', 'The service is busy. Try again later.'],
    [500, 'INTERNAL_ERROR', 'Something went wrong. Try again.'],
    [504, 'SERVICE_UNAVAILABLE', 'The service is busy. Try again later.'],
  ])('has a code and a message for a %i of the gateway', async (status, code, message) => {
    const headers = { 'x-request-id': 'r-2' };
    const { fetch } = fakeFetch(() => Response.json({ message: 'No' }, { status, headers }));
    const call = createClient({ fetch }).call('DELETE /api/documents/{id}', { params });
    const { error } = await settle(call);
    expect(error).toMatchObject({ status, code, message, requestId: 'r-2', details: [] });
  });

  it('has status 0 without a connection, and for a page that is no API', async () => {
    const offline = createClient(fakeFetch(lost)).call('DELETE /api/documents/{id}', { params });
    const message = 'Can’t reach the server. Check your connection and try again.';
    expect((await settle(offline)).error).toMatchObject({
      status: 0,
      code: 'UNREACHABLE',
      message,
    });
    const { fetch } = fakeFetch(() => new Response('<h1>Sign in to this Wi-Fi</h1>'));
    const portal = createClient({ fetch }).call('GET /api/roles');
    expect((await settle(portal)).error).toMatchObject({ status: 200, code: 'INTERNAL_ERROR' });
  });

  it('ends after 60 s, or as long as the call allows', async () => {
    const { fetch, sent } = fakeFetch(hang);
    const client = createClient({ fetch });
    const start = Date.now();
    const { error } = await settle(client.call('GET /api/roles'));
    expect(error).toMatchObject({ status: 0, code: 'TIMEOUT' });
    expect(Date.now() - start).toBe(60_000);
    await settle(client.call('GET /api/roles', { timeoutMs: 5_000 }));
    expect(Date.now() - start).toBe(65_000);
    expect(sent).toHaveLength(2);
  });

  it('ends with the reason of the signal, also while it waits', async () => {
    const { fetch, sent } = fakeFetch(hang, () => busy('5'));
    const client = createClient({ fetch });
    for (const after of [10, 1_000]) {
      const controller = new AbortController();
      const call = client.call('GET /api/roles', { signal: controller.signal });
      setTimeout(() => controller.abort(new Error('left')), after);
      expect((await settle(call)).error).toMatchObject({ message: 'left' });
    }
    const signal = AbortSignal.abort(new Error('never'));
    await expect(client.call('GET /api/roles', { signal })).rejects.toThrow('never');
    expect(sent).toHaveLength(2);
  });
});

describe('Retry-After', () => {
  it('is honoured, as seconds and as a date', async () => {
    const { fetch, sent } = fakeFetch(
      () => busy('2'),
      () => busy(new Date(Date.now() + 3_000).toUTCString(), 429),
      () => ok([]),
    );
    const start = Date.now();
    const { value } = await settle(createClient({ fetch }).call('GET /api/roles'));
    expect(value).toEqual([]);
    expect(sent).toHaveLength(3);
    expect(Date.now() - start).toBeGreaterThanOrEqual(5_000);
    expect(Date.now() - start).toBeLessThan(6_100);
  });

  it('is not waited for beyond 10 s in all', async () => {
    const { fetch, sent } = fakeFetch(() => busy('4'));
    const start = Date.now();
    const { error } = await settle(createClient({ fetch }).call('GET /api/roles'));
    expect(error).toMatchObject({ status: 503, retryAfterMs: 4_000 });
    expect(sent).toHaveLength(3);
    expect(Date.now() - start).toBeLessThan(10_000);
    const long = fakeFetch(() => busy('900', 429));
    const call = createClient(long).call('GET /api/roles');
    expect((await settle(call)).error).toMatchObject({ retryAfterMs: 900_000 });
    expect(long.sent).toHaveLength(1);
  });

  it('is honoured 3 times at most', async () => {
    const { fetch, sent } = fakeFetch(() => busy('0'));
    await settle(createClient({ fetch }).call('GET /api/roles'));
    expect(sent).toHaveLength(4);
  });

  it.each([
    ['a DELETE', 2, (client) => client.call('DELETE /api/documents/{id}', { params })],
    ['a PUT', 2, (client) => client.call('PUT /api/documents/{id}', { params, ifMatch: 3, body })],
    ['a POST with a key', 2, (client) => client.call('POST /api/documents', { body })],
    [
      'a POST without a key',
      1,
      (client) => client.call('POST /api/documents', { body, idempotencyKey: false }),
    ],
    ['a POST that takes none', 1, (client) => client.call('POST /api/checkin')],
  ] satisfies [string, number, (client: ReturnType<typeof createClient>) => Promise<unknown>][])(
    'sends %s %i times',
    async (_, count, act) => {
      const { fetch, sent } = fakeFetch(
        () => busy('1'),
        () => ok(),
      );
      await settle(act(createClient({ fetch })));
      expect(sent).toHaveLength(count);
    },
  );
});

describe('a lost response', () => {
  it.each([
    ['a GET', 4, (client) => client.call('GET /api/roles')],
    ['a PUT of no version', 4, (client) => client.call('PUT /api/notifications/read-all')],
    [
      'a PUT of a version',
      1,
      (client) => client.call('PUT /api/documents/{id}', { params, ifMatch: '"3-nY9HTOoC"', body }),
    ],
    ['a DELETE', 1, (client) => client.call('DELETE /api/documents/{id}', { params })],
    ['a POST with a key', 4, (client) => client.call('POST /api/documents', { body })],
    ['a POST that takes none', 1, (client) => client.call('POST /api/checkin')],
  ] satisfies [string, number, (client: ReturnType<typeof createClient>) => Promise<unknown>][])(
    'makes the client send %s %i times',
    async (_, count, act) => {
      for (const respond of [lost, () => busy(undefined)]) {
        const { fetch, sent } = fakeFetch(respond);
        const { error } = await settle(act(createClient({ fetch })));
        expect(error).toMatchObject({ name: 'ApiError' });
        expect(sent).toHaveLength(count);
      }
    },
  );

  it('keeps its Idempotency-Key, and each call has its own', async () => {
    const { fetch, sent } = fakeFetch(
      lost,
      () => busy('1', 409),
      () => ok(),
      () => ok(),
    );
    const client = createClient({ fetch });
    await settle(client.call('POST /api/documents', { body }));
    await client.call('POST /api/documents', { body });
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });
});

describe('the session of a client', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const signedOut = () => failure(401, { code: 'UNAUTHORIZED', message: 'Sign in again.' });

  const storeOf = (tokens: Tokens | undefined) => {
    let stored = tokens;
    return {
      read: () => stored,
      write: (next) => {
        stored = next;
      },
    } satisfies TokenStore;
  };

  /** Responds to one access token, and renews it once by `refresh-1`. */
  const serviceOf = (valid: string, delayMs = 0): Respond => {
    let refreshes = 0;
    return async ({ url, headers, init }) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (!url.endsWith('/api/auth/refresh')) {
        return headers['authorization'] === `Bearer ${valid}` ? ok('fine') : signedOut();
      }
      const { refreshToken } = JSON.parse(String(init.body));
      const isFirst = refreshToken === 'refresh-1' && ++refreshes === 1;
      return isFirst ? ok({ accessToken: 'access-2', refreshToken: 'refresh-2' }) : signedOut();
    };
  };

  const expired = { accessToken: 'access-1', refreshToken: 'refresh-1' };
  const isRefresh = ({ url }: { readonly url: string }) => url.endsWith('/api/auth/refresh');

  describe('a client with tokens', () => {
    it('renews them once for many callers, and repeats their calls', async () => {
      const tokens = storeOf(expired);
      const { fetch, sent } = fakeFetch(serviceOf('access-2', 20));
      const client = createClient({ fetch, tokens });
      const late = new Promise((resolve) => setTimeout(resolve, 70));
      const calls = Promise.all([
        ...Array.from({ length: 30 }, () => client.call('GET /api/roles')),
        late.then(() => client.call('GET /api/roles')),
      ]);
      expect((await settle(calls)).value).toEqual(Array.from({ length: 31 }, () => 'fine'));
      expect(sent.filter(isRefresh)).toHaveLength(1);
      expect(tokens.read()).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' });
      expect(sent.every(({ init }) => init.credentials === 'omit')).toBe(true);
    });

    it('does not renew again for a 401 that arrives after the renewal', async () => {
      const tokens = storeOf(expired);
      const respond = serviceOf('access-2');
      const slow: Respond = async (request, count) => {
        const response = await respond(request, count);
        if (count === 1) await new Promise((resolve) => setTimeout(resolve, 500));
        return response;
      };
      const { fetch, sent } = fakeFetch(slow);
      const client = createClient({ fetch, tokens });
      const calls = Promise.all([client.call('GET /api/roles'), client.call('GET /api/roles')]);
      expect((await settle(calls)).value).toEqual(['fine', 'fine']);
      expect(sent.filter(isRefresh)).toHaveLength(1);
    });

    it('takes the tokens that another tab has renewed', async () => {
      const tokens = storeOf(expired);
      const respond = serviceOf('access-9');
      const { fetch, sent } = fakeFetch((request, count) => {
        const response = respond(request, count);
        tokens.write({ accessToken: 'access-9', refreshToken: 'refresh-9' });
        return response;
      });
      const call = createClient({ fetch, tokens }).call('GET /api/roles');
      expect((await settle(call)).value).toBe('fine');
      expect(sent.filter(isRefresh)).toHaveLength(0);
    });

    it('ends with a 401 after the renewal', async () => {
      const { fetch, sent } = fakeFetch(serviceOf('never'));
      const client = createClient({ fetch, tokens: storeOf(expired) });
      const { error } = await settle(client.call('GET /api/roles'));
      expect(error).toMatchObject({ status: 401, message: 'Sign in again.' });
      expect(sent).toHaveLength(3);
    });

    it('forgets tokens that can no longer be renewed, and lets the user sign in', async () => {
      const tokens = storeOf({ accessToken: 'access-0', refreshToken: 'refresh-0' });
      const { fetch, sent } = fakeFetch(serviceOf('access-5'));
      const onSignedOut = vi.fn(async () => {
        expect(tokens.read()).toBeUndefined();
        tokens.write({ accessToken: 'access-5' });
      });
      const client = createClient({ fetch, tokens, onSignedOut });
      expect((await settle(client.call('GET /api/roles'))).value).toBe('fine');
      expect(onSignedOut).toHaveBeenCalledOnce();
      expect(sent).toHaveLength(3);
    });

    it('keeps them if they can’t be renewed now', async () => {
      const tokens = storeOf(expired);
      const onSignedOut = vi.fn();
      const { fetch } = fakeFetch(signedOut, lost);
      const client = createClient({ fetch, tokens, onSignedOut });
      const calls = Promise.allSettled([
        client.call('GET /api/roles'),
        client.call('GET /api/roles'),
      ]);
      const { value } = await settle(calls);
      expect(value).toMatchObject([{ reason: { status: 0 } }, { reason: { status: 0 } }]);
      expect(tokens.read()).toEqual(expired);
      expect(onSignedOut).not.toHaveBeenCalled();
    });
  });

  describe('a client with the session cookie', () => {
    it('asks once to sign in for many callers, and repeats their calls', async () => {
      let isSignedIn = false;
      const { fetch, sent } = fakeFetch(() => (isSignedIn ? ok('fine') : signedOut()));
      const onSignedOut = vi.fn(async () => {
        // A user takes a while.
        await new Promise((resolve) => setTimeout(resolve, 300_000));
        isSignedIn = true;
      });
      const client = createClient({ fetch, onSignedOut });
      const body = { title: 'A' };
      const calls = Promise.all([
        client.call('GET /api/roles'),
        client.call('POST /api/documents', { body }),
        client.call('GET /api/roles'),
      ]);
      expect((await settle(calls)).value).toEqual(['fine', 'fine', 'fine']);
      expect(onSignedOut).toHaveBeenCalledOnce();
      const keys = sent.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
      expect(keys).toEqual([keys[0], keys[0]]);
      expect(sent.every(({ init }) => init.credentials === 'same-origin')).toBe(true);
    });

    it('ends with the 401 if the user doesn’t sign in, or is refused again', async () => {
      const { fetch, sent } = fakeFetch(signedOut);
      for (const onSignedOut of [undefined, () => false, () => undefined]) {
        const client = createClient({ fetch, ...(onSignedOut && { onSignedOut }) });
        const { error } = await settle(client.call('GET /api/roles'));
        expect(error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
      }
      expect(sent).toHaveLength(4);
    });

    it('stops waiting when the call is aborted', async () => {
      const { fetch, sent } = fakeFetch(signedOut);
      const client = createClient({ fetch, onSignedOut: () => new Promise(() => {}) });
      const signal = AbortSignal.timeout(0);
      vi.useRealTimers();
      await expect(client.call('GET /api/roles', { signal })).rejects.toMatchObject({
        name: 'TimeoutError',
      });
      expect(sent.length).toBeLessThanOrEqual(1);
    });

    it('does not ask to sign in for an incorrect password', async () => {
      const onSignedOut = vi.fn();
      const { fetch } = fakeFetch(signedOut);
      const client = createClient({ fetch, onSignedOut });
      const body = { email: 'ann@example.com', password: 'correct horse' };
      await expect(client.call('POST /api/auth/login', { body })).rejects.toThrow('Sign in again.');
      await expect(client.call('GET /api/share', { query: { id: 'x' } })).rejects.toThrow();
      expect(onSignedOut).not.toHaveBeenCalled();
      await expect(client.call('GET /api/share', { query: { mine: 'true' } })).rejects.toThrow();
      expect(onSignedOut).toHaveBeenCalledOnce();
    });
  });
});
