import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { indexWrites } from '../../../functions/api/documents/index-entries.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import {
  change,
  list,
  listed,
  look,
  made,
  newAuthor,
  newManager,
  newReader,
  restore,
  share,
  trash,
  unshare,
  walk,
} from '../../support/documents/documents.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useTable();
afterEach(() => {
  vi.restoreAllMocks();
});

type Query = Readonly<Record<string, string>>;

let ann: Person;
let bob: Person;
let rea: Person;
let nobody: Person;
let manager: Person;
/** By title. */
const ids: Record<string, number> = {};
const of = (...titles: readonly string[]) => titles.map((title) => ids[title]);

beforeAll(async () => {
  [ann, bob] = [await newAuthor('Ann Author'), await newAuthor('Bob Author')];
  [rea, nobody, manager] = [await newReader(), await newUserOf('guest'), await newManager()];
  const make = async (author: Person, title: string, fields: object = {}) => {
    ids[title] = await made(author, { title, ...fields });
  };
  await make(ann, 'Ann plans', { folder: 'Plans' });
  await make(ann, 'Plans for all', { folder: 'Plans', visibility: 'everyone' });
  await make(ann, 'Plans for Rea', { folder: 'Plans' });
  await make(bob, 'bob-plan', { folder: 'Plans' });
  await make(bob, 'A plan of Bob for Rea and Ann');
  await make(bob, 'The house, for all', { visibility: 'everyone', folder: 'Rules' });
  await make(manager, "Max's plan");
  await share(ann, ids['Plans for Rea'] ?? 0, [rea.id]);
  await share(bob, ids['A plan of Bob for Rea and Ann'] ?? 0, [rea.id, ann.id]);
  await share(bob, ids['The house, for all'] ?? 0, [rea.id]);
});

const seenByRea = [
  'The house, for all',
  'A plan of Bob for Rea and Ann',
  'Plans for Rea',
  'Plans for all',
];
const seenByAnn = [
  'The house, for all',
  'A plan of Bob for Rea and Ann',
  'Plans for Rea',
  'Plans for all',
  'Ann plans',
];
const all = [
  "Max's plan",
  'The house, for all',
  'A plan of Bob for Rea and Ann',
  'bob-plan',
  'Plans for Rea',
  'Plans for all',
  'Ann plans',
];

/** The caller, the query and the expected ids. */
const cases = (): readonly (readonly [Person, Query, readonly string[]])[] => [
  [rea, {}, seenByRea],
  [ann, {}, seenByAnn],
  [manager, {}, all],
  [rea, { search: '', folder: '', author: '' }, seenByRea],
  [
    rea,
    { sort: 'title' },
    ['A plan of Bob for Rea and Ann', 'Plans for all', 'Plans for Rea', 'The house, for all'],
  ],
  [
    manager,
    { sort: 'name' },
    [
      'A plan of Bob for Rea and Ann',
      'Ann plans',
      'bob-plan',
      "Max's plan",
      'Plans for all',
      'Plans for Rea',
      'The house, for all',
    ],
  ],
  [rea, { search: 'PLAN' }, ['A plan of Bob for Rea and Ann', 'Plans for Rea', 'Plans for all']],
  [rea, { search: 'for plan r' }, ['A plan of Bob for Rea and Ann', 'Plans for Rea']],
  [
    rea,
    { search: 'plan', sort: 'title' },
    ['A plan of Bob for Rea and Ann', 'Plans for all', 'Plans for Rea'],
  ],
  [rea, { search: 'lan' }, []],
  [rea, { search: 'max' }, []],
  [
    ann,
    { search: 'plan' },
    ['A plan of Bob for Rea and Ann', 'Plans for Rea', 'Plans for all', 'Ann plans'],
  ],
  [manager, { search: 'plan bob' }, ['A plan of Bob for Rea and Ann', 'bob-plan']],
  [rea, { folder: 'Plans' }, ['Plans for Rea', 'Plans for all']],
  [rea, { folder: 'plans' }, []],
  [ann, { folder: 'Plans' }, ['Plans for Rea', 'Plans for all', 'Ann plans']],
  [manager, { folder: 'Plans' }, ['bob-plan', 'Plans for Rea', 'Plans for all', 'Ann plans']],
  [rea, { author: String(ann.id) }, ['Plans for Rea', 'Plans for all']],
  [rea, { author: String(rea.id) }, []],
  [rea, { author: '12345' }, []],
  [ann, { author: String(ann.id) }, ['Plans for Rea', 'Plans for all', 'Ann plans']],
  [ann, { author: String(bob.id) }, ['The house, for all', 'A plan of Bob for Rea and Ann']],
  [
    manager,
    { author: String(bob.id) },
    ['The house, for all', 'A plan of Bob for Rea and Ann', 'bob-plan'],
  ],
];

