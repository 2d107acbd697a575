import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeUser } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import type { User } from '../../../shared/auth/user.ts';
import { documentClient } from '../../../shared/db/dynamodb.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { readPages } from '../../support/service/pages.ts';
import { useTable } from '../../support/table/table.ts';
import { newInvited, newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
afterEach(() => vi.restoreAllMocks());

type Query = Readonly<Record<string, string>>;

let viewer: Person;
/** The other users in the order of creation and of their ids. */
const made: number[] = [];
const names = [
  'Émile Strauß',
  'Ann',
  'Ann Bee',
  'ann! Zed',
  '中村 Bee',
  'Bob👋Bee',
  'Ann-Marie Bee',
];

beforeAll(async () => {
  viewer = await newUserOf('admin', { name: 'The Viewer', email: 'viewer@views.test' });
  for (const [at, name] of names.entries()) {
    // Ids from the same millisecond have no order.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 });
    const role = at % 2 === 0 ? 'user' : 'guest';
    const status = at < 3 ? 'active' : 'suspended';
    const { id } = await newInvited({ email: `no${at}@people.test`, name, role, status });
    made.push(id);
  }
  vi.useRealTimers();
});

const list = (query: Query = {}, token = viewer.token) => call('GET /api/users', { token, query });
const namesOf = (users: readonly User[]) => users.map(({ name }) => name);
const found = async (query: Query): Promise<string[]> => {
  const { data } = (await list({ pageSize: '100', ...query })).body;
  expect(data).toMatchObject({ total: data.items.length, totalIsExact: true, nextCursor: null });
  return namesOf(data.items);
};
const refusedBecauseOf = ({ status, body }: Answer) => ({
  status,
  fields: body.error.details.map(({ field }: { field: string }) => field),
});
const newestFirst = [
  'Ann-Marie Bee',
  'Bob👋Bee',
  '中村 Bee',
  'ann! Zed',
  'Ann Bee',
  'Ann',
  'Émile Strauß',
];

/** Reads every page from the first to the last, by number or by cursor. */
const walk = async (query: Query, by: 'page' | 'cursor'): Promise<User[]> => {
  const pages = await readPages((at) => list({ pageSize: '3', ...query, ...at }), by);
  for (const [at, data] of pages.entries()) {
    const totalPages = Math.ceil(data.total / 3);
    expect(data).toMatchObject({ page: at + 1, pageSize: 3, totalPages });
  }
  return pages.flatMap(({ items }) => items);
};

describe('GET /api/users', () => {
  it('returns a page with pagination, newest first', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        items: expect.any(Array),
        total: 8,
        totalIsExact: true,
        page: 1,
        pageSize: 10,
        totalPages: 1,
        nextCursor: null,
      },
    });
    expect(namesOf(body.data.items)).toEqual([...newestFirst, 'The Viewer']);
    const params = { id: String(made[2]) };
    const { data } = (await call('GET /api/users/{id}', { token: viewer.token, params })).body;
    expect(body.data.items[4]).toEqual(data);
  });

  it.each([
    { limit: '2' },
    { search: '' },
    { search: '', limit: '2' },
    { search: 'bee', page: '1' },
  ])('returns an array and pagination for %j', async (query: Query) => {
    const { body } = await list(query);
    const { data, ...rest } = body;
    const { items, pageSize, ...pagination } = (
      await list({ pageSize: query['limit'] ?? '10', ...query })
    ).body.data;
    expect(data).toEqual(items);
    expect(rest).toEqual({
      success: true,
      pagination: { ...pagination, limit: pageSize, nextCursor: rest.pagination.nextCursor },
    });
    expect(pageSize).toBe(Number(query['limit'] ?? 10));
  });

  it.each([
    { pageSize: '2' },
    { pageSize: '2', limit: '5' },
    { pageSize: '2', search: 'bee' },
    { page: '1' },
    { role: 'user' },
    { status: 'active' },
  ])('returns an object with items for %j', async (query: Query) => {
    const { body } = await list(query);
    expect(body).not.toHaveProperty('pagination');
    expect(body.data.pageSize).toBe(Number(query['pageSize'] ?? 10));
  });

  it('never returns a hash', async () => {
    expect(JSON.stringify((await list()).body)).not.toMatch(/hash|epoch|pk|sk"/i);
  });

  it.each([
    [{ page: '0' }, 'page'],
    [{ pageSize: 'x' }, 'pageSize'],
    [{ role: 'owner' }, 'role'],
    [{ role: '__proto__' }, 'role'],
    [{ status: 'toString' }, 'status'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ search: 'x'.repeat(201) }, 'search'],
    [{ page: '101', pageSize: '100' }, 'page'],
  ])('rejects %j because of %s', async (query: Query, field) => {
    const response = await list(query);
    expect(refusedBecauseOf(response)).toEqual({ status: 400, fields: [field] });
    if (query['page'] === '101') expect(response.body.error.message).toContain('cursor');
  });
});

