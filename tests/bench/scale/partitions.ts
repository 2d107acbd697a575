import { measureItem } from '../../../infra/local/dynamodb/values/item-size.ts';
import { call } from '../../support/service/call.ts';
import type { meterAws } from '../../support/table/meter.ts';
import { textTable } from '../support/text-table.ts';
import { copier, type Original } from './copies.ts';
import type { Person } from './originals.ts';
import type { Item } from './recording.ts';

/** Limits per second. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const partition = { readUnits: 3_000, writeUnits: 1_000 } as const;

const perSecond = (readUnits: number, writeUnits: number): number =>
  Math.floor(
    Math.min(
      readUnits > 0 ? partition.readUnits / readUnits : Number.POSITIVE_INFINITY,
      writeUnits > 0 ? partition.writeUnits / writeUnits : Number.POSITIVE_INFINITY,
    ),
  );

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Reports how often per second one share can be viewed, from the units of its views in one partition. */
export const reportViews = async (
  { token }: Person,
  { measure }: ReturnType<typeof meterAws>,
): Promise<string> => {
  const newShare = async (more: object) =>
    (await call('POST /api/share', { token, body: { content: '# Hi', ...more } })).body
      .id as string;
  const [unlimited, limited] = [await newShare({}), await newShare({ viewLimit: 1_000 })];
  const view = (id: string) => call('GET /api/share', { query: { id } });
  const page = (id: string, query?: Record<string, string>) =>
    call('GET /s/{id}', { params: { id }, ...(query && { query }) });
  const openAndRead = async (id: string) => {
    const { headers } = await call('POST /s/{id}/open', {
      params: { id },
      headers: form,
      body: '',
    });
    const to = new URL(headers['location'] ?? '', 'https://handbill.test');
    return page(id, Object.fromEntries(to.searchParams));
  };
  const ways = {
    'a view by the API, with a limit': () => view(limited),
    'a view by the API, without': () => view(unlimited),
    'the page, with a limit: opened and read': () => openAndRead(limited),
    'the page, without': () => page(unlimited),
  };
  const rows: string[][] = [];
  for (const [name, act] of Object.entries(ways)) {
    const { result, readUnits, writeUnits } = await measure(act);
    if (result.status !== 200) throw new Error(`${name} answered ${result.status}`);
    rows.push([
      name,
      String(readUnits),
      String(writeUnits),
      String(perSecond(readUnits, writeUnits)),
    ]);
  }
  return textTable(['one share', 'RU', 'WU', 'a second'], rows);
};

const unitsOf = (item: Item): number => Math.max(1, Math.ceil(measureItem(item as never) / 1_024));

const textOf = (item: Item, name: string): string | undefined => item[name]?.['S'] as string;

/** Returns the partitions that all records of a kind share, and the units in each per record. */
const sharedPartitions = (original: Original): Map<string, number> => {
  const [first, second] = [1, 2].map(copier(original));
  const units = new Map<string, number>();
  for (const [at, item] of (first ?? []).entries()) {
    const places = [
      // Transactions take twice the units; index updates are plain writes.
      ['pk', 2],
      ['gsi1pk', 1],
    ] as const;
    for (const [name, times] of places) {
      const key = textOf(item, name);
      const isShared = key !== undefined && key === textOf(second?.[at] ?? {}, name);
      if (isShared) units.set(key, (units.get(key) ?? 0) + times * unitsOf(item));
    }
  }
  return units;
};

/** Reports how many records of each kind all users together can create per second, limited by the busiest partition. */
export const reportCreations = (originals: readonly Original[]): string => {
  const rows = originals.map((original) => {
    const isCommon = ([key]: [string, number]) => !/^USER#|#OF#\d|^CALENDAR#\d|#ACTOR#/.test(key);
    const [busiest] = [...sharedPartitions(original)]
      .filter(isCommon)
      .sort(([, a], [, b]) => b - a);
    const [key = 'none', units = 0] = busiest ?? [];
    const most = units === 0 ? 'any number' : String(perSecond(0, units));
    return [original.name, key, String(units), most];
  });
  const once = [...new Map(rows.map((row) => [row.join(), row])).values()];
  return textTable(['records', 'busiest partition', 'WU', 'a second'], once);
};
