import { beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../support/documents/documents.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { recorded } from '../../support/sales/sales.ts';
import { call } from '../../support/service/call.ts';
import {
  type Named,
  type SearchedList,
  searchedLists,
} from '../../support/service/searched-lists.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();

/** Maximum cursor length: API Gateway limits the request line and headers to 10,240 bytes. */
const longest = 4_096;

type Query = Readonly<Record<string, string>>;

/** Reads a list by its cursors in pages of one item. */
const walk = async (ask: (query: Query) => ReturnType<typeof call>) => {
  const shown: unknown[] = [];
  let next: Query = {};
  for (;;) {
    const { status, body } = await ask({ pageSize: '1', ...next });
    expect([status, body.error?.details]).toEqual([200, undefined]);
    shown.push(...body.data.items.map(({ id }: { id: number }) => id));
    const { nextCursor: cursor } = body.data;
    if (cursor === null) return shown;
    expect(cursor.length).toBeLessThanOrEqual(longest);
    next = { cursor };
  }
};

/** Characters that are long in UTF-8, in JSON, or in sort keys. */
const letters = [
  ['of three bytes', '中'],
  ['of four bytes, each made of two others', '𠀀'],
  ['of four bytes, each made of one other', '\ufa6c'],
  ['that JSON escapes', '\u0001'],
  ['that are quotes', '"'],
  ['that are letters for many', 'ﷺ'],
] as const;

describe.each(Object.entries(searchedLists))('a list of %s', (_, newList) => {
  let list: SearchedList;
  beforeAll(async () => {
    list = await newList();
  });

  it.each(letters)('continues by name after the longest names of letters %s', async (_, letter) => {
    const name = `word ${letter.repeat(250 / letter.length)}`.slice(0, 255);
    const records = [1, 2, 3].map((id): Named => ({ id, name }));
    await list.put(records);
    for (const search of ['word', '']) {
      const shown = await walk((query) => list.search({ search, sort: list.byName, ...query }));
      expect(shown.filter((id) => Number(id) < 10)).toEqual([1, 2, 3]);
    }
    await list.remove(records);
  });
});

describe('a list with a filter', () => {
  const { root } = usePeople({ root: 'super_admin' });
  const ask = (endpoint: string, filter: Query) => (query: Query) =>
    call(endpoint, { token: root.token, query: { ...filter, ...query } });

  it('continues in documents filtered by the longest folder', async () => {
    const folder = '"\\'.repeat(49);
    const ids = [
      await documents.made(root, { folder }),
      await documents.made(root, { folder }),
    ].toReversed();
    expect((await walk(ask('GET /api/documents', { folder }))).sort()).toEqual(ids.sort());
  });

  it('continues in sales filtered by the longest customer', async () => {
    const customer = '"'.repeat(200);
    const ids = [await recorded(root, { customer }), await recorded(root, { customer })];
    expect((await walk(ask('GET /api/sales', { customer }))).sort()).toEqual(ids.sort());
  });
});

it('rejects cursors over the maximum length', async () => {
  const { token } = await newUserOf('user');
  const query = { cursor: 'x'.repeat(longest + 1) };
  const { status, body } = await call('GET /api/documents', { token, query });
  expect([status, body.error.details]).toEqual([
    400,
    [
      {
        field: 'cursor',
        message: 'must be a nextCursor from this list',
      },
    ],
  ]);
});
