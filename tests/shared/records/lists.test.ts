import { beforeAll, describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import {
  createSharedRecords,
  expectLists,
  expectOwnCursors,
  expectWalks,
  type ListCase,
  seenByAnn,
  seenByManager,
  seenByRea,
} from '../../support/sharing/lists.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import type { Query } from '../../support/sharing/requests.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();

const byName = seenByRea.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));

describe.each(Object.values(recordTypes))('GET /api/$group', (recordType) => {
  const { nameField, newRecord, list, look, listed, change, remove, share, unshare } = recordType;
  let people: Awaited<ReturnType<typeof createSharedRecords>>;
  beforeAll(async () => {
    people = await createSharedRecords(recordType);
  });

  const cases = (): readonly ListCase[] => {
    const { ann, rea, manager } = people;
    const bobs = 'A plan of Bob for Rea and Ann';
    return [
      [rea, {}, seenByRea],
      [ann, {}, seenByAnn],
      [manager, {}, seenByManager],
      [rea, { search: '', folder: '' }, seenByRea],
      [rea, { sort: nameField }, byName],
      [
        manager,
        { sort: 'name' },
        [
          bobs,
          'Ann plans',
          'bob-plan',
          "Max's plan",
          'Plans for all',
          'Plans for Rea',
          'The house, for all',
        ],
      ],
      [rea, { search: 'PLAN' }, [bobs, 'Plans for Rea', 'Plans for all']],
      [rea, { search: 'for plan r' }, [bobs, 'Plans for Rea']],
      [rea, { search: 'plan', sort: nameField }, [bobs, 'Plans for all', 'Plans for Rea']],
      [rea, { search: 'lan' }, []],
      [rea, { search: 'max' }, []],
      [ann, { search: 'plan' }, [bobs, 'Plans for Rea', 'Plans for all', 'Ann plans']],
      [manager, { search: 'plan bob' }, [bobs, 'bob-plan']],
      [rea, { shared: 'true' }, [bobs, 'Plans for Rea']],
      [rea, { shared: 'true', sort: nameField }, [bobs, 'Plans for Rea']],
      [ann, { shared: 'true' }, [bobs]],
      [manager, { shared: 'true' }, []],
    ];
  };

  it('lists own, shared and public records, and all for managers, once each, with the total', () =>
    expectLists(recordType, people.ids, cases()));

  it.each(['page', 'cursor'] as const)('pages through each list by %s, one by one', (by) =>
    expectWalks(recordType, people.ids, cases(), by),
  );

  it('accepts a cursor only from the same caller and list', () =>
    expectOwnCursors(recordType, people.rea, people.ann, [
      {},
      { sort: nameField },
      { search: 'plan' },
      { shared: 'true' },
    ]));

  it('shows to each viewer the readers that the viewer may know', async () => {
    const { ann, bob, rea, ids } = people;
    const readersFor = async (person: Person) => {
      const { body } = await list(person, { search: 'Bob for' });
      expect(body.data.items.map(({ id }: { id: number }) => id)).toEqual([
        ids['A plan of Bob for Rea and Ann'],
      ]);
      expect(JSON.stringify(body)).not.toMatch(/"(pk|sk|gsi1pk|texts|object)"/);
      expect(body.data.items[0]).not.toHaveProperty('content');
      return body.data.items[0].sharedWith;
    };
    expect(await readersFor(rea)).toEqual([rea.id]);
    expect(await readersFor(ann)).toEqual([ann.id]);
    expect(await readersFor(bob)).toEqual([rea.id, ann.id]);
  });

  it('returns the detail of listed records only', async () => {
    const { ann, rea, manager, ids } = people;
    for (const [who, names] of [
      [rea, seenByRea],
      [ann, seenByAnn],
      [manager, seenByManager],
    ] as const) {
      for (const name of seenByManager) {
        const { status } = await look(who, ids[name] ?? 0);
        expect([name, status]).toEqual([name, names.includes(name) ? 200 : 404]);
      }
    }
    expect((await list(await newUserOf('guest'))).status).toBe(403);
  });

  it.each<[Query, string]>([
    [{ sort: 'size' }, 'sort'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [{ search: 'x'.repeat(201) }, 'search'],
    [{ page: '101', pageSize: '100' }, 'page'],
    [{ page: '0' }, 'page'],
    [{ shared: 'no' }, 'shared'],
    [{ shared: 'true', search: 'a' }, 'shared'],
    [{ search: 'x', folder: 'Plans' }, 'folder'],
  ])('rejects %j for %s', async (query, field) => {
    const { status, body } = await list(people.rea, query);
    const details = [{ field, message: expect.any(String) }];
    expect([status, body.error.details]).toEqual([400, details]);
  });

  it('shows a change of visibility, readers or name immediately in all lists', async () => {
    const { ann, rea, manager } = people;
    const id = await newRecord(ann, 'Moving');
    const seen = async (who: Person) => {
      const found = await Promise.all(
        [{}, { search: 'mov' }, { sort: nameField }].map(async (query) =>
          (await listed(who, query as Query)).ids.includes(id),
        ),
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
    await change(ann, id, { [nameField]: 'Renamed' });
    for (const who of [ann, rea, manager]) {
      expect((await listed(who, { search: 'mov' })).ids).not.toContain(id);
      expect((await listed(who, { search: 'ren' })).ids).toEqual([id]);
    }
    expect((await remove(ann, id)).status).toBe(200);
    for (const who of [ann, rea, manager]) {
      expect(await seen(who)).toBe(false);
      expect((await listed(who, { search: 'ren' })).ids).toEqual([]);
    }
    expect(await totals()).toEqual([a - 1, r, m - 1]);
  });

  it('lists a record as GET returns it to each caller, after every change', async () => {
    const [cid, dan, manager] = [
      await recordType.newOwner('Cid'),
      await recordType.newReader('Dan'),
      people.manager,
    ];
    const id = await newRecord(cid, 'Changing');
    const steps: readonly (() => Promise<unknown>)[] = [
      () => share(cid, id, [dan.id]),
      () => change(cid, id, { [nameField]: 'Changed' }),
      () => change(manager, id, { visibility: 'everyone' }),
      () => unshare(cid, id, [dan.id]),
      () => change(cid, id, { visibility: 'private' }),
    ];
    const seenBy = async (who: Person) => {
      const [one, many] = [await look(who, id), await list(who, { pageSize: '100' })];
      const {
        content: _,
        editedBy: __,
        editedAt: ___,
        editing: ____,
        ...shown
      } = one.body.data ?? {};
      const listed = many.body.data.items.filter((item: { id: number }) => item.id === id);
      expect(listed).toEqual(one.status === 200 ? [shown] : []);
      return one.status;
    };
    const statuses: unknown[] = [];
    for (const step of [async () => undefined, ...steps]) {
      pass(1);
      await step();
      statuses.push(await Promise.all([cid, dan, manager].map(seenBy)));
    }
    const [all, notDan] = [
      [200, 200, 200],
      [200, 404, 200],
    ];
    expect(statuses).toEqual([notDan, all, all, all, all, notDan]);
    await remove(cid, id);
  });

  it('lists what is shared with the user, in both orders, without public records', async () => {
    const [cid, dan, eve] = [
      await recordType.newOwner(),
      await recordType.newOwner(),
      await recordType.newOwner(),
    ];
    const ids: Record<string, number> = {};
    for (const [owner, name] of [
      [eve, 'own'],
      [cid, 'c'],
      [dan, 'a'],
      [cid, 'b'],
      [cid, 'hidden'],
      [cid, 'public'],
    ] as const) {
      pass(1);
      ids[name] = await newRecord(owner, name);
      const isShared = owner !== eve && name !== 'hidden';
      if (isShared) await share(owner, ids[name], [eve.id]);
    }
    await change(cid, ids['public'] ?? 0, { visibility: 'everyone' });
    const lists: readonly ListCase[] = [
      [eve, { shared: 'true' }, ['b', 'a', 'c']],
      [eve, { shared: 'true', sort: nameField }, ['a', 'b', 'c']],
      [cid, { shared: 'true' }, []],
    ];
    await expectLists(recordType, ids, lists);
    await expectWalks(recordType, ids, lists, 'cursor');
    await expectWalks(recordType, ids, lists, 'page');
    expect((await listed(eve)).ids).toEqual(expect.arrayContaining([ids['own'], ids['public']]));
    expect((await listed(eve)).ids).not.toContain(ids['hidden']);
    await unshare(dan, ids['a'] ?? 0, [eve.id]);
    await expectLists(recordType, ids, [[eve, { shared: 'true' }, ['b', 'c']]]);
    await share(cid, ids['hidden'] ?? 0, [people.manager.id]);
    await expectLists(recordType, ids, [[people.manager, { shared: 'true' }, ['hidden']]]);
    for (const id of Object.values(ids)) await remove(people.manager, id);
  });
});

describe.each(Object.values(recordTypes))('cost of a list of $group', (recordType) => {
  const { nameField, list, newRecord } = recordType;
  const meter = useMeter();

  /** Stores records directly: a third is public, a third is shared with the reader. */
  const fill = (ownerId: number, from: number, to: number, readerId: number) =>
    putItems(
      Array.from({ length: to - from }, (_, at) =>
        recordType.toItems(ownerId, {
          id: 1_000_000 + from + at,
          name: `Heap ${from + at}`,
          visibility: at % 3 === 0 ? 'everyone' : 'private',
          sharedWith: at % 3 === 1 ? [readerId] : [],
        }),
      ).flat(),
    );

  it('is equal for page 1 of 15 and of 300 records, by any order and of a search', async () => {
    const [owner, reader] = [await recordType.newOwner('Cid'), await recordType.newReader('Dan')];
    const manager = await recordType.newManager();
    for (const name of ['Zebra one', 'Zebra two']) await newRecord(owner, name);
    const byId = [{ pageSize: '3' }, { pageSize: '1' }];
    const others: (Record<string, string> & { readonly pageSize: string })[] = [
      { sort: nameField, pageSize: '2' },
      // One of documents looks into their texts, too.
      ...(recordType.group === 'files' ? [{ search: 'zebra', pageSize: '2' }] : []),
    ];
    // What is shared with the reader is read as a whole for other orders.
    const calls = [owner, manager]
      .flatMap((person) => [...byId, ...others].map((query) => [person, query] as const))
      .concat(byId.map((query) => [reader, query]));
    const measure = async () => {
      const costs: unknown[] = [];
      for (const [person, query] of calls) {
        const cost = await meter.measure(() => list(person, query));
        const { items } = cost.result.body.data;
        expect(items).toHaveLength(Number(query.pageSize));
        const isOwn = items.every((item: Record<string, unknown>) =>
          [item['author_id'], item['owner_id']].includes(person.id),
        );
        // The caller, the partitions and counters; the owners of others' records, and of what is shared the records.
        if (byId.includes(query)) expect(cost.trips).toBe(isOwn ? 1 : 2);
        costs.push({ query, units: cost.readUnits, requests: cost.requests.table });
      }
      return costs;
    };
    await fill(owner.id, 0, 15, reader.id);
    // From now on, the process reads ahead what the manager sees.
    await list(manager);
    const few = await measure();
    // A multiple of three, so that the newest are of the same types.
    await fill(owner.id, 15, 300, reader.id);
    expect(await measure()).toEqual(few);
  });
});
