// Whether every versioned record has a tag, answers 304 to it, and is changed only by those who have seen its version.
// What is particular of shares is in `tests/api/share/etag.test.ts`, of public pages in `tests/web/share-page/caching.test.ts`.
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import {
  assertVersion,
  createEtag,
  matchesIfNoneMatch,
  parseIfMatch,
} from '../../../shared/http/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { made as madeFile } from '../../support/files/files.ts';
import type { Operation } from '../../support/openapi/describe-document.ts';
import { operationOf } from '../../support/openapi/document.ts';
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

useTable();
useBucket();

const routes = listRoutes('service');
const endpointOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** A record of its own, and how a client reads and changes it. */
interface Versioned {
  readonly etag: string;
  read(headers?: Readonly<Record<string, string>>): Promise<Answer>;
  change(headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

const record = async (
  [reading, changing]: readonly [string, string],
  options: Parameters<typeof call>[1],
  body?: unknown,
  query?: Readonly<Record<string, string>>,
): Promise<Versioned> => {
  const read = (headers = {}) => call(reading, { ...options, ...(query && { query }), headers });
  const { headers } = await read();
  return {
    etag: headers['etag'] ?? '',
    read,
    change: (sent = {}) => call(changing, { ...options, body, headers: sent }),
  };
};

const ofSelf = async () => {
  const { token } = await newPerson();
  return record(['GET /api/users/me', 'PUT /api/users/me'], { token }, { name: 'Ann Other' });
};

const ofUser = async (endpoint: string, body?: unknown) => {
  const admin = await newUserOf('admin');
  const { id } = await newPerson();
  const params = { id: String(id) };
  return record(['GET /api/users/{id}', endpoint], { token: admin.token, params }, body);
};

const ofShare = async (endpoint: string, body?: unknown) => {
  const { token } = await newPerson();
  const made = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
  const { id } = made.body;
  const query = { id, mine: 'true' };
  return record(['GET /api/share', endpoint], { token, params: { id } }, body, query);
};

const ofRevision = async () => {
  const { token } = await newPerson();
  const made = await call('POST /api/share', { token, body: { content: '<p>Hi</p>' } });
  const { id } = made.body;
  await call('PUT /api/share/{id}', { token, params: { id }, body: { content: '<p>Two</p>' } });
  const endpoint = 'POST /api/share/{id}/revisions/{version}/restore';
  const options = { token, params: { id, version: '1' } };
  return record(['GET /api/share', endpoint], options, undefined, { id, mine: 'true' });
};

const ofDocument = async (endpoint: string, body?: (readerId: number) => unknown) => {
  const { token } = await newUserOf('super_admin');
  const reader = await newPerson();
  const made = { title: 'A document', content: 'Text' };
  const { id } = (await call('POST /api/documents', { token, body: made })).body.data;
  const options = { token, params: { id: String(id) } };
  await call('POST /api/documents/{id}/share', { ...options, body: { userIds: [reader.id] } });
  return record(['GET /api/documents/{id}', endpoint], options, body?.(reader.id));
};

/** In the trash a document is in a list only, which has no tags: they are made of the version. */
const madeDocument = async ({ token }: { readonly token: string }): Promise<number> => {
  const body = { title: 'A document', content: 'Text' };
  return (await call('POST /api/documents', { token, body })).body.data.id;
};

const ofTrash = async (
  endpoint: string,
  group = 'documents',
  make: typeof madeDocument = madeDocument,
) => {
  const { token } = await newUserOf('super_admin');
  const options = { token, params: { id: String(await make({ token })) } };
  await call(`DELETE /api/${group}/{id}`, options);
  const read = async () => {
    const list = await call(`GET /api/${group}/trash`, { token });
    return { ...list, headers: { etag: `"${list.body.data.items[0].version}-abcdefgh"` } };
  };
  const change = (headers = {}) => call(endpoint, { ...options, headers });
  return { etag: (await read()).headers.etag, read, change };
};

const ofFile = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const { id } = (await call('POST /api/files/folders', { token, body: { name: 'Photos' } })).body
    .data;
  return record(['GET /api/files/{id}', endpoint], { token, params: { id: String(id) } }, body);
};

/** A file that one reader sees. */
const ofUploadedFile = async (endpoint: string, body: (readerId: number) => unknown) => {
  const { token } = await newUserOf('super_admin');
  const reader = await newPerson();
  const id = await madeFile({ token });
  const options = { token, params: { id: String(id) } };
  await call('POST /api/files/{id}/share', { ...options, body: { userIds: [reader.id] } });
  return record(['GET /api/files/{id}', endpoint], options, body(reader.id));
};

const ofSale = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const sale = { amount: 10, soldAt: '2026-11-01T12:00:00Z' };
  const { id } = (await call('POST /api/sales', { token, body: sale })).body.data;
  return record(['GET /api/sales/{id}', endpoint], { token, params: { id: String(id) } }, body);
};