describe('GET /api/documents', () => {
  it('lists own, shared and public documents, and all for managers, once each, with the total', async () => {
    for (const [who, query, titles] of cases()) {
      expect([query, await listed(who, query)]).toEqual([
        query,
        { ids: of(...titles), total: titles.length },
      ]);
    }
  });

  it.each(['page', 'cursor'] as const)('pages through each list by %s, one by one', async (by) => {
    for (const [who, query, titles] of cases()) {
      const walked = await walk(who, { ...query, pageSize: '1' }, by);
      expect([query, walked]).toEqual([query, of(...titles)]);
    }
  });

  it('returns documents without content, with their authors', async () => {
    const { body } = await list(rea, { search: 'Plans for Rea' });
    expect(body.data.items).toEqual([
      expect.objectContaining({
        title: 'Plans for Rea',
        author: { id: ann.id, name: 'Ann Author', avatar: null },
        author_id: ann.id,
        sharedWith: [rea.id],
      }),
    ]);
    expect(body.data.items[0]).not.toHaveProperty('content');
    const { body: seen } = await list(rea, { search: 'Bob' });
    expect(seen.data.items[0].sharedWith).toEqual([rea.id]);
    expect((await list(bob, { search: 'Rea' })).body.data.items[0].sharedWith).toEqual([
      rea.id,
      ann.id,
    ]);
    expect(JSON.stringify(body)).not.toMatch(/"(pk|sk|gsi1pk|texts)"/);
  });

  it('returns the detail of listed documents only', async () => {
    for (const [who, titles] of [
      [rea, seenByRea],
      [ann, seenByAnn],
      [manager, all],
    ] as const) {
      for (const title of all) {
        const { status } = await look(who, ids[title] ?? 0);
        expect([title, status]).toEqual([title, titles.includes(title) ? 200 : 404]);
      }
    }
    expect((await list(nobody)).status).toBe(403);
  });

  it.each([
    [{ sort: 'size' }, 'sort'],
    [{ sort: 'title', folder: 'Plans' }, 'sort'],
    [{ sort: 'title', author: '7' }, 'sort'],
    [{ search: 'x', folder: 'Plans' }, 'folder'],
    [{ folder: 'Plans', author: '7' }, 'author'],
    [{ search: 'x', author: '7' }, 'author'],
    [{ author: 'me' }, 'author'],
    [{ author: '0' }, 'author'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ search: 'x'.repeat(201) }, 'search'],
    [{ page: '101', pageSize: '100' }, 'page'],
    [{ page: '0' }, 'page'],
  ])('rejects %j for %s', async (query: Query, field) => {
    const { status, body } = await list(rea, query);
    expect([status, body.error.details.map((one: { field: string }) => one.field)]).toEqual([
      400,
      [field],
    ]);
  });

  it('accepts a cursor only from the same caller and list', async () => {
    const queries: readonly Query[] = [
      {},
      { sort: 'title' },
      { search: 'plan' },
      { folder: 'Plans' },
      { author: String(ann.id) },
    ];
    for (const query of queries) {
      const { nextCursor: cursor } = (await list(rea, { ...query, pageSize: '1' })).body.data;
      for (const other of queries) {
        const { status } = await list(rea, { ...other, cursor });
        expect([query, other, status]).toEqual([query, other, query === other ? 200 : 400]);
      }
      expect((await list(ann, { ...query, cursor })).status).toBe(400);
    }
  });

  it('shows a change of visibility, readers, title or folder immediately in all lists', async () => {
    const id = await made(ann, { title: 'Moving', folder: 'Box' });
    const seen = async (who: Person) => {
      const found = await Promise.all(
        [
          {},
          { search: 'mov' },
          { folder: 'Box' },
          { author: String(ann.id) },
          { sort: 'title' },
        ].map(async (query) => (await listed(who, query as Query)).ids.includes(id)),
      );
      expect(new Set(found).size).toBe(1);
      return found[0];
    };
    const totals = async () =>
      Promise.all([ann, rea, manager].map(async (who) => (await listed(who)).total));
    const [a, r, m] = (await totals()) as [number, number, number];
    expect([await seen(ann), await seen(rea), await seen(manager)]).toEqual([true, false, true]);
    await share(ann, id, [rea.id]);
    expect([await seen(rea), await totals()]).toEqual([true, [a, r + 1, m]]);
    await change(ann, id, { visibility: 'everyone' });
    expect([await seen(rea), await totals()]).toEqual([true, [a, r + 1, m]]);
    await unshare(ann, id, [rea.id]);
    expect([await seen(rea), await totals()]).toEqual([true, [a, r + 1, m]]);
    await change(ann, id, { visibility: 'private' });
    expect([await seen(rea), await seen(ann), await totals()]).toEqual([false, true, [a, r, m]]);
    await share(ann, id, [rea.id]);
    await change(ann, id, { title: 'Renamed', folder: 'Shelf' });
    for (const who of [ann, rea, manager]) {
      expect((await listed(who, { search: 'mov' })).ids).not.toContain(id);
      expect((await listed(who, { folder: 'Box' })).ids).not.toContain(id);
      expect((await listed(who, { search: 'ren' })).ids).toEqual([id]);
      expect((await listed(who, { folder: 'Shelf' })).ids).toEqual([id]);
    }
    // 20 concurrent requests each, with one effect.
    const many = async (act: typeof trash) => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => act(ann, id)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    };
    await many(trash);
    expect([await totals(), await seen(rea), await seen(ann)]).toEqual([
      [a - 1, r, m - 1],
      false,
      false,
    ]);
    await many(restore);
    expect(await totals()).toEqual([a, r + 1, m]);
  });
});

