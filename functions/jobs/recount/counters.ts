import { type Key, keys } from '../../../shared/db/table.ts';

/** Numbers that are updated with the records they count, in one item or the sum of several shards. */
export interface Counter {
  /** A unique name for people. */
  readonly name: string;
  /** The keys of all its shards, some of which may not exist. */
  readonly shards: readonly Key[];
  /** The record that the counter is deleted with. */
  readonly owner: Key | undefined;
}

interface Family {
  /** Matches the partition key, a space and the sort key. */
  readonly pattern: RegExp;
  readonly name: (...parts: readonly string[]) => string;
  readonly key: (shard: number, ...parts: readonly string[]) => Key;
  /** Whether it has one item instead of shards. */
  readonly isSingle?: true;
  readonly owner?: (id: number) => Key;
}

/** The largest number of shards of any counter. */
const maxShards = 16;

const families: readonly Family[] = [
  {
    pattern: /^TOTAL#([\w-]+)#\d+ TOTAL$/,
    name: (counted) => `total of ${counted}`,
    key: (shard, counted = '') => keys.total(counted, shard),
  },
  {
    pattern: /^STATS#USERS#(\d{4}-\d\d)#\d+ NEW$/,
    name: (month) => `users of ${month}`,
    key: (shard, month = '') => keys.newUsers(month, shard),
  },
  {
    pattern: /^SUPER_ADMINS COUNT$/,
    name: () => 'active super_admins',
    key: keys.superAdmins,
    isSingle: true,
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ ALL$/,
    name: (currency) => `sales in ${currency}`,
    key: (shard, currency = '') => keys.allSales(currency, shard),
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ MONTH#(\d{4}-\d\d)$/,
    name: (currency, month) => `sales in ${currency} of ${month}`,
    key: (shard, currency = '', month = '') => keys.monthlyTotals(currency, month, shard),
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ CATEGORY#(.*)$/s,
    name: (currency, category) => `sales in ${currency} of the category ${category || '(none)'}`,
    key: (shard, currency = '', category = '') => keys.categoryTotals(currency, category, shard),
  },
  {
    pattern: /^USER#(\d+) SHARES$/,
    name: (id) => `shares of user ${id}`,
    key: (_, id) => keys.ownShareCount(Number(id)),
    isSingle: true,
    owner: keys.user,
  },
  {
    pattern: /^USER#(\d+) DOCUMENTS#\d+$/,
    name: (id) => `documents of user ${id}`,
    key: (shard, id) => keys.documentCounts(Number(id), shard),
    owner: keys.user,
  },
  {
    pattern: /^USER#(\d+) FILES#\d+$/,
    name: (id) => `files visible to user ${id}`,
    key: (shard, id) => keys.fileCounts(Number(id), shard),
    owner: keys.user,
  },
  {
    pattern: /^USER#(\d+) FILES#USAGE$/,
    name: (id) => `storage of user ${id}`,
    key: (_, id) => keys.fileUsage(Number(id)),
    isSingle: true,
    owner: keys.user,
  },
  {
    pattern: /^FILE#(\d+) CHILDREN$/,
    name: (id) => `contents of folder ${id}`,
    key: (_, id) => keys.folderChildren(Number(id)),
    isSingle: true,
    owner: keys.file,
  },
  {
    pattern: /^USER#(\d+) MAILBOX$/,
    name: (id) => `messages of user ${id}`,
    key: (_, id) => keys.mailbox(Number(id)),
    isSingle: true,
    owner: keys.user,
  },
];

/** Finds the counter that an item of the table belongs to. */
export const findCounter = ({ pk, sk }: Key): Counter | undefined => {
  for (const { pattern, name, key, isSingle, owner } of families) {
    const [found, ...parts] = pattern.exec(`${pk} ${sk}`) ?? [];
    if (found === undefined) continue;
    const count = isSingle ? 1 : maxShards;
    return {
      name: name(...parts),
      shards: Array.from({ length: count }, (_, shard) => key(shard, ...parts)),
      owner: owner?.(Number(parts[0])),
    };
  }
  return undefined;
};
