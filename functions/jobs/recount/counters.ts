import { userKeys } from '../../../shared/auth/keys.ts';
import { counterKeys } from '../../../shared/counters/keys.ts';
import type { Key } from '../../../shared/db/key.ts';
import { documentKeys } from '../../api/documents/keys.ts';
import { fileKeys } from '../../api/files/record/keys.ts';
import { messageKeys } from '../../api/messages/keys.ts';
import { saleKeys } from '../../api/sales/keys.ts';
import { shareKeys } from '../../api/share/record/keys.ts';
import { accountKeys } from '../../api/users/record/keys.ts';

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
    key: (shard, counted = '') => counterKeys.total.at({ counted, shard }),
  },
  {
    pattern: /^STATS#USERS#(\d{4}-\d\d)#\d+ NEW$/,
    name: (month) => `users of ${month}`,
    key: (shard, month = '') => accountKeys.joined.at({ month, shard }),
  },
  {
    pattern: /^SUPER_ADMINS COUNT$/,
    name: () => 'active super_admins',
    key: () => accountKeys.superAdmins.at(),
    isSingle: true,
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ ALL$/,
    name: (currency) => `sales in ${currency}`,
    key: (shard, currency = '') => saleKeys.totals.at({ currency, shard }),
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ MONTH#(\d{4}-\d\d)$/,
    name: (currency, month) => `sales in ${currency} of ${month}`,
    key: (shard, currency = '', month = '') =>
      saleKeys.monthlyTotals.at({ currency, month, shard }),
  },
  {
    pattern: /^STATS#SALES#([A-Z]{3})#\d+ CATEGORY#(.*)$/s,
    name: (currency, category) => `sales in ${currency} of the category ${category || '(none)'}`,
    key: (shard, currency = '', category = '') =>
      saleKeys.categoryTotals.at({ currency, category, shard }),
  },
  {
    pattern: /^USER#(\d+) SHARES$/,
    name: (id) => `shares of user ${id}`,
    key: (_, id) => shareKeys.ownCount.at({ ownerId: Number(id) }),
    isSingle: true,
    owner: (id) => userKeys.record.at({ id }),
  },
  {
    pattern: /^USER#(\d+) DOCUMENTS#\d+$/,
    name: (id) => `documents of user ${id}`,
    key: (shard, id) => documentKeys.counts.at({ userId: Number(id), shard }),
    owner: (id) => userKeys.record.at({ id }),
  },
  {
    pattern: /^USER#(\d+) FILES#\d+$/,
    name: (id) => `files visible to user ${id}`,
    key: (shard, id) => fileKeys.counts.at({ userId: Number(id), shard }),
    owner: (id) => userKeys.record.at({ id }),
  },
  {
    pattern: /^USER#(\d+) FILES#USAGE$/,
    name: (id) => `storage of user ${id}`,
    key: (_, id) => fileKeys.usage.at({ userId: Number(id) }),
    isSingle: true,
    owner: (id) => userKeys.record.at({ id }),
  },
  {
    pattern: /^FILE#(\d+) CHILDREN$/,
    name: (id) => `contents of folder ${id}`,
    key: (_, id) => fileKeys.children.at({ id: Number(id) }),
    isSingle: true,
    owner: (id) => fileKeys.record.at({ id }),
  },
  {
    pattern: /^USER#(\d+) MAILBOX$/,
    name: (id) => `messages of user ${id}`,
    key: (_, id) => messageKeys.mailbox.at({ userId: Number(id) }),
    isSingle: true,
    owner: (id) => userKeys.record.at({ id }),
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
