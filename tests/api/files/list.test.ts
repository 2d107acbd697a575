import { beforeAll, describe, expect, it } from 'vitest';
import { createFileRecord, write } from '../../../functions/api/files/record/files.ts';
import { systemAudit } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  change,
  list,
  listed,
  made,
  madeFolder,
  newManager,
  newOwner,
  newReader,
  png,
  remove,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();

type Query = Readonly<Record<string, string>>;

let ann: Person;
let bob: Person;
let rea: Person;
let manager: Person;
/** By name. */
const ids: Record<string, number> = {};

beforeAll(async () => {
  [ann, bob] = [await newOwner('Ann Owner'), await newOwner('Bob Owner')];
  [rea, manager] = [await newReader(), await newManager()];
  const make = async (owner: Person, name: string, folder?: string, bytes?: Uint8Array) => {
    pass(1);
    ids[name] = await made(owner, { name, ...(folder !== undefined && { folder }) }, bytes);
  };
  pass(1);
  ids['Photos'] = await madeFolder(ann, 'Photos');
  await make(ann, 'beach photo.png', 'Photos', png);
  await make(ann, 'Annual plan.txt', 'Photos');
  pass(1);
  ids['2026'] = await madeFolder(ann, '2026', 'Photos');
  await make(ann, 'plan for Rea.txt');
  await make(ann, 'plan for all.txt');
  await make(bob, 'bobs photo.png', undefined, png);
  await make(bob, "Bob's plan for Rea and Ann.txt");
  await make(manager, 'max plan.txt');
  const id = (name: string) => ids[name] ?? 0;
  await change(ann, id('plan for Rea.txt'), { sharedWith: [rea.id] });
  await change(ann, id('plan for all.txt'), { visibility: 'everyone', isFavorite: true });
  await change(ann, id('beach photo.png'), { isFavorite: true });
  await change(bob, id("Bob's plan for Rea and Ann.txt"), { sharedWith: [rea.id, ann.id] });
  await change(bob, id('bobs photo.png'), { visibility: 'everyone', sharedWith: [rea.id] });
});

const bobsPlan = "Bob's plan for Rea and Ann.txt";
const seenByAnn = [
  bobsPlan,
  'bobs photo.png',
  'plan for all.txt',
  'plan for Rea.txt',
  '2026',
  'Annual plan.txt',
  'beach photo.png',
  'Photos',
];
const seenByRea = [bobsPlan, 'bobs photo.png', 'plan for all.txt', 'plan for Rea.txt'];
const all = ['max plan.txt', ...seenByAnn];

/** The caller, the query and the expected ids. */
const cases = (): readonly (readonly [Person, Query, readonly string[]])[] => [
  [ann, {}, seenByAnn],
  [rea, {}, seenByRea],
  [manager, {}, all],
  [ann, { search: '', folder: '', type: '', favorite: '' }, seenByAnn],
  [
    ann,
    { sort: 'name' },
    [
      '2026',
      'Annual plan.txt',
      'beach photo.png',
      bobsPlan,
      'bobs photo.png',
      'Photos',
      'plan for all.txt',
      'plan for Rea.txt',
    ],
  ],
  [rea, { sort: 'name' }, [bobsPlan, 'bobs photo.png', 'plan for all.txt', 'plan for Rea.txt']],
  [ann, { folder: 'Photos' }, ['2026', 'Annual plan.txt', 'beach photo.png']],
  [ann, { folder: '/Photos/', sort: 'name' }, ['2026', 'Annual plan.txt', 'beach photo.png']],
  [ann, { folder: 'Photos/2026' }, []],
  [ann, { folder: '/' }, ['plan for all.txt', 'plan for Rea.txt', 'Photos']],
  [ann, { folder: '/', sort: 'name' }, ['Photos', 'plan for all.txt', 'plan for Rea.txt']],
  [rea, { folder: '/' }, []],
  [ann, { type: 'image' }, ['bobs photo.png', 'beach photo.png']],
  [ann, { type: 'folder' }, ['2026', 'Photos']],
  [rea, { type: 'document' }, [bobsPlan, 'plan for all.txt', 'plan for Rea.txt']],
  [rea, { type: 'image' }, ['bobs photo.png']],
  [manager, { type: 'image' }, ['bobs photo.png', 'beach photo.png']],
  [ann, { favorite: 'true' }, ['plan for all.txt', 'beach photo.png']],
  [ann, { isFavorite: 'true' }, ['plan for all.txt', 'beach photo.png']],
  [rea, { favorite: 'true' }, []],
  [ann, { search: 'PLAN' }, [bobsPlan, 'plan for all.txt', 'plan for Rea.txt', 'Annual plan.txt']],
  [ann, { search: 'ph' }, ['bobs photo.png', 'beach photo.png', 'Photos']],
  [rea, { search: 'for plan r' }, [bobsPlan, 'plan for Rea.txt']],
  [rea, { search: 'plan', sort: 'name' }, [bobsPlan, 'plan for all.txt', 'plan for Rea.txt']],
  [rea, { search: 'max' }, []],
  [rea, { search: 'hoto' }, []],
  [manager, { search: 'plan max' }, ['max plan.txt']],
];

/** Every name of a list, page by page, by cursor or by number. */
const walk = async (client: Person, query: Query, by: 'page' | 'cursor'): Promise<string[]> => {
  const names: string[] = [];
  let next: Query = {};
  for (let page = 1; ; page++) {
    const { status, body } = await list(client, { pageSize: '2', ...query, ...next });
    expect(status).toBe(200);
    names.push(...body.data.items.map(({ name }: { name: string }) => name));
    const { nextCursor } = body.data;
    if (nextCursor === null) return names;
    next = by === 'page' ? { page: String(page + 1) } : { cursor: nextCursor };
  }
};

