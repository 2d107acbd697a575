import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../functions/web/browser/client/client.ts';
import type { TokenStore, Tokens } from '../../../functions/web/browser/client/session.ts';
import {
  failure,
  fakeFetch,
  lost,
  ok,
  type Respond,
  settle,
} from '../../support/client/fake-fetch.ts';

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