const queries: readonly [Query, readonly string[]][] = [
  [{}, [...newestFirst, 'The Viewer']],
  [{ search: '' }, [...newestFirst, 'The Viewer']],
  [{ search: ' -👋 ' }, []],
  [{ search: '!!!' }, []],
  [{ sort: '-createdAt' }, [...newestFirst, 'The Viewer'].toReversed()],
  [{ role: 'guest', status: 'active' }, ['Ann']],
  [{ role: 'guest', status: 'suspended' }, ['Bob👋Bee', 'ann! Zed']],
  [{ role: 'guest', status: 'suspended', sort: '-createdAt' }, ['ann! Zed', 'Bob👋Bee']],
  [{ role: 'guest', status: 'inactive' }, []],
  [{ role: 'all', status: 'all', search: '' }, [...newestFirst, 'The Viewer']],
  [{ role: '', status: '' }, [...newestFirst, 'The Viewer']],
  [{ role: 'all', status: 'active' }, ['Ann Bee', 'Ann', 'Émile Strauß', 'The Viewer']],
  [{ status: 'suspended' }, ['Ann-Marie Bee', 'Bob👋Bee', '中村 Bee', 'ann! Zed']],
  [{ status: 'inactive' }, []],
  [{ role: 'guest' }, ['Bob👋Bee', 'ann! Zed', 'Ann']],
  [{ role: 'super_admin' }, []],
  [{ role: 'guest', sort: 'name' }, ['Ann', 'ann! Zed', 'Bob👋Bee']],
  [{ role: 'guest', sort: '-name' }, ['Bob👋Bee', 'ann! Zed', 'Ann']],
  [{ role: 'guest', status: 'suspended', sort: 'name' }, ['ann! Zed', 'Bob👋Bee']],
  [{ search: 'bee', role: 'user' }, ['Ann-Marie Bee', '中村 Bee', 'Ann Bee']],
  [{ search: 'bee', role: 'user', sort: '-createdAt' }, ['Ann Bee', '中村 Bee', 'Ann-Marie Bee']],
  [{ search: 'bee', role: 'user', sort: 'name' }, ['Ann Bee', 'Ann-Marie Bee', '中村 Bee']],
  [{ search: 'bee', role: 'user', status: 'suspended' }, ['Ann-Marie Bee', '中村 Bee']],
  [{ search: 'bee', status: 'active' }, ['Ann Bee']],
  [{ search: 'ann bee', status: 'suspended' }, ['Ann-Marie Bee']],
  [{ search: 'bee', role: 'admin' }, []],
  [
    { sort: 'name' },
    [
      'Ann',
      'Ann Bee',
      'ann! Zed',
      'Ann-Marie Bee',
      'Bob👋Bee',
      'Émile Strauß',
      'The Viewer',
      '中村 Bee',
    ],
  ],
  [{ search: 'bee' }, ['Ann-Marie Bee', 'Bob👋Bee', '中村 Bee', 'Ann Bee']],
  [{ search: 'BE, an' }, ['Ann-Marie Bee', 'Ann Bee']],
  [{ search: 'be an', sort: 'name' }, ['Ann Bee', 'Ann-Marie Bee']],
  [{ search: 'ann', sort: 'name' }, ['Ann', 'Ann Bee', 'ann! Zed', 'Ann-Marie Bee']],
  [{ search: 'ann ann a an' }, ['Ann-Marie Bee', 'ann! Zed', 'Ann Bee', 'Ann']],
  [{ search: 'nn' }, []],
  [{ search: 'ann zed bee' }, []],
  [{ search: 'ÉMI' }, ['Émile Strauß']],
  [{ search: 'e\u0301mile strauß' }, ['Émile Strauß']],
  [{ search: 'E\u0301MILE STRAUSS' }, ['Émile Strauß']],
  [{ search: 'emile' }, ['Émile Strauß']],
  [{ search: '中' }, ['中村 Bee']],
  [{ search: '村' }, ['中村 Bee']],
  [{ search: '👋bee👋bob' }, ['Bob👋Bee']],
  [{ search: 'no5@people.test' }, ['Bob👋Bee']],
  [{ search: 'no' }, newestFirst],
  // One word from the name, two from the address and the username.
  [{ search: 'view' }, ['The Viewer']],
  [{ search: 'v' }, ['The Viewer']],
];

