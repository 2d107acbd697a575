import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { schema } from '../../../shared/db/key.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { type PageRequest, readPage } from '../../../shared/lists/pagination.ts';
import { processItems } from '../../../shared/lists/process-items.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { type MockedTable, mockTable, sent } from '../../support/aws/errors.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();

type Item = Record<string, unknown>;
type Query = Parameters<typeof readPage>[0];

const scope = 'a list of ann';
const sortKeys = Array.from({ length: 25 }, (_, at) => `ITEM#${String(at).padStart(2, '0')}`);
const newestFirst = sortKeys.toReversed();

const listOf = (pk: string): Query => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
  ScanIndexForward: false,
  ConsistentRead: true,
});

const store = async (items: readonly Item[]): Promise<void> => {
  await documentClient().send(
    new BatchWriteCommand({
      RequestItems: { [tableName()]: items.map((Item) => ({ PutRequest: { Item } })) },
    }),
  );
};

const names = (items: readonly Item[]): unknown[] => items.map(({ sk }) => sk);

/** The pages from the first to the last, by their cursors. */
const walkByCursor = async (query: Query, request: PageRequest): Promise<unknown[][]> => {
  const pages: unknown[][] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(query, { ...request, cursor }, scope);
    expect(page.page).toBe(pages.length + 1);
    pages.push(names(page.items));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
};

/** The pages from the first to the last, by their numbers. */
const walkByPage = async (query: Query, request: PageRequest): Promise<unknown[][]> => {
  const pages: unknown[][] = [];
  let next: string | null;
  do {
    const page = await readPage(query, { ...request, page: pages.length + 1 }, scope);
    pages.push(names(page.items));
    next = page.nextCursor;
  } while (next !== null);
  return pages;
};

const chunks = (all: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );

const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('It was not refused', { cause: error });
  return { code: error.code, message: error.message, details: error.details };
};

const foreignCursor = {
  code: 'VALIDATION_ERROR',
  message: 'Invalid cursor: must be a nextCursor from this list.',
  details: [
    {
      field: 'cursor',
      message: 'must be a nextCursor from this list',
    },
  ],
};

