import { describe, expect, it } from 'vitest';
import {
  change,
  list,
  listed,
  made,
  newAuthor,
  newManager,
  newReader,
  restore,
  share,
  trash,
} from '../../support/documents/documents.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import type { Caller, Query } from '../../support/sharing/requests.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

const ask = ({ token }: Caller, query: Query) => call('GET /api/documents/names', { token, query });

const names = async (client: Caller, query: Query) => {
  const { status, body } = await ask(client, query);
  expect(status).toBe(200);
  expect(body.data.isWhole).toBe(true);
  return body.data.names as string[];
};

const madeOf = (client: Caller, bodies: readonly object[]) =>
  Promise.all(bodies.map((body) => made(client, body)));

describe('GET /api/documents/names', () => {
  it('lists every folder, tag and type once, in order, however many documents one has', async () => {
    const ann = await newAuthor();
    await made(ann, { folder: 'The first of all', tags: ['zebra', 'Ähre', 'a#1'], type: 'html' });
    await madeOf(
      ann,
      Array.from({ length: 60 }, () => ({ folder: 'Many', tags: ['all', 'a'] })),
    );
    expect(await names(ann, { of: 'folder' })).toEqual(['Many', 'The first of all']);
    expect(await names(ann, { of: 'tag' })).toEqual(['a', 'a#1', 'Ähre', 'all', 'zebra']);
    expect(await names(ann, { of: 'type' })).toEqual(['html', 'text']);
  });

  it('lists names as long as they are in use, in those documents that the caller can view', async () => {
    const [ann, rea, manager] = [await newAuthor(), await newReader(), await newManager()];
    const [shared = 0, open = 0] = await madeOf(ann, [
      { tags: ['shared', 'both'] },
      { tags: ['open', 'both'], visibility: 'everyone' },
      { tags: ['own'] },
    ]);
    await share(ann, shared, [rea.id]);
    const tags = (client: Caller, query: Query = {}) => names(client, { of: 'tag', ...query });
    expect(await tags(ann)).toEqual(['both', 'open', 'own', 'shared']);
    expect(await tags(rea)).toEqual(['both', 'open', 'shared']);
    expect(await tags(rea, { shared: 'true' })).toEqual(['both', 'shared']);
    expect(await tags(manager)).toEqual(expect.arrayContaining(['both', 'open', 'own', 'shared']));

    await trash(ann, shared);
    expect(await tags(ann)).toEqual(['both', 'open', 'own']);
    await change(ann, open, { visibility: 'private' });
    expect(await tags(rea)).toEqual([]);
    await restore(ann, shared);
    await change(ann, shared, { tags: ['renamed'] });
    expect(await tags(rea)).toEqual(['renamed']);
  });

  it('offers the first 100 and finds the others by their start, whatever its case and accents', async () => {
    const ann = await newAuthor();
    const tags = Array.from({ length: 110 }, (_, at) => `tag ${at + 100}`);
    await madeOf(
      ann,
      Array.from({ length: 6 }, (_, at) => ({ tags: tags.slice(20 * at, 20 * at + 20) })),
    );
    await made(ann, { tags: ['Élan', 'Ü'] });
    const { body } = await ask(ann, { of: 'tag' });
    expect(body.data).toEqual({ names: ['Élan', ...tags.slice(0, 99)], isWhole: false });
    expect(await names(ann, { of: 'tag', search: 'TAG 20' })).toEqual(tags.slice(100));
    expect(await names(ann, { of: 'tag', search: 'el' })).toEqual(['Élan']);
    expect(await names(ann, { of: 'tag', search: 'none' })).toEqual([]);
  });

  it('rejects an unknown kind of names', async () => {
    const { status, body } = await ask(await newAuthor(), { of: 'author' });
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'of', message: 'must be one of folder, tag, type' }],
    ]);
  });
});

describe('GET /api/documents with a name', () => {
  it('tells names apart that begin alike, also in another page and order', async () => {
    const ann = await newAuthor();
    const ids = await madeOf(
      ann,
      ['a', 'a#1', 'A', 'a\u0300', 'a', 'a'].map((tag) => ({ tags: [tag] })),
    );
    const [one, numbered, capital, accented, two, three] = ids;
    const found = async (tag: string) => (await listed(ann, { tag })).ids;
    expect(await found('a#1')).toEqual([numbered]);
    expect(await found('A')).toEqual([capital]);
    expect(await found('a\u0300')).toEqual([accented]);
    const newest = [one, two, three].toSorted((left, right) => Number(right) - Number(left));
    for (const [sort, order] of [
      ['createdAt', newest],
      ['-createdAt', newest.toReversed()],
    ] as const) {
      const first = await list(ann, { tag: 'a', sort, pageSize: '2' });
      const { items, nextCursor } = first.body.data;
      const next = await list(ann, { tag: 'a', sort, pageSize: '2', cursor: nextCursor });
      const all = [...items, ...next.body.data.items] as { readonly id: number }[];
      expect(all.map(({ id }) => id)).toEqual(order);
      expect(next.body.data.nextCursor).toBeNull();
    }
  });
});
