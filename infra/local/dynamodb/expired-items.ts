import type { Item, Table } from './dynalite.ts';
import { hasType } from './service-error.ts';
import { parseSingleItemRequest } from './single-item-request.ts';
import { prefixes, type Store, within } from './store.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html */
const FIVE_YEARS_S = 5 * 365 * 24 * 60 * 60;
const SWEEP_MS = 5_000;
const ENTRIES_PER_READ = 100;

const deleteItem = parseSingleItemRequest('DeleteItem');

/**
 * Returns the range of expiry times to delete, in Unix seconds. AWS keeps items that expired more than five years ago.
 */
const expiredRange = () => {
  const now = Math.floor(Date.now() / 1000);
  return { earliest: now - FIVE_YEARS_S, now };
};

const isExpired = (value: Item[string] | undefined): boolean => {
  const { earliest, now } = expiredRange();
  const expiry = Number(value?.['N'] ?? Number.NaN);
  return expiry < now && expiry > earliest;
};

/** Deletes the item unless its expiry was moved to a later time since. */
const deleteExpired = async (store: Store, table: Table, attribute: string, item: Item) => {
  const { earliest, now } = expiredRange();
  try {
    await deleteItem(store, {
      TableName: table.TableName,
      Key: Object.fromEntries(
        table.KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]]),
      ),
      ConditionExpression: '#expiry < :now AND #expiry > :earliest',
      ExpressionAttributeNames: { '#expiry': attribute },
      ExpressionAttributeValues: { ':now': { N: `${now}` }, ':earliest': { N: `${earliest}` } },
    });
  } catch (error) {
    const tooLate = ['ConditionalCheckFailedException', 'ResourceNotFoundException'];
    if (!tooLate.some((type) => hasType(error, type))) throw error;
  }
};

const sweepTable = async (store: Store, table: Table, attribute: string): Promise<void> => {
  // Most items can be skipped without parsing.
  const mark = `${JSON.stringify(attribute)}:{"N":`;
  const items = store.level.values({
    ...within(prefixes.items(table.TableName)),
    valueEncoding: 'utf8',
  });
  try {
    for (;;) {
      const texts = (await items.nextv(ENTRIES_PER_READ)) as string[];
      if (texts.length === 0) return;
      for (const text of texts) {
        if (!text.includes(mark)) continue;
        const item = JSON.parse(text) as Item;
        if (isExpired(item[attribute])) await deleteExpired(store, table, attribute, item);
      }
    }
  } finally {
    await items.close();
  }
};

const tablesWithTimeToLive = async (store: Store): Promise<string[]> => {
  const keys = store.level.keys(within(prefixes.timeToLive));
  try {
    const found = [];
    for (;;) {
      const some = await keys.nextv(ENTRIES_PER_READ);
      if (some.length === 0) return found;
      found.push(...some.map((key) => key.slice(prefixes.timeToLive.length)));
    }
  } finally {
    await keys.close();
  }
};

/** Deletes every item whose time to live has passed. */
export const sweepExpiredItems = async (store: Store): Promise<void> => {
  for (const name of await tablesWithTimeToLive(store)) {
    const table = store.table(name);
    const attribute = store.get(prefixes.timeToLive + name) as string | undefined;
    if (table && attribute !== undefined) await sweepTable(store, table, attribute);
  }
};

export interface Sweeper {
  /** Deletes items that have expired. */
  sweep(): Promise<void>;
  /** Stops after the current sweep. */
  stop(): Promise<void>;
}

/** Sweeps every five seconds, or less often if sweeps take long. Doesn’t keep the process running. */
export const startSweeper = (store: Store): Sweeper => {
  let stopped = false;
  let last: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout;

  const sweep = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    const next = last.then(() => sweepExpiredItems(store));
    last = next.catch(() => {});
    return next;
  };
  const schedule = (delay: number): void => {
    timer = setTimeout(async () => {
      const start = performance.now();
      // The next sweep tries again.
      await sweep().catch(() => {});
      if (!stopped) schedule(Math.max(SWEEP_MS, 20 * (performance.now() - start)));
    }, delay).unref();
  };
  schedule(SWEEP_MS);

  return {
    sweep,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await last;
    },
  };
};