describe('GET /api/users', () => {
  it.each(queries)(
    'returns for %j each match once, in order, and the total',
    async (query, expected) => {
      expect(await found(query)).toEqual(expected);
      expect(namesOf(await walk(query, 'page'))).toEqual(expected);
      expect(namesOf(await walk(query, 'cursor'))).toEqual(expected);
    },
  );
});

describe.each(['one by one', 'with empty pages between'] as const)(
  'GET /api/users with table responses %s',
  (manner) => {
    const cutAnswers = () => {
      const client = documentClient();
      const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
      const emptied = new Set<string>();
      vi.spyOn(client, 'send').mockImplementation((async (command: unknown) => {
        if (!(command instanceof QueryCommand)) return send(command);
        const { ExclusiveStartKey, ...query } = command.input;
        const place = JSON.stringify([query.ExpressionAttributeValues, ExclusiveStartKey]);
        if (manner === 'with empty pages between' && ExclusiveStartKey && !emptied.has(place)) {
          emptied.add(place);
          return { Items: [], Count: 0, ScannedCount: 1, LastEvaluatedKey: ExclusiveStartKey };
        }
        emptied.delete(place);
        return send(new QueryCommand({ ...command.input, Limit: 1 }));
      }) as never);
    };

    it('returns the same for a list, a filter, an order and a search', async () => {
      const tried: readonly Query[] = [
        {},
        { role: 'guest' },
        { sort: 'name' },
        { search: 'bee', role: 'user', sort: 'name' },
      ];
      cutAnswers();
      for (const query of tried) {
        const [, expected] =
          queries.find(([one]) => JSON.stringify(one) === JSON.stringify(query)) ?? [];
        expect(await found(query)).toEqual(expected);
        expect(namesOf(await walk(query, 'page'))).toEqual(expected);
        expect(namesOf(await walk(query, 'cursor'))).toEqual(expected);
      }
    });
  },
);

describe('a cursor', () => {
  const cursorOf = async (query: Query): Promise<string> =>
    (await list({ pageSize: '1', ...query })).body.data.nextCursor;
  const others: readonly Query[] = [
    {},
    { search: 'ann' },
    { search: 'bee' },
    { role: 'user' },
    { role: 'guest' },
    { status: 'suspended' },
    { sort: 'name' },
    { search: 'ann', sort: 'name' },
  ];

  it('is valid only for its own query', async () => {
    for (const [at, query] of others.entries()) {
      const cursor = await cursorOf(query);
      expect(cursor).toEqual(expect.any(String));
      for (const [other, asked] of others.entries()) {
        const response = await list({ ...asked, cursor });
        expect([query, asked, response.status]).toEqual([query, asked, at === other ? 200 : 400]);
      }
    }
  });

  it('is valid only for its own caller', async () => {
    const { id, token } = await newUserOf('admin', { name: 'Another' });
    const responses = await Promise.all(
      others.map(async (query) => list({ ...query, cursor: await cursorOf(query) }, token)),
    );
    for (const response of responses) {
      expect(refusedBecauseOf(response)).toEqual({ status: 400, fields: ['cursor'] });
    }
    await removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));
  });

  it('is rejected with a changed character', async () => {
    const cursor = await cursorOf({});
    const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    expect(refusedBecauseOf(await list({ cursor: changed }))).toMatchObject({ status: 400 });
  });
});

describe('a filtered search', () => {
  it('follows a change of role and status', async () => {
    const { id } = await newUserOf('user', { name: 'Quentin Quirk' });
    const search = (filter: Query) => found({ search: 'quirk', ...filter });
    const update = (body: object) =>
      call('PUT /api/users/{id}', { token: viewer.token, params: { id: String(id) }, body });
    expect(await search({ role: 'user', status: 'active' })).toEqual(['Quentin Quirk']);
    expect(await update({ role: 'guest', status: 'inactive' })).toMatchObject({ status: 200 });
    expect(await search({ role: 'user' })).toEqual([]);
    expect(await search({ role: 'guest', sort: 'name' })).toEqual(['Quentin Quirk']);
    expect(await search({ status: 'inactive' })).toEqual(['Quentin Quirk']);
    await removeUser(id, () => undefined, undefined, systemRecorder('user.delete'));
  });
});
