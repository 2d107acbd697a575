import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import { type Client, createClient } from '../../../functions/web/browser/client/client.ts';
import * as transport from '../../../functions/web/browser/client/transport.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { signInTo } from '../../support/client/signed-in.ts';
import { listed, newAuthor } from '../../support/documents/documents.ts';
import { useServer } from '../../support/run/server.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-23T10:00:00Z');
useTable();
useBucket();

const gateway = useServer(createGateway(listGroups('service'), () => undefined));

const signIn = (person: Person, fetchIt?: typeof fetch) =>
  signInTo(gateway.origin, person, fetchIt);

/** Sends each request, and loses the first responses of those that match. */
const losing = (pattern: RegExp, count: number): typeof fetch => {
  let left = count;
  return async (input, init) => {
    const response = await fetch(input, init);
    const isLost = pattern.test(`${init?.method} ${new URL(String(input)).pathname}`) && left-- > 0;
    if (!isLost) return response;
    await response.text();
    throw new TypeError('The connection was closed');
  };
};

let ann: Person;
let client: Client;
beforeEach(async () => {
  ann = await newAuthor();
  client = signIn(ann);
  vi.spyOn(transport, 'sleep').mockResolvedValue();
  return () => {
    vi.restoreAllMocks();
  };
});

const make = (title: string) => client.call('POST /api/documents', { body: { title } });

describe('a client of the service', () => {
  it('repeats a POST whose response was lost, which creates one record', async () => {
    const unlucky = signIn(ann, losing(/^POST \/api\/documents$/, 2));
    const { id } = await unlucky.call('POST /api/documents', { body: { title: 'Once' } });
    expect((await listed(ann)).ids).toEqual([id]);
    expect(await client.call('GET /api/documents/{id}', { params: { id } })).toMatchObject({
      title: 'Once',
    });
  });

  it('renews an expired access token once for many callers, and is still signed in', async () => {
    const bob = await newAuthor();
    const paths: string[] = [];
    const patient = signIn(bob, (input, init) => {
      paths.push(new URL(String(input)).pathname);
      return fetch(input, init);
    });
    for (let round = 1; round <= 2; round++) {
      pass(20 * 60_000);
      const calls = Array.from({ length: 12 }, () => patient.call('GET /api/auth/me'));
      const users = await Promise.all(calls);
      expect(users.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, () => bob.id));
      expect(paths.filter((path) => path === '/api/auth/refresh')).toHaveLength(round);
    }
  });

  it('renews although the response of the renewal is lost', async () => {
    const bob = await newAuthor();
    const unlucky = signIn(bob, losing(/refresh$/, 1));
    pass(20 * 60_000);
    expect(await unlucky.call('GET /api/auth/me')).toMatchObject({ id: bob.id });
    pass(20 * 60_000);
    expect(await unlucky.call('GET /api/auth/me')).toMatchObject({ id: bob.id });
  });

  it('changes a record by its ETag or version, and reports a conflict with what is stored', async () => {
    const { id } = await make('First');
    const params = { id };
    const { etag, data, body: whole } = await client.send('GET /api/documents/{id}', { params });
    expect(whole).toMatchObject({ success: true, data });
    const body = { title: 'Second' };
    await client.call('PUT /api/documents/{id}', { params, body, ifMatch: etag });
    const late = client.call('PUT /api/documents/{id}', { params, body, ifMatch: data.version });
    const conflict = await late.catch((error) => error);
    expect(conflict).toMatchObject({
      name: 'ConflictError',
      status: 412,
      code: 'PRECONDITION_FAILED',
      details: [{ field: 'if-match' }],
    });
    const current = await conflict.readCurrent();
    expect(current).toMatchObject({ data: { id, title: 'Second' } });
    const third = { params, body: { title: 'Third' }, ifMatch: current.etag };
    expect(await client.call('PUT /api/documents/{id}', third)).toMatchObject({ title: 'Third' });
  });

  it('has no current version of a record that the user can no longer read', async () => {
    const { id, version } = await make('Deleted soon');
    const params = { id };
    await client.call('PUT /api/documents/{id}', { params, body: { title: 'Changed' } });
    const late = client.call('DELETE /api/documents/{id}', { params, ifMatch: version });
    const conflict = await late.catch((error) => error);
    expect(conflict).toMatchObject({ name: 'ConflictError' });
    await client.call('DELETE /api/documents/{id}', { params });
    expect(await conflict.readCurrent()).toBeUndefined();
  });

  it('reads again only what has changed', async () => {
    const { id } = await make('Polled');
    const params = { id };
    const statuses: number[] = [];
    const counting = signIn(ann, async (input, init) => {
      const response = await fetch(input, init);
      statuses.push(response.status);
      return response;
    });
    const read = counting.reader('GET /api/documents/{id}', { params });
    expect(await read()).toMatchObject({ data: { title: 'Polled' }, isChanged: true });
    expect(await read()).toMatchObject({ data: { title: 'Polled' }, isChanged: false });
    await client.call('PUT /api/documents/{id}', { params, body: { title: 'New' } });
    expect(await read()).toMatchObject({ data: { title: 'New' }, isChanged: true });
    expect(statuses).toEqual([200, 304, 200]);
  });

  it('says which fields are invalid, with the id of the request', async () => {
    const body = { title: '', tags: ['a', 'a'.repeat(100)] };
    const error = await client.call('POST /api/documents', { body }).catch((failure) => failure);
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(error.details.map(({ field }: { field: string }) => field)).toContain('title');
    expect(error.requestId).toBe(error.body.error.requestId);
    expect(error.requestId).toMatch(/^[\w-]{8,}$/);
  });

  it('sends and returns what has no envelope', async () => {
    const body = { content: '<p>Hello</p>', title: null };
    const share = await client.call('POST /api/share', { body });
    expect(share).toMatchObject({ id: expect.any(String), url: expect.any(String) });
    const read = await createClient({ baseUrl: gateway.origin }).call('GET /api/share', {
      query: { id: share.id },
    });
    expect(read).toMatchObject({ content: '<p>Hello</p>' });
  });

  it('makes URLs of endpoints, never of another path', () => {
    const endpoint = 'GET /api/files/{id}/download';
    expect(client.url(endpoint, { params: { id: 7 }, query: { inline: 'true' } })).toBe(
      `${gateway.origin}/api/files/7/download?inline=true`,
    );
    expect(createClient().url('GET /api/share', { query: { id: 'a&b', cursor: undefined } })).toBe(
      '/api/share?id=a%26b',
    );
    expect(createClient().url(endpoint, { params: { id: 'a/b' } })).toBe(
      '/api/files/a%2Fb/download',
    );
    for (const id of ['', '.', '..']) {
      expect(() => client.url(endpoint, { params: { id } })).toThrow(TypeError);
    }
  });
});

