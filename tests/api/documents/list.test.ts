import { beforeAll, describe, expect, it } from 'vitest';
import {
  change,
  list,
  listed,
  made,
  restore,
  share,
  trash,
} from '../../support/documents/documents.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import {
  createSharedRecords,
  expectLists,
  expectOwnCursors,
  expectWalks,
  type ListCase,
} from '../../support/sharing/lists.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import type { Query } from '../../support/sharing/requests.ts';
import { useTable } from '../../support/table/table.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

let people: Awaited<ReturnType<typeof createSharedRecords>>;
beforeAll(async () => {
  people = await createSharedRecords(recordTypes.documents);
  const { manager, ids } = people;
  for (const title of ['Ann plans', 'Plans for all', 'Plans for Rea', 'bob-plan']) {
    await change(manager, ids[title] ?? 0, { folder: 'Plans' });
  }
  await change(manager, ids['The house, for all'] ?? 0, { folder: 'Rules' });
});

const cases = (): readonly ListCase[] => {
  const { ann, bob, rea, manager } = people;
  const by = ({ id }: { readonly id: number }) => ({ author: String(id) });
  const bobsForAnn = ['The house, for all', 'A plan of Bob for Rea and Ann'];
  const plans = ['Plans for Rea', 'Plans for all'];
  return [
    [rea, { folder: 'Plans' }, plans],
    [rea, { folder: 'plans' }, []],
    [ann, { folder: 'Plans' }, [...plans, 'Ann plans']],
    [manager, { folder: 'Plans' }, ['bob-plan', ...plans, 'Ann plans']],
    [rea, { author: '', folder: 'Plans' }, plans],
    [rea, { ...by(ann), folder: 'Plans' }, plans],
    [rea, { ...by(bob), folder: 'Plans' }, []],
    [ann, { ...by(ann), folder: 'Plans' }, [...plans, 'Ann plans']],
    [ann, { ...by(bob), folder: 'Rules' }, ['The house, for all']],
    [bob, { ...by(bob), folder: 'Plans', type: 'text' }, ['bob-plan']],
    [manager, { ...by(bob), folder: 'Plans' }, ['bob-plan']],
    [rea, { shared: 'true', folder: 'Plans' }, ['Plans for Rea']],
    [ann, { shared: 'true', folder: 'Plans' }, []],
    [rea, by(ann), plans],
    [rea, by(rea), []],
    [rea, { author: '12345' }, []],
    [ann, by(ann), [...plans, 'Ann plans']],
    [ann, by(bob), bobsForAnn],
    [manager, by(bob), [...bobsForAnn, 'bob-plan']],
  ];
};

describe('GET /api/documents', () => {
  it('lists by folder and by author, once each, with the total', () =>
    expectLists(recordTypes.documents, people.ids, cases()));

  it.each(['page', 'cursor'] as const)('pages through each list by %s', (by) =>
    expectWalks(recordTypes.documents, people.ids, cases(), by),
  );

  it('accepts a cursor only from the same list', () =>
    expectOwnCursors(recordTypes.documents, people.rea, people.ann, [
      {},
      { folder: 'Plans' },
      { author: String(people.ann.id) },
    ]));

  it('returns documents with their authors', async () => {
    const { ann, rea } = people;
    const { body } = await list(rea, { search: 'Plans for Rea' });
    expect(body.data.items).toEqual([
      expect.objectContaining({
        title: 'Plans for Rea',
        author: { id: ann.id, name: 'Ann Owner', avatar: null },
        author_id: ann.id,
        sharedWith: [rea.id],
      }),
    ]);
  });

  it.each<[Query, string]>([
    [{ sort: 'title', folder: 'Plans' }, 'sort'],
    [{ sort: 'title', author: '7' }, 'sort'],
    [{ folder: 'Plans', search: 'x' }, 'folder'],
    [{ shared: 'true', author: '7' }, 'shared'],
    [{ sort: 'title', folder: 'Plans', shared: 'true' }, 'sort'],
    [{ search: 'x', author: '7' }, 'author'],
    [{ author: 'me' }, 'author'],
    [{ author: '0' }, 'author'],
  ])('rejects %j for %s', async (query, field) => {
    const { status, body } = await list(people.rea, query);
    const details = [{ field, message: expect.any(String) }];
    expect([status, body.error.details]).toEqual([400, details]);
  });

  it('shows a change of readers, folder or trash immediately by folder and author', async () => {
    const { ann, rea, manager } = people;
    const id = await made(ann, { title: 'Moving', folder: 'Box' });
    const seen = async (folder = 'Box') =>
      Promise.all(
        [ann, rea, manager].flatMap((who) =>
          [{ folder }, { author: String(ann.id) }].map(async (query: Query) =>
            (await listed(who, query)).ids.includes(id),
          ),
        ),
      );
    expect(await seen()).toEqual([true, true, false, false, true, true]);
    await share(ann, id, [rea.id]);
    expect(await seen()).toEqual([true, true, true, true, true, true]);
    await change(ann, id, { folder: 'Shelf' });
    expect(await seen()).toEqual([false, true, false, true, false, true]);
    expect(await seen('Shelf')).toEqual([true, true, true, true, true, true]);
    // 20 concurrent requests each, with one effect.
    const totals = async () =>
      Promise.all([ann, rea, manager].map(async (who) => (await listed(who)).total));
    const [a, r, m] = (await totals()) as [number, number, number];
    const many = async (act: typeof trash) => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => act(ann, id)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    };
    await many(trash);
    expect(await seen('Shelf')).toEqual([false, false, false, false, false, false]);
    expect(await totals()).toEqual([a - 1, r - 1, m - 1]);
    await many(restore);
    expect(await totals()).toEqual([a, r, m]);
  });
});