const ofEvent = async (endpoint: string, body?: unknown) => {
  const { token } = await newUserOf('super_admin');
  const event = { title: 'Standup', start: '2026-11-23T09:00:00Z', rrule: 'FREQ=DAILY' };
  const { id } = (await call('POST /api/calendar/events', { token, body: event })).body.data;
  const params = { id: String(id), start: '2026-11-24T09:00:00Z' };
  return record(['GET /api/calendar/events/{id}', endpoint], { token, params }, body);
};

const ofAttendance = async () => {
  const [owner, { id: guestId, token }] = [await newUserOf('super_admin'), await newPerson()];
  const body = { title: 'Talk', start: '2026-11-23T09:00:00Z', attendees: [guestId] };
  const { id } = (await call('POST /api/calendar/events', { token: owner.token, body })).body.data;
  const endpoints = [
    'GET /api/calendar/events/{id}',
    'PUT /api/calendar/events/{id}/attendance',
  ] as const;
  return record(endpoints, { token, params: { id: String(id) } }, { status: 'accepted' });
};

const ofDecision = async () => {
  const { token } = await newUserOf('super_admin');
  const body = { content: '<p>Hi</p>' };
  const { id } = (await call('POST /api/share', { token, body })).body;
  const endpoints = ['GET /api/shares/{id}', 'PUT /api/shares/{id}/decision'] as const;
  return record(endpoints, { token, params: { id } }, { decision: 'take-down' });
};