describe('a list', () => {
  const titles = Array.from({ length: 7 }, (_, at) => `No. ${at}`);
  let bob: Client;
  beforeAll(async () => {
    bob = signIn(await newAuthor());
    for (const title of titles) await bob.call('POST /api/documents', { body: { title } });
  });
  const query = { sort: 'title', pageSize: 3 } as const;

  it('is read page by page', async () => {
    const pages: number[] = [];
    for await (const { items } of bob.pages('GET /api/documents', { query })) {
      pages.push(items.length);
    }
    expect(pages).toEqual([3, 3, 1]);
    const first = await bob.pages('GET /api/documents', { query, maxPages: 1 }).next();
    const cursor = first.value?.nextCursor ?? '';
    const rest = bob.pages('GET /api/documents', { query: { ...query, cursor }, maxPages: 1 });
    expect((await rest.next()).value?.items.map(({ title }) => title)).toEqual(titles.slice(3, 6));
    expect(await rest.next()).toEqual({ done: true, value: undefined });
  });

  const readAll = async (options: {
    readonly maxItems?: number;
    readonly signal?: AbortSignal;
  }) => {
    const read: string[] = [];
    const items = bob.items('GET /api/documents', { query, ...options });
    const end = (async () => {
      for await (const { title } of items) read.push(title);
    })();
    return { read, end, items };
  };

  it('is read item by item, to its end or to a bound', async () => {
    for (const [maxItems, expected] of [
      [undefined, titles],
      [5, titles.slice(0, 5)],
      [6, titles.slice(0, 6)],
      [0, []],
    ] as const) {
      const { read, end } = await readAll(maxItems === undefined ? {} : { maxItems });
      await end;
      expect(read).toEqual(expected);
    }
  });

  it('ends with the reason of the signal', async () => {
    const controller = new AbortController();
    const read: string[] = [];
    const reading = async () => {
      const { signal } = controller;
      for await (const { title } of bob.items('GET /api/documents', { query, signal })) {
        read.push(title);
        if (read.length === 4) controller.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(read).toEqual(titles.slice(0, 4));
  });
});
