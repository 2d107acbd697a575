// Whether every versioned record has a tag, answers 304 to it, and is changed only by those who have seen its version.
// What is particular of shares is in `tests/api/share/etag.test.ts`, of public pages in `tests/web/share-page/caching.test.ts`;
// that the document says so, in `tests/contract/openapi/document.test.ts`.
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import {
  assertVersion,
  createEtag,
  matchesIfNoneMatch,
  parseIfMatch,
} from '../../../shared/http/content/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import {
  login,
  newEmail,
  newPerson,
  newUserOf,
  type Person,
} from '../../support/users/test-users.ts';
import { ofSelf, ofUser, records, type Versioned } from './versioned-records.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();

const routes = listRoutes('service');
const endpointOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const versioned = routes.filter(({ versionOf }) => versionOf);
/** Those that change a record; what makes one is told its tag. */
const changing = versioned
  .filter(({ method, status }) => method !== 'GET' && status !== 201)
  .map(endpointOf);

describe('ETag', () => {
  it('is strong, contains the version and is the same for HEAD', async () => {
    const { token } = await newPerson();
    const { headers, body } = await call('GET /api/users/me', { token });
    expect(headers['etag']).toMatch(/^"1-[\w-]{8}"$/);
    expect(body.data.version).toBe(1);
    const head = await call('HEAD /api/users/me', { token });
    expect([head.status, head.body, head.headers['etag']]).toEqual([200, '', headers['etag']]);
  });

  it('is the same on routes with the same response', async () => {
    const { id, token } = await newUserOf('admin');
    const own = await call('GET /api/users/me', { token });
    const asked = await call('GET /api/auth/me', { token });
    expect([asked.body, asked.headers['etag']]).toEqual([own.body, own.headers['etag']]);
    const known = { 'if-none-match': String(own.headers['etag']) };
    const again = await call('GET /api/auth/me', { token, headers: known });
    expect([again.status, again.body]).toEqual([304, undefined]);
    // To others less is shown of a user: another tag, of the same version.
    const byId = await call('GET /api/users/{id}', { token, params: { id: String(id) } });
    const versionOf = ({ headers }: Answer) => headers['etag']?.split('-')[0];
    expect(versionOf(byId)).toBe(versionOf(own));
  });

  it('changes with the record, and the response to the change contains the version', async () => {
    const { etag, read, change } = await ofUser('PUT /api/users/{id}', { name: 'Ann Other' });
    const changed = await change();
    const { headers } = await read();
    expect(changed.headers['etag']).toMatch(/^"2-/);
    expect(headers['etag']).toMatch(/^"2-/);
    expect(headers['etag']).not.toBe(etag);
  });

  it('changes with the response, even if the version does not', async () => {
    const { email, token } = await newPerson();
    const before = await call('GET /api/users/me', { token });
    pass(1);
    await login(email);
    const after = await call('GET /api/users/me', {
      token,
      headers: { 'if-none-match': before.headers['etag'] ?? '' },
    });
    expect([after.status, after.body.data.version]).toEqual([200, before.body.data.version]);
    expect(after.body.data.lastLoginAt).not.toBe(before.body.data.lastLoginAt);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
  });

  it('is not sent with lists or errors', async () => {
    const { token } = await newUserOf('admin');
    const headers = { 'if-none-match': '*' };
    const list = await call('GET /api/users', { token, headers });
    const missing = await call('GET /api/users/{id}', { token, headers, params: { id: '1' } });
    expect([list.status, missing.status]).toEqual([200, 404]);
    for (const response of [list, missing]) expect(response.headers).not.toHaveProperty('etag');
  });
});

describe('If-None-Match', () => {
  const ways: readonly (readonly [string, (etag: string) => string])[] = [
    ['the tag', (etag) => etag],
    ['the weak tag', (etag) => `W/${etag}`],
    ['a list with the tag', (etag) => `"1-aaaaaaaa", W/"x" ,${etag}`],
    ['*', () => ' * '],
  ];
  it.each(ways)('returns 304 without a body for %s, on GET and HEAD', async (_, write) => {
    const { token } = await newPerson();
    const { headers } = await call('GET /api/users/me', { token });
    const etag = headers['etag'] ?? '';
    for (const method of ['GET', 'HEAD']) {
      const known = await call(`${method} /api/users/me`, {
        token,
        headers: { 'if-none-match': write(etag) },
      });
      expect([known.status, known.body || undefined]).toEqual([304, undefined]);
      expect(known.headers).toMatchObject({ etag, 'cache-control': 'no-store' });
      expect(known.headers).toHaveProperty('x-request-id');
      expect(known.headers).not.toHaveProperty('content-type');
    }
  });

  it('returns the full response for another tag', async () => {
    const { token } = await newPerson();
    for (const tag of ['"1-aaaaaaaa"', '', 'W/"1"', '1']) {
      const headers = { 'if-none-match': tag };
      expect((await call('GET /api/users/me', { token, headers })).status).toBe(200);
    }
  });

  it('is ignored by changing methods', async () => {
    const { etag, change } = await ofSelf();
    expect((await change({ 'if-none-match': etag })).status).toBe(200);
  });
});

describe('parseIfMatch and assertVersion', () => {
  const versionsOf = (header: string) => {
    const parsed = parseIfMatch(header);
    return parsed instanceof Set ? [...parsed] : parsed;
  };

  it('ignore weak and unknown tags', () => {
    const etag = createEtag(12, 'body');
    expect(etag).toMatch(/^"12-[\w-]{8}"$/);
    expect(createEtag(12, 'other')).not.toBe(etag);
    expect(parseIfMatch(undefined)).toBeUndefined();
    expect(versionsOf('*')).toBe('any');
    expect(versionsOf(`${etag},"3-abcdefgh"`)).toEqual([12, 3]);
    expect(versionsOf('"3"')).toEqual([3]);
    for (const none of ['', 'W/"12-abcdefgh"', '12', '"x-abcdefgh"', `"*"`]) {
      expect(versionsOf(none)).toEqual([]);
    }
    expect(matchesIfNoneMatch(undefined, etag)).toBe(false);
    expect(matchesIfNoneMatch(`"x", W/${etag}`, etag)).toBe(true);
  });

  it('reject a version that is not listed', () => {
    expect(() => assertVersion(undefined, 4)).not.toThrow();
    expect(() => assertVersion('any', 4)).not.toThrow();
    expect(() => assertVersion(new Set([3, 4]), 4)).not.toThrow();
    expect(() => assertVersion(new Set(), 4)).toThrow(AppError);
    expect(() => assertVersion(new Set([3]), 4)).toThrow('The resource was modified');
  });
});

describe('routes that change a versioned record', () => {
  it('include those of users and are all tested here', () => {
    expect(changing).toEqual(
      expect.arrayContaining([
        'PUT /api/users/me',
        'PUT /api/users/{id}',
        'DELETE /api/users/{id}',
      ]),
    );
    expect(changing.filter((endpoint) => !records[endpoint])).toEqual([]);
  });
});

describe.each(changing)('If-Match at %s', (endpoint) => {
  const fresh = () => (records[endpoint] as () => Promise<Versioned>)();

  it('rejects a change of a record that has changed since', async () => {
    const { etag, read, change } = await fresh();
    const stale = etag.replace(/^"(\d+)/, (_, version) => `"${Number(version) + 1}`);
    const { status, body } = await change({ 'if-match': stale });
    expect([status, body.error]).toEqual([
      412,
      errorBody('PRECONDITION_FAILED', 'The resource was modified. Fetch it and try again.', [
        { field: 'if-match', message: 'must match the current ETag' },
      ]).error,
    ]);
    const known = await read({ 'if-none-match': etag });
    expect(known.headers['etag']).toBe(etag);
    // What is in the trash is only in a list, which has no tag.
    const isInTrash = /(documents|files).*(trash|\{id\}\/restore)/.test(endpoint);
    expect(known.status).toBe(isInTrash ? 200 : 304);
  });

  it('allows one of several concurrent changes with the tag', async () => {
    const { etag, change } = await fresh();
    // Where the record is not there any more, there is no version to compare.
    const isGone = /^DELETE|(documents|files)\/\{id\}\/restore$/.test(endpoint);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => change({ 'if-match': etag })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    // A repeated request deletes what one that failed has left.
    const isRepeatable = endpoint === 'DELETE /api/files/trash/{id}';
    const others = statuses
      .slice(1)
      .map((status) => (isRepeatable && status === 200 ? 404 : status));
    expect([statuses[0], ...others]).toEqual([
      200,
      ...Array.from({ length: 3 }, () => (isGone ? 404 : 412)),
    ]);
  });
});

describe('deleting a user', () => {
  const remove = ({ token }: Person, id: number) =>
    call('DELETE /api/users/{id}', { token, params: { id: String(id) } });

  it('transfers nothing if the tag is outdated', async () => {
    const admin = await newUserOf('super_admin');
    const [bob, eve] = [await newPerson(), await newPerson()];
    await call('POST /api/share', { token: bob.token, body: { content: '<p>Hi</p>' } });
    const refused = await call('DELETE /api/users/{id}', {
      token: admin.token,
      params: { id: String(bob.id) },
      query: { transferTo: String(eve.id) },
      headers: { 'if-match': '"9-abcdefgh"' },
    });
    expect(refused.status).toBe(412);
    const { body } = await call('GET /api/share', { token: bob.token, query: { mine: 'true' } });
    expect(body.total).toBe(1);
  });

  it('is not undone by a concurrent or later change', async () => {
    const admin = await newUserOf('admin');
    const email = newEmail();
    const bob = await newPerson(email);
    const params = { id: String(bob.id) };
    const change = (phone: string, headers = {}) =>
      call('PUT /api/users/{id}', { token: admin.token, params, body: { phone }, headers });
    const changes = (from: number) =>
      Array.from({ length: 8 }, (_, at) => change(`030 ${from + at}`));
    const [deleted, ...changed] = await Promise.all([
      remove(admin, bob.id),
      ...changes(100),
      ...changes(200),
    ]);
    // Each change came before the end, after it, or gave up amid so many.
    for (const { status } of changed) expect([200, 404, 503]).toContain(status);
    const ended = deleted?.status === 200 ? deleted : await remove(admin, bob.id);
    expect(ended.status).toBe(200);
    expect((await change('030 300', { 'if-match': '*' })).status).toBe(404);
    const left = (await itemsOf(`USER#${bob.id}`)).filter(({ sk }) => sk === 'USER');
    expect(left).toEqual([]);
    expect((await newPerson(email)).id).not.toBe(bob.id);
  });
});
