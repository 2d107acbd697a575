import { type Key, keys } from '../../../shared/db/table.ts';

/** Numbers that are kept up with the records they tell of, in one place of the table or added up from several. */
export interface Counter {
  /** What it counts, for people; no two have the same. */
  readonly name: string;
  /** Every place that it may have; not all of them have to be there. */
  readonly places: readonly Key[];
  /** The record without which it is not there either. */
  readonly owner: Key | undefined;
}

interface Family {
  /** How the two keys of its items look, with a space between them. */
  readonly pattern: RegExp;
  readonly name: (...parts: readonly string[]) => string;
  readonly place: (shard: number, ...parts: readonly string[]) => Key;
  /** It has one place only. */
  readonly isSingle?: true;
  readonly owner?: (id: number) => Key;
}

/** As many places as any counter has; those that have fewer never use the others. */
const maxShards = 16;

const families: readonly Family[] = [
  {
    pattern: /^TOTAL#([\w-]+)#\d+ TOTAL$/,
    name: (counted) => `total of ${counted}`,
    place: (shard, counted = '') => keys.total(counted, shard),
  },
  {
    pattern: /^STATS#USERS#(\d{4}-\d\d)#\d+ NEW$/,
    name: (month) => `users of ${month}`,
    place: (shard, month = '') => keys.newUsers(month, shard),
  },
  {
    pattern: /^SUPER_ADMINS COUNT$/,
    name: () => 'active super_admins',
    place: keys.superAdmins,
    isSingle: true,
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ ALL$/,
    name: (currency) => `sales in ${currency}`,
    place: (shard, currency = '') => keys.allSales(currency, shard),
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ MONTH#(\d{4}-\d\d)$/,
    name: (currency, month) => `sales in ${currency} of ${month}`,
    place: (shard, currency = '', month = '') => keys.monthlyTotals(currency, month, shard),
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ CATEGORY#(.*)$/s,
    name: (currency, category) => `sales in ${currency} of the category ${category || '(none)'}`,
    place: (shard, currency = '', category = '') => keys.categoryTotals(currency, category, shard),
  },
  {
    pattern: /^USER#(\d+) SHARES$/,
    name: (id) => `shares of user ${id}`,
    place: (_, id) => keys.ownShareCount(Number(id)),
    isSingle: true,
    owner: keys.user,
  },
  {
    pattern: /^USER#(\d+) DOCUMENTS#\d+$/,
    name: (id) => `documents of user ${id}`,
    place: (shard, id) => keys.documentCounts(Number(id), shard),
    owner: keys.user,
  },
  {
    pattern: /^USER#(\d+) FILES#\d+$/,
    name: (id) => `files that user ${id} sees`,
    place: (shard, id) => keys.fileCounts(Number(id), shard),
    owner: keys.user,
  },
  {
    pattern: /^USER#(\d+) FILES#USAGE$/,
    name: (id) => `storage of user ${id}`,
    place: (_, id) => keys.fileUsage(Number(id)),
    isSingle: true,
    owner: keys.user,
  },
  {
    pattern: /^FILE#(\d+) CHILDREN$/,
    name: (id) => `contents of folder ${id}`,
    place: (_, id) => keys.folderChildren(Number(id)),
    isSingle: true,
    owner: keys.file,
  },
  {
    pattern: /^USER#(\d+) MAILBOX$/,
    name: (id) => `messages of user ${id}`,
    place: (_, id) => keys.mailbox(Number(id)),
    isSingle: true,
    owner: keys.user,
  },
];

/** The counter that an item of the table is a place of, if it is one. */
export const counterAt = ({ pk, sk }: Key): Counter | undefined => {
  for (const { pattern, name, place, isSingle, owner } of families) {
    const [found, ...parts] = pattern.exec(`${pk} ${sk}`) ?? [];
    if (found === undefined) continue;
    const shards = isSingle ? 1 : maxShards;
    return {
      name: name(...parts),
      places: Array.from({ length: shards }, (_, shard) => place(shard, ...parts)),
      owner: owner?.(Number(parts[0])),
    };
  }
  return undefined;
};