describe('GET /api/files', () => {
  it('lists own, shared and public files, and all for managers, once each, with the total', async () => {
    for (const [person, query, names] of cases()) {
      const { body } = await list(person, { pageSize: '100', ...query });
      expect(
        [query, body.data.items.map(({ name }: { name: string }) => name), body.data.total],
        JSON.stringify(query),
      ).toEqual([query, names, names.length]);
      expect(body.data.totalIsExact).toBe(true);
    }
  });

  it.each(['page', 'cursor'] as const)('pages through each list by %s', async (by) => {
    for (const [person, query, names] of cases()) {
      expect(await walk(person, query, by), JSON.stringify(query)).toEqual(names);
    }
  });

  it('returns each file as its viewer can see it', async () => {
    const { body } = await list(ann, { pageSize: '100' });
    const byName = new Map(body.data.items.map((item: { name: string }) => [item.name, item]));
    expect(byName.get('beach photo.png')).toMatchObject({
      type: 'image',
      path: '/Photos/beach photo.png',
      folder: 'Photos',
      isFavorite: true,
      owner: 'Ann Owner',
    });
    expect(byName.get('2026')).toMatchObject({ type: 'folder', path: '/Photos/2026' });
    expect(byName.get('bobs photo.png')).toMatchObject({
      owner: 'Bob Owner',
      owner_id: bob.id,
      sharedWith: [],
      isFavorite: false,
    });
    const managed = await list(manager, { search: 'beach' });
    expect(managed.body.data.items[0]).toMatchObject({ folder: 'Photos', isFavorite: false });
  });

  it('shows a change immediately in all lists', async () => {
    pass(1);
    const id = await made(ann, { name: 'Moving.txt' });
    const where = async (query: Query, person = ann) =>
      (await listed(person, query)).ids.includes(id);
    await change(ann, id, { name: 'Renamed.txt', folder: 'Photos/2026', isFavorite: true });
    expect(await where({ search: 'moving' })).toBe(false);
    expect(await where({ search: 'renamed' })).toBe(true);
    expect(await where({ folder: 'Photos/2026' })).toBe(true);
    expect(await where({ folder: '/' })).toBe(false);
    expect(await where({ favorite: 'true' })).toBe(true);
    await change(ann, id, { visibility: 'everyone' });
    expect(await where({ type: 'document' }, rea)).toBe(true);
    expect(await where({ folder: 'Photos/2026' })).toBe(true);
    await remove(ann, id);
    for (const query of [{}, { search: 'renamed' }, { favorite: 'true' }]) {
      expect(await where(query)).toBe(false);
    }
    expect((await listed(ann)).total).toBe(seenByAnn.length);
    expect((await listed(manager)).total).toBe(all.length);
  });

  it('accepts a cursor only from the same caller and list', async () => {
    const { body } = await list(ann, { pageSize: '1' });
    const cursor = body.data.nextCursor;
    const statusOf = async (person: Person, query: Query) =>
      (await list(person, { cursor, pageSize: '1', ...query })).status;
    expect(await statusOf(ann, {})).toBe(200);
    for (const query of [{ sort: 'name' }, { folder: '/' }, { type: 'image' }]) {
      expect(await statusOf(ann, query)).toBe(400);
    }
    expect(await statusOf(rea, {})).toBe(400);
  });

  it.each([
    [{ folder: '/', type: 'image' }, 'type'],
    [{ search: 'x', favorite: 'true' }, 'favorite'],
    [{ type: 'image', sort: 'name' }, 'sort'],
    [{ favorite: 'true', sort: 'name' }, 'sort'],
    [{ sort: 'size' }, 'sort'],
    [{ type: 'picture' }, 'type'],
    [{ favorite: 'false' }, 'favorite'],
    [{ folder: 'Nowhere' }, 'folder'],
    [{ page: '1001' }, 'page'],
    [{ cursor: 'x' }, 'cursor'],
  ])('rejects %j for %s', async (query, field) => {
    const response = await list(ann, query as unknown as Query);
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe('cost of a list', () => {
  it('is equal for page 1 of 15 and of 300 files, for any viewer', async () => {
    const [owner, reader] = [await newOwner(), await newReader()];
    const seed = async (count: number) => {
      const actor = { user: { id: owner.id } } as Actor;
      for (let at = 0; at < count; at++) {
        pass(1);
        const file = {
          ...createFileRecord(actor, {
            name: `File ${at}`,
            type: 'other' as const,
            size: 1,
            status: 'ready' as const,
            folderId: undefined,
          }),
          visibility: 'everyone' as const,
        };
        await write(undefined, file, systemAudit('file.upload'));
      }
    };
    const meter = meterAws();
    const costs = async () => {
      const queries: Query[] = [{}, { sort: 'name' }, { search: 'beach' }];
      const found: unknown[] = [];
      for (const person of [owner, reader, manager]) {
        for (const query of queries) {
          const { readUnits, trips } = await meter.measure(() => list(person, query));
          found.push([query, readUnits, trips]);
        }
      }
      return found;
    };
    await seed(15);
    const before = await costs();
    await seed(285);
    expect(await costs()).toEqual(before);
    meter.stop();
  }, 60_000);
});