describe('cost of a list', () => {
  let meter: ReturnType<typeof meterAws>;
  beforeAll(() => {
    meter = meterAws();
    return () => meter.stop();
  });

  /** Stores the index entries of Cid's documents directly, which saves 30 requests each. */
  const fill = async (authorId: number, from: number, to: number, readerId: number) => {
    const requests = Array.from({ length: to - from }, (_, at): StoredDocument => {
      const id = 1_000_000 + from + at;
      return {
        id,
        authorId,
        title: `Heap ${id}`,
        type: 'text',
        tags: [],
        size: 0,
        visibility: at % 3 === 0 ? 'everyone' : 'private',
        sharedWith: at % 3 === 1 ? [readerId] : [],
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
        version: 1,
      };
    }).flatMap((document) => [
      { ...document, ...keys.document(document.id) },
      ...Object.values(indexWrites(undefined, document)).map(({ Put }) => Put?.Item ?? {}),
    ]);
    for (let at = 0; at < requests.length; at += 25) {
      const batch = requests.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
      await documentClient().send(
        new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }),
      );
    }
  };

  it('is equal for page 1 of 15 and of 1000 documents, for any viewer', async () => {
    const [cid, dan] = [await newAuthor('Cid'), await newReader('Dan')];
    const who = [cid, dan, manager];
    const pages: readonly Query[] = [{ pageSize: '3' }, { pageSize: '1' }];
    const measure = async () => {
      const costs = [];
      for (const person of who) {
        for (const query of pages) {
          const { result, readUnits, requests, trips } = await meter.measure(() =>
            list(person, query),
          );
          expect(result.body.data.items).toHaveLength(Number(query['pageSize']));
          costs.push([readUnits, requests.table, trips]);
        }
      }
      return costs;
    };
    await fill(cid.id, 0, 15, dan.id);
    const few = await measure();
    await fill(cid.id, 15, 1_000, dan.id);
    const many = await measure();
    expect(many).toEqual(few);
    // The caller; the partitions and counters; the records and their authors.
    for (const [, , trips] of many) expect(trips).toBe(3);
  }, 120_000);

  it('of a search is equal for the same matches among few and among 1000 documents', async () => {
    const eve = await newAuthor('Eve');
    for (const title of ['Zebra one', 'Zebra two']) await made(eve, { title });
    const measure = async () => {
      const { result, readUnits, requests } = await meter.measure(() =>
        list(eve, { search: 'zebra' }),
      );
      expect(result.body.data.items).toHaveLength(2);
      return [readUnits, requests.table];
    };
    const few = await measure();
    await fill(eve.id, 1_000, 2_000, 1);
    expect(await measure()).toEqual(few);
  }, 120_000);
});
