import { beforeAll, describe, expect, it } from 'vitest';
import { readPages } from '../../support/service/pages.ts';
import {
  type Named,
  type SearchedList,
  searchedLists,
} from '../../support/service/searched-lists.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';

useTable();

type Query = Readonly<Record<string, string>>;

const namesOf = (records: readonly Named[]) => records.map(({ name }) => name);
const newestFirst = (records: readonly Named[]) => records.toSorted((a, b) => b.id - a.id);
const byName = (records: readonly Named[]) =>
  records.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const shownIn = (items: readonly { name?: string; title?: string }[]) =>
  items.map(({ name, title }) => title ?? name);

/** Every name that a search shows, page by page, by cursor or by number. */
const walk = async ({ search }: SearchedList, query: Query, by: 'page' | 'cursor') => {
  const pages = await readPages((at) => search({ ...query, ...at }), by);
  const { nextCursor: _, ...totals } = pages.at(-1);
  return { names: pages.flatMap(({ items }) => shownIn(items)), ...totals };
};

/** A list of each kind, whose records have ids that no other has. */
const lists = Object.entries(searchedLists).map(([name, newList], at) => ({
  name,
  newList,
  firstId: 10_000 * (at + 1),
}));

describe.each(lists)('a search of $name', ({ newList, firstId }) => {
  let list: SearchedList;
  beforeAll(async () => {
    list = await newList();
  });

  const records = Array.from({ length: 6 }, (_, at): Named => {
    const name = `zebra ${String.fromCharCode(0x61 + ((at * 5) % 6))}`;
    return { id: firstId + 5_000 + at, name };
  });
  const earlier = [1, 2].map((at) => ({ id: firstId + 6_000 + at, name: 'zebra' }));

  it.each([
    ['createdAt', newestFirst(records)],
    ['name', byName(records)],
  ])('continues by %s after the last item, whatever precedes it', async (order, all) => {
    const sort = order === 'name' ? list.byName : order;
    const pageAt = async (cursor?: string) => {
      const query = { search: 'zebra', pageSize: '2', sort, ...(cursor && { cursor }) };
      const { status, body } = await list.search(query);
      expect(status).toBe(200);
      return { names: shownIn(body.data.items), cursor: body.data.nextCursor };
    };
    await list.put(records);
    const first = await pageAt();
    expect(first.names).toEqual(namesOf(all.slice(0, 2)));
    // One that was shown, and the one that the cursor leads behind.
    await list.remove(all.slice(0, 2));
    const second = await pageAt(first.cursor);
    expect(second.names).toEqual(namesOf(all.slice(2, 4)));
    await list.put(earlier);
    const third = await pageAt(second.cursor);
    expect(third).toEqual({ names: namesOf(all.slice(4)), cursor: null });
    await list.remove([...earlier, ...all]);
  });
});

describe.each(lists.slice(0, 3))('more matches than are counted, of $name,', (kind) => {
  // Of one word there are more than are shown, and those of the word that sorts last are the oldest.
  const records = Array.from({ length: 1_300 }, (_, at): Named => {
    const word = at < 50 ? 'plankton' : at % 10 === 0 ? 'plan' : 'planet';
    return { id: kind.firstId + at, name: `${String((at * 7) % 1_300).padStart(4, '0')} ${word}` };
  });
  const rare = [records[0], records[1_299]] as [Named, Named];
  let list: SearchedList;
  beforeAll(async () => {
    list = await kind.newList();
    const numbers = rare.map(({ name }) => name.split(' ')[0]);
    return list.putWords(new RegExp(`^(plan|(${numbers.join('|')})#)`), records);
  });

  const counts = { total: 1_000, totalIsExact: false, totalPages: 10 };

  it.each(['page', 'cursor'] as const)('are returned from the newest on, by %s', async (by) => {
    const { names, ...rest } = await walk(list, { search: 'plan' }, by);
    expect(names).toEqual(namesOf(newestFirst(records).slice(0, 1_000)));
    expect(rest).toMatchObject(counts);
  });

  it('are returned from the first on by name', async () => {
    const { names, ...rest } = await walk(list, { search: 'plan', sort: list.byName }, 'cursor');
    expect(names).toEqual(namesOf(byName(records).slice(0, 1_000)));
    expect(rest).toMatchObject(counts);
  });

  it('are returned from the oldest on in reverse, and from the last on by name', async () => {
    for (const [sort, all] of [
      ['-createdAt', newestFirst(records).toReversed()],
      [`-${list.byName}`, byName(records).toReversed()],
    ] as const) {
      const { names, ...rest } = await walk(list, { search: 'plan', sort }, 'cursor');
      expect(names).toEqual(namesOf(all.slice(0, 1_000)));
      expect(rest).toMatchObject(counts);
    }
  });

  it('are found by several words, and by one rare word', async () => {
    for (const { name } of rare) {
      const [number = ''] = name.split(' ');
      const { names, ...rest } = await walk(list, { search: `plan ${number}` }, 'page');
      expect([names, rest.total, rest.totalIsExact]).toEqual([[name], 1, true]);
    }
    const { total, totalIsExact } = await walk(list, { search: 'plankton' }, 'page');
    expect({ total, totalIsExact }).toEqual({ total: 50, totalIsExact: true });
  });
});

it('costs no more if a word has more matches than can be shown', async () => {
  const list = await searchedLists.users();
  const put = (from: number, to: number) =>
    list.putWords(
      /^quokka/,
      Array.from({ length: to - from }, (_, at) => ({ id: 1_000 + from + at, name: 'Quokka' })),
    );
  const meter = meterAws();
  const measure = async () => {
    const { readUnits, requests } = await meter.measure(() => list.search({ search: 'quo' }));
    return { readUnits, requests: requests.table };
  };
  await put(0, 1_100);
  const few = await measure();
  await put(1_100, 1_600);
  expect(await measure()).toEqual(few);
  meter.stop();
});