describe('readPage', () => {
  const pk = `LIST#${randomUUID()}`;
  const query = listOf(pk);

  beforeAll(() => store(sortKeys.map((sk) => ({ pk, sk }))));

  it.each([1, 7, 10, 25, 100])(
    'returns each item once with page size %i, by cursor and by number',
    async (n) => {
      expect(await walkByCursor(query, { pageSize: n })).toEqual(chunks(newestFirst, n));
      expect(await walkByPage(query, { pageSize: n })).toEqual(chunks(newestFirst, n));
    },
  );

  it('returns ten items, or up to 100 by pageSize or its alias limit', async () => {
    const sizes = await Promise.all(
      [{}, { limit: 3 }, { limit: 3, pageSize: 4 }, { pageSize: 101 }, { limit: 5_000 }].map(
        async (request) => (await readPage(query, request, scope)).pageSize,
      ),
    );
    expect(sizes).toEqual([10, 3, 4, 100, 100]);
  });

  it('returns no cursor on the last page, even if full or empty', async () => {
    expect(await readPage(query, { pageSize: 25 }, scope)).toMatchObject({ nextCursor: null });
    expect(await readPage(query, { page: 5, pageSize: 5 }, scope)).toMatchObject({
      nextCursor: null,
    });
    expect(await readPage(query, { page: 9 }, scope)).toEqual({
      items: [],
      page: 9,
      pageSize: 10,
      nextCursor: null,
    });
    expect(await readPage(listOf('LIST#of-nobody'), {}, scope)).toEqual({
      items: [],
      page: 1,
      pageSize: 10,
      nextCursor: null,
    });
  });

  it('keeps its position when a newer item is added', async () => {
    const own = `LIST#${randomUUID()}`;
    await store(['1', '2', '3', '4'].map((sk) => ({ pk: own, sk })));
    const first = await readPage(listOf(own), { pageSize: 2 }, scope);
    await store([{ pk: own, sk: '5' }]);
    const second = await readPage(
      listOf(own),
      { pageSize: 2, cursor: first.nextCursor ?? '' },
      scope,
    );
    expect([first, second].map(({ items }) => names(items))).toEqual([
      ['4', '3'],
      ['2', '1'],
    ]);
  });

  it('continues in an index with equal sort keys', async () => {
    const { index } = schema;
    const gsi1pk = `LIST#${randomUUID()}`;
    await store(
      ['a', 'b', 'c', 'd', 'e'].map((sk) => ({ pk: `${gsi1pk}#${sk}`, sk, gsi1pk, gsi1sk: '1' })),
    );
    const pages = await walkByCursor(
      {
        IndexName: index.name,
        KeyConditionExpression: 'gsi1pk = :pk',
        ExpressionAttributeValues: { ':pk': gsi1pk },
      },
      { pageSize: 2 },
    );
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat().sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('rejects pages beyond item 10,000 and mentions the cursor', async () => {
    expect(await readPage(query, { page: 100, pageSize: 100 }, scope)).toMatchObject({ items: [] });
    const message = 'is beyond item 10000; use `cursor`';
    const refused = {
      code: 'VALIDATION_ERROR',
      message: `Invalid page: ${message}.`,
      details: [{ field: 'page', message }],
    };
    expect(await refusal(readPage(query, { page: 101, pageSize: 100 }, scope))).toEqual(refused);
    expect(await refusal(readPage(query, { page: 1_001 }, scope))).toEqual(refused);
    expect(await refusal(readPage(query, { page: Number.MAX_SAFE_INTEGER }, scope))).toEqual(
      refused,
    );
  });
});

describe('a cursor', () => {
  const pk = `LIST#${randomUUID()}`;
  let cursor: string;

  beforeAll(async () => {
    await store(sortKeys.map((sk) => ({ pk, sk })));
    cursor = (await readPage(listOf(pk), { pageSize: 5 }, scope)).nextCursor ?? '';
  });

  it('is valid for its list with any page size', async () => {
    const page = await readPage(listOf(pk), { cursor, pageSize: 2, page: 7 }, scope);
    expect(page).toMatchObject({ page: 2, pageSize: 2 });
    expect(names(page.items)).toEqual(['ITEM#19', 'ITEM#18']);
  });

  it.each(['a list of bob', 'another list of ann', '', `${scope} `])(
    'is good for no other list: %j',
    async (other) => {
      expect(await refusal(readPage(listOf(pk), { cursor }, other))).toEqual(foreignCursor);
    },
  );

  it('is valid only unchanged', async () => {
    const [kid, text = '', mac = ''] = cursor.split('.');
    const { key } = JSON.parse(Buffer.from(text, 'base64url').toString());
    const elsewhere = Buffer.from(
      JSON.stringify({ key: { ...key, pk: 'USER#1' }, page: 2 }),
    ).toString('base64url');
    const changed = [
      '',
      'cursor',
      '..',
      `${kid}.${text}`,
      `${kid}.${text}.`,
      `${kid}.${text}.${mac.slice(1)}`,
      `${kid}.${text}.${mac.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${kid}.${elsewhere}.${mac}`,
      `00000000.${text}.${mac}`,
      ` ${cursor}`,
    ];
    for (const one of changed) {
      expect(await refusal(readPage(listOf(pk), { cursor: one }, scope))).toEqual(foreignCursor);
    }
  });
});

describe('GET /api/share?mine=true', () => {
  const mine = (token: string, query: Record<string, string> = {}) =>
    call('GET /api/share', { token, query: { mine: 'true', ...query } });

  it('rejects the cursor of another caller', async () => {
    const [ann, bob] = await Promise.all([newPerson(), newPerson()]);
    for (const content of ['1', '2']) {
      await call('POST /api/share', { token: ann.token, body: { content } });
    }
    const { body: first } = await mine(ann.token, { pageSize: '1' });
    const cursor = first.nextCursor;
    expect(await mine(ann.token, { cursor })).toMatchObject({ status: 200, body: { page: 2 } });
    const { status, body } = await mine(bob.token, { cursor });
    expect({ status, ...body.error }).toEqual({
      status: 400,
      ...foreignCursor,
      requestId: expect.any(String),
    });
  });

  it.each(['0', '-1', '1.5', 'x', '1e99', ''])('rejects page and pageSize %j', async (text) => {
    const { token } = await newPerson();
    for (const field of ['page', 'pageSize', 'limit']) {
      const { status, body } = await mine(token, { [field]: text });
      expect({ status, details: body.error.details }).toEqual({
        status: 400,
        details: [{ field, message: expect.any(String) }],
      });
    }
  });
});

describe('a table with partial results', () => {
  const all = newestFirst.map((sk) => ({ pk: 'LIST', sk }));
  let table: MockedTable;

  /** Lets each query look at one item only: `shows` says whether it answers with it. */
  const cutToOne = (shows: (at: number) => boolean): void => {
    table.on(QueryCommand).callsFake(async ({ Limit, ExclusiveStartKey }: QueryCommandInput) => {
      expect(Limit).toBeGreaterThan(0);
      const at = all.findIndex(({ sk }) => sk === ExclusiveStartKey?.['sk']) + 1;
      const item = all[at];
      return {
        Items: item && shows(at) ? [item] : [],
        ...(item && { LastEvaluatedKey: item }),
      };
    });
  };

  beforeAll(() => {
    table = mockTable();
  });
  beforeEach(() => {
    table.reset();
  });
  afterAll(() => {
    table.restore();
  });

  it('is queried until the page is full', async () => {
    cutToOne(() => true);
    expect(await walkByCursor(listOf('LIST'), { pageSize: 4 })).toEqual(chunks(newestFirst, 4));
    expect(await walkByPage(listOf('LIST'), { pageSize: 4 })).toEqual(chunks(newestFirst, 4));
  });

  it('is queried again after a result with a key but no item', async () => {
    cutToOne((at) => at % 3 === 1);
    const shown = newestFirst.filter((_, at) => at % 3 === 1);
    expect(await walkByCursor(listOf('LIST'), { pageSize: 2 })).toEqual(chunks(shown, 2));
    expect(await walkByPage(listOf('LIST'), { pageSize: 2 })).toEqual(chunks(shown, 2));
  });

  it('is queried for the missing items from the last key', async () => {
    cutToOne(() => true);
    await readPage(listOf('LIST'), { pageSize: 2 }, scope);
    expect(
      sent(table, QueryCommand).map(({ Limit, ExclusiveStartKey }) => [Limit, ExclusiveStartKey]),
    ).toEqual([
      [3, undefined],
      [2, all[0]],
      [1, all[1]],
    ]);
  });
});

describe('processItems', () => {
  useVirtualTime('2026-11-10T12:00:00Z');

  const sortKeysOf = (count: number) =>
    Array.from({ length: count }, (_, at) => String(at).padStart(3, '0'));

  /** A partition of so many items, and the query of all of them. */
  const storeList = async (pk: string, count: number) => {
    const batches = Array.from({ length: Math.ceil(count / 25) }, (_, at) =>
      sortKeysOf(count).slice(at * 25, at * 25 + 25),
    );
    for (const batch of batches) {
      const puts = batch.map((sk) => ({ PutRequest: { Item: { pk, sk } } }));
      await documentClient().send(new BatchWriteCommand({ RequestItems: { [tableName()]: puts } }));
    }
    return {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    };
  };

  it.each([0, 1, 24, 25, 26, 50, 60])(
    'processes each of %i items once, in order',
    async (count) => {
      const query = await storeList(`met ${count}`, count);
      const met: unknown[] = [];
      const isDone = await processItems(
        query,
        async (items) => {
          expect(items.length).toBeGreaterThan(0);
          expect(items.length).toBeLessThanOrEqual(25);
          met.push(...items.map(({ sk }) => sk));
        },
        { deadline: Date.now() + 1 },
      );
      expect(isDone).toBe(true);
      expect(met).toEqual(sortKeysOf(count));
    },
  );

  it('continues when items are deleted', async () => {
    const query = await storeList('removed', 60);
    let met = 0;
    const remove = async (items: readonly Record<string, unknown>[]) => {
      met += items.length;
      for (const { sk } of items) {
        await transact([deleteItemWrite({ pk: 'removed', sk: sk as string })]);
      }
    };
    expect(await processItems(query, remove, { deadline: Date.now() + 1 })).toBe(true);
    expect(met).toBe(60);
  });

  it('stops at its deadline between two batches and returns false', async () => {
    const query = await storeList('late', 60);
    const met: number[] = [];
    const slowly = async (items: readonly unknown[]) => {
      met.push(items.length);
      pass(600);
    };
    expect(await processItems(query, slowly, { deadline: Date.now() + 1_000 })).toBe(false);
    expect(met).toEqual([25, 25]);
  });
});
