import { beforeAll, describe, expect, it } from 'vitest';
import {
  change,
  list,
  listed,
  look,
  made,
  madeFolder,
  newManager,
  newOwner,
  newReader,
  png,
  remove,
  share,
} from '../../support/files/files.ts';
import { list as listNotifications } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import {
  expectLists,
  expectOwnCursors,
  expectWalks,
  type ListCase,
} from '../../support/sharing/lists.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import type { Query } from '../../support/sharing/requests.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useTable();
useBucket();

describe('GET /api/files', () => {
  useVirtualTime('2026-11-10T12:00:00Z');

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
  const all = ['max plan.txt', ...seenByAnn];

  const cases = (): readonly ListCase[] => [
    [ann, { search: '', folder: '', type: '', favorite: '' }, seenByAnn],
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
  ];

  it('lists by folder, type and favorite, once each, with the total', () =>
    expectLists(recordTypes.files, ids, cases()));

  it.each(['page', 'cursor'] as const)('pages through each list by %s', (by) =>
    expectWalks(recordTypes.files, ids, cases(), by),
  );

  it('accepts a cursor only from the same list', () =>
    expectOwnCursors(recordTypes.files, ann, rea, [
      {},
      { folder: '/' },
      { folder: '/', sort: 'name' },
      { type: 'image' },
      { favorite: 'true' },
    ]));

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

  it('shows a change of folder, favorite or visibility immediately in all lists', async () => {
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

  it.each([
    [{ folder: '/', type: 'image' }, 'type'],
    [{ search: 'x', favorite: 'true' }, 'favorite'],
    [{ type: 'image', sort: 'name' }, 'sort'],
    [{ favorite: 'true', sort: 'name' }, 'sort'],
    [{ type: 'picture' }, 'type'],
    [{ favorite: 'false' }, 'favorite'],
    [{ folder: 'Nowhere' }, 'folder'],
  ])('rejects %j for %s', async (query, field) => {
    const response = await list(ann, query as unknown as Query);
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe('sharing a file', () => {
  useVirtualTime('2026-11-21T12:00:00.000Z');
  useJobs();

  /** A name of more words than are found. */
  const longName = (word: string): string =>
    Array.from({ length: 14 }, (_, at) => `${word}${at}`).join(' ');

  let ann: Person;
  let first: Person[];
  let second: Person[];
  beforeAll(async () => {
    ann = await newOwner();
    const readers = await Promise.all(Array.from({ length: 40 }, () => newReader()));
    [first, second] = [readers.slice(0, 20), readers.slice(20)];
    await madeFolder(ann, 'One');
    await madeFolder(ann, 'Two');
  });

  const idsOf = (people: readonly Person[]): number[] => people.map(({ id }) => id);

  /** A favourite of a long name, in a folder, that the first 20 see. */
  const newFile = async (): Promise<number> => {
    const id = await made(ann, { name: longName('word'), folder: 'One' });
    const shown = await change(ann, id, { sharedWith: idsOf(first), isFavorite: true });
    expect(shown.status).toBe(200);
    return id;
  };

  /** Returns what the first reader sees, and checks the total of the list. */
  const seenBy = async ([one]: readonly Person[]) => {
    const seen = await listed(one as Person);
    expect(seen.total).toBe(seen.ids.length);
    return seen;
  };

  describe('POST /api/files/{id}/share', () => {
    it('rejects a folder', async () => {
      const folder = await madeFolder(ann, 'Folder');
      const { status, body } = await share(ann, folder, idsOf(first));
      const message = 'is not supported for folders';
      expect([status, body.error.details]).toEqual([400, [{ field: 'userIds', message }]]);
    });
  });

  describe('PUT /api/files/{id} {sharedWith}', () => {
    it('notifies only new readers, by the name at that time', async () => {
      const [rea, rob] = [await newReader(), await newReader()];
      const id = await made(ann, { name: 'old.txt' });
      await change(ann, id, { sharedWith: [rea.id] });
      await change(ann, id, { sharedWith: [rea.id, rob.id], name: 'new.txt' });
      await change(ann, id, { name: 'newer.txt' });
      await minuteLater();
      for (const person of [rea, rob]) {
        const { items } = (await listNotifications(person)).body.data;
        expect(items).toEqual([expect.objectContaining({ content: '“newer.txt”' })]);
      }
    });
  });

  describe('replacing 20 readers of a file', () => {
    it('works together with a new short name and folder', async () => {
      const id = await newFile();
      await change(ann, id, { name: 'a b' });
      const edit = { sharedWith: idsOf(second), name: 'c d', folder: 'Two' };
      const { status, body } = await change(ann, id, edit);
      expect([status, body.data]).toMatchObject([200, { ...edit, version: 4 }]);
      expect((await seenBy(first)).ids).not.toContain(id);
      expect((await seenBy(second)).ids).toContain(id);
    });

    it('is rejected together with all words of a name', async () => {
      const id = await newFile();
      const edit = { sharedWith: idsOf(second), name: longName('else'), folder: 'Two' };
      const refused = await change(ann, id, edit);
      const message = 'changes too much; send name and folder first, then users';
      expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
        400,
        'VALIDATION_ERROR',
        [{ field: 'sharedWith', message }],
      ]);
      expect((await look(ann, id)).body.data).toMatchObject({ version: 2, folder: 'One' });
      expect((await seenBy(first)).ids).toContain(id);
      const { sharedWith, ...others } = edit;
      expect((await change(ann, id, others)).status).toBe(200);
      expect((await change(ann, id, { sharedWith })).status).toBe(200);
      expect((await seenBy(first)).ids).not.toContain(id);
      expect((await seenBy(second)).ids).toContain(id);
    });

    it('works when the file becomes public or private', async () => {
      const id = await newFile();
      const edit = { sharedWith: idsOf(second), name: longName('else'), folder: 'Two' };
      const shown = await change(ann, id, { ...edit, visibility: 'everyone' });
      expect(shown.status, JSON.stringify(shown.body)).toBe(200);
      expect((await seenBy(first)).ids).toContain(id);
      const back = { sharedWith: idsOf(first), name: longName('word'), folder: 'One' };
      expect((await change(ann, id, { ...back, visibility: 'private' })).status).toBe(200);
      expect((await seenBy(first)).ids).toContain(id);
      expect((await seenBy(second)).ids).not.toContain(id);
    });
  });
});
