import {
  DiskLevel,
  type Level,
  MemoryLevel,
  type Range,
  type Snapshot,
  type Table,
  type Write,
} from './dynalite.ts';
import { createKeyLocks, type KeyLocks } from './key-locks.ts';
import { createRequestTokens, type RequestTokens } from './request-tokens.ts';

/** The prefix of each kind of record in LevelDB; table names contain no `~`. */
export const prefixes = {
  table: 'table~',
  timeToLive: 'ttl~',
  items: (table: string) => `item-${table}~`,
  tags: (table: string) => `tag-${table}~`,
  index: (type: string, table: string, index: string) =>
    `index-${type.toLowerCase()}~${table}~${index}~`,
};

const getContent = (table: string): string[] => [
  prefixes.items(table),
  prefixes.tags(table),
  `index-local~${table}~`,
  `index-global~${table}~`,
];

/** Returns the range of a prefix, narrowed by a range without the prefix. */
export const within = (prefix: string, range: Range = {}): Range => {
  const { gt, gte, lt, lte, ...rest } = range;
  const lower = gte ? { gte: prefix + gte } : gt ? { gt: prefix + gt } : { gte: prefix };
  // Keys continue in ASCII, so this ends the range of the prefix.
  const upper = lte ? { lte: prefix + lte } : { lt: prefix + (lt ?? '\xff') };
  return { ...rest, ...lower, ...upper };
};

/** The records of all tables, and the locks on them. */
export interface Store {
  readonly level: Level;
  readonly locks: KeyLocks;
  readonly tokens: RequestTokens;
  get(key: string, snapshot?: Snapshot): unknown;
  /** Performs all of the writes or none, even if the process is killed. */
  write(writes: Write[]): Promise<void>;
  /** Returns the table's description, which callers must not change. */
  table(name: string): Table | undefined;
  putTable(table: Table): Promise<void>;
  deleteTable(name: string): Promise<void>;
  /** Deletes items, indexes and tags of the table's name. */
  clearTable(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the store in a folder, created if missing, or in memory. Rejects with LevelDB's error. */
export const openStore = async (path: string | undefined): Promise<Store> => {
  const encoding = { valueEncoding: 'json' } as const;
  const level = path === undefined ? new MemoryLevel(encoding) : new DiskLevel(path, encoding);
  await level.open();
  const tables = new Map<string, Table>();
  const tableKey = (name: string) => prefixes.table + name;

  return {
    level,
    locks: createKeyLocks(),
    tokens: createRequestTokens(),
    get: (key, snapshot) => level.getSync(key, snapshot && { snapshot }),
    write: (writes) => level.batch(writes),
    table(name) {
      const known = tables.get(name) ?? (level.getSync(tableKey(name)) as Table | undefined);
      if (known) tables.set(name, known);
      return known;
    },
    async putTable(table) {
      await level.batch([{ type: 'put', key: tableKey(table.TableName), value: table }]);
      tables.delete(table.TableName);
    },
    async deleteTable(name) {
      await level.batch([
        { type: 'del', key: tableKey(name) },
        { type: 'del', key: prefixes.timeToLive + name },
      ]);
      tables.delete(name);
    },
    async clearTable(name) {
      for (const prefix of getContent(name)) await level.clear(within(prefix));
    },
    close: () => level.close(),
  };
};