/** A fresh record for each route that changes one: a route that is missing here fails. */
const records: Readonly<Record<string, () => Promise<Versioned>>> = {
  'PUT /api/users/me': () => ofSelf(),
  'PUT /api/users/{id}': () => ofUser('PUT /api/users/{id}', { name: 'Ann Other' }),
  'DELETE /api/users/{id}': () => ofUser('DELETE /api/users/{id}'),
  'PUT /api/share/{id}': () => ofShare('PUT /api/share/{id}', { title: 'Another' }),
  'POST /api/share/{id}/end': () => ofShare('POST /api/share/{id}/end'),
  'POST /api/share/{id}/revisions/{version}/restore': ofRevision,
  'DELETE /api/share/{id}': () => ofShare('DELETE /api/share/{id}'),
  'PUT /api/shares/{id}/decision': ofDecision,
  'PUT /api/documents/{id}': () => ofDocument('PUT /api/documents/{id}', () => ({ title: 'New' })),
  'POST /api/documents/{id}/share': async () => {
    const { id } = await newPerson();
    return ofDocument('POST /api/documents/{id}/share', () => ({ userIds: [id] }));
  },
  'POST /api/documents/{id}/unshare': () =>
    ofDocument('POST /api/documents/{id}/unshare', (readerId) => ({ userIds: [readerId] })),
  'POST /api/documents/{id}/restore': () => ofTrash('POST /api/documents/{id}/restore'),
  'DELETE /api/documents/trash/{id}': () => ofTrash('DELETE /api/documents/trash/{id}'),
  'DELETE /api/documents/{id}': () => ofDocument('DELETE /api/documents/{id}'),
  'PUT /api/files/{id}': () => ofFile('PUT /api/files/{id}', { name: 'Pictures' }),
  'POST /api/files/{id}/share': async () => {
    const { id } = await newPerson();
    return ofUploadedFile('POST /api/files/{id}/share', () => ({ userIds: [id] }));
  },
  'POST /api/files/{id}/unshare': () =>
    ofUploadedFile('POST /api/files/{id}/unshare', (readerId) => ({ userIds: [readerId] })),
  'POST /api/files/{id}/restore': () => ofTrash('POST /api/files/{id}/restore', 'files', madeFile),
  'DELETE /api/files/trash/{id}': () => ofTrash('DELETE /api/files/trash/{id}', 'files', madeFile),
  'DELETE /api/files/{id}': () => ofFile('DELETE /api/files/{id}'),
  'PUT /api/sales/{id}': () => ofSale('PUT /api/sales/{id}', { customer: 'Other' }),
  'DELETE /api/sales/{id}': () => ofSale('DELETE /api/sales/{id}'),
  'POST /api/sales/{id}/refund': () => ofSale('POST /api/sales/{id}/refund'),
  'PUT /api/calendar/events/{id}': () =>
    ofEvent('PUT /api/calendar/events/{id}', { title: 'Talk' }),
  'DELETE /api/calendar/events/{id}': () => ofEvent('DELETE /api/calendar/events/{id}'),
  'PUT /api/calendar/events/{id}/attendance': ofAttendance,
  'PUT /api/calendar/events/{id}/occurrences/{start}': () =>
    ofEvent('PUT /api/calendar/events/{id}/occurrences/{start}', { title: 'Talk' }),
  'DELETE /api/calendar/events/{id}/occurrences/{start}': () =>
    ofEvent('DELETE /api/calendar/events/{id}/occurrences/{start}'),
};

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
    const isInTrash = /(documents|files).*(trash|restore)/.test(endpoint);
    expect(known.status).toBe(isInTrash ? 200 : 304);
  });

  it('allows one of several concurrent changes with the tag', async () => {
    const { etag, change } = await fresh();
    // Where the record is not there any more, there is no version to compare.
    const isGone = /^DELETE|(documents|files).*\/restore$/.test(endpoint);
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

describe('the OpenAPI document', () => {
  const documented = ({ method, path }: { method: string; path: string }) =>
    operationOf(method, path) as Operation;
  const headersOf = ({ parameters }: Operation) =>
    parameters.filter(({ in: where }) => where === 'header').map(({ name }) => name);

  it('names the tag of each versioned record, and what asks for it', () => {
    for (const route of versioned) {
      const operation = documented(route);
      const { [route.status]: done, 304: known, 412: outdated } = operation.responses;
      const isRead = route.method === 'GET';
      const isChange = changing.includes(endpointOf(route));
      const named = headersOf(operation);
      expect(
        {
          reads: named.includes('if-none-match'),
          changes: named.includes('if-match'),
          responses: [known !== undefined, outdated !== undefined],
          tags: [done?.headers?.['etag'] !== undefined, known?.headers?.['etag'] !== undefined],
        },
        endpointOf(route),
      ).toEqual({
        reads: isRead,
        changes: isChange,
        responses: [isRead, isChange],
        tags: [route.method !== 'DELETE', isRead],
      });
    }
  });

  it('describes Idempotency-Key on the routes that support it', () => {
    for (const route of routes) {
      const operation = documented(route);
      const { [route.status]: made, 400: invalid, 409: running, 422: other } = operation.responses;
      const takesKey = headersOf(operation).includes('idempotency-key');
      expect(takesKey, endpointOf(route)).toBe(route.idempotency !== undefined);
      if (!takesKey) continue;
      expect([invalid, running, other]).not.toContain(undefined);
      expect(made?.headers).toHaveProperty('idempotency-replayed');
    }
  });

  it('contains the audit action of a change', () => {
    for (const route of routes) {
      const { auditAction: audit } = route;
      expect(documented(route)['x-audit']).toBe(audit === 'none' ? undefined : audit);
    }
  });
});
