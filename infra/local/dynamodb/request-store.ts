import type {
  Action,
  AttributeValue,
  Callback,
  Item,
  Range,
  RequestData,
  Snapshot,
  Table,
  Write,
} from './dynalite.ts';
import { EntryStream } from './entry-stream.ts';
import { MAX_ITEM_BYTES, measureItem } from './item-size.ts';
import type { Release } from './key-locks.ts';
import { tableNotFound, validationError } from './service-error.ts';
import { prefixes, type Store, within } from './store.ts';

/** The settings that dynalite's actions and rules read; tables change state immediately. */
export const settings = {
  options: {
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    maxItemSize: MAX_ITEM_BYTES,
  },
  tableDb: { awsAccountId: '000000000000', awsRegion: 'us-east-1' },
};

interface RequestOptions {
  /** Reads use this snapshot instead of the current state. */
  snapshot?: Snapshot;
  /** Collects writes in `writes` instead of storing them; the caller holds the locks. */
  collect?: boolean;
}

const isChanging = (table: Table): boolean =>
  [
    table.TableStatus,
    ...(table.GlobalSecondaryIndexes ?? []).map((index) => index.IndexStatus),
  ].some((status) => status !== 'ACTIVE');

const isEmpty = (value: AttributeValue | undefined): boolean =>
  value?.['S'] === '' || value?.['B'] === '';

const emptyIndexKey = (index: string, key: string) =>
  validationError(
    'One or more parameter values are not valid. A value specified for a secondary index key is ' +
      'not supported. The AttributeValue for a key attribute cannot contain an empty string value. ' +
      `IndexName: ${index}, IndexKey: ${key}`,
  );

/**
 * Presents the store to one dynalite action. Unlike dynalite's own store, it writes an item and its index entries
 * all or nothing, closes an iterator when a query has enough entries, and rejects the request, instead of ending the
 * process, if the action throws later.
 */
export class RequestStore {
  readonly options = settings.options;
  readonly tableDb;
  /** The item that the action last read under the lock. */
  item: Item | undefined;
  /** Pending writes. */
  writes: Write[] = [];
  /** Settles after a changed table is stored. */
  readonly tableStored: Promise<void>;
  readonly #store: Store;
  readonly #snapshot: Snapshot | undefined;
  readonly #collect: boolean;
  readonly #held = new Set<Release>();
  #fail: (error: unknown) => void = () => {};

  constructor(store: Store, { snapshot, collect = false }: RequestOptions = {}) {
    this.#store = store;
    this.#snapshot = snapshot;
    this.#collect = collect;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.tableStored = promise;
    this.tableDb = this.#tableDb(resolve);
  }

  /** Returns the action's result; rejects with the errors that it reports or throws. */
  async run(action: Action, data: RequestData): Promise<object> {
    try {
      return await new Promise<object>((resolve, reject) => {
        this.#fail = reject;
        action(this, data, (error, result) => (error ? reject(error) : resolve(result ?? {})));
      });
    } finally {
      // Locks remain only after an action that threw.
      for (const release of this.#held) release();
    }
  }

  getTable(name: string, ...rest: [callback: Callback<Table>] | [check: boolean, Callback<Table>]) {
    const table = this.#store.table(name);
    const callback = rest.length === 1 ? rest[0] : rest[1];
    if (!table) callback(tableNotFound(name));
    // Actions that use this call change its result.
    else callback(null, rest.length === 1 ? table : structuredClone(table));
  }

  getItemDb(table: string) {
    const prefix = prefixes.items(table);
    return {
      lock: (key: string, run: (release: (callback: Callback) => Callback) => void) =>
        this.#lock(prefix + key, run),
      get: (key: string, callback: Callback<Item>) => {
        this.item = this.#store.get(prefix + key, this.#snapshot) as Item | undefined;
        // Discards writes that an earlier action of this request staged but did not store.
        this.writes = [];
        callback(null, this.item);
      },
      put: (key: string, value: Item, callback: Callback) => {
        // dynalite counts characters where AWS counts bytes.
        if (measureItem(value) > MAX_ITEM_BYTES) {
          callback(validationError('Item size has exceeded the maximum allowed size'));
        } else {
          this.#commit({ type: 'put', key: prefix + key, value }, callback);
        }
      },
      del: (key: string, callback: Callback) =>
        this.#commit({ type: 'del', key: prefix + key }, callback),
      createValueStream: (range: Range) => this.#values(prefix, range),
    };
  }

  getIndexDb(type: string, table: string, index: string) {
    const prefix = prefixes.index(type, table, index);
    // Waits for the item's own write, which follows in the same turn.
    const stage = (write: Write, callback: Callback) => {
      this.writes.push(write);
      callback(null);
    };
    return {
      put: (key: string, value: Item, callback: Callback) => {
        const keySchema = this.#store
          .table(table)
          ?.GlobalSecondaryIndexes?.find((each) => each.IndexName === index)?.KeySchema;
        const empty = keySchema?.find(({ AttributeName }) => isEmpty(value[AttributeName]));
        if (empty) callback(emptyIndexKey(index, empty.AttributeName));
        else stage({ type: 'put', key: prefix + key, value }, callback);
      },
      del: (key: string, callback: Callback) => stage({ type: 'del', key: prefix + key }, callback),
      createValueStream: (range: Range) => this.#values(prefix, range),
    };
  }

  getTagDb(table: string) {
    const prefix = prefixes.tags(table);
    return {
      batch: (writes: Write[], callback: Callback) =>
        this.#reply(
          this.#store.write(writes.map((write) => ({ ...write, key: prefix + write.key }))),
          callback,
        ),
      createKeyStream: () => this.#keys(prefix),
      createValueStream: () => this.#values(prefix),
    };
  }

  /** Wraps the tables; callers hold the table's lock. */
  #tableDb(stored: (result: Promise<void>) => void) {
    let written = false;
    return {
      ...settings.tableDb,
      lock: (_key: string, run: (release: (callback: Callback) => Callback) => void) =>
        run((callback) => callback),
      get: (name: string, callback: Callback<Table>) =>
        callback(null, structuredClone(this.#store.table(name))),
      put: (_name: string, table: Table, callback: Callback) => {
        // An action writes a table twice, first as changing and then as active. A crash must not leave the first state.
        if (written || isChanging(table)) return callback(null);
        written = true;
        const result = this.#store.putTable(table);
        stored(result);
        // If the action fails with the same error, no one awaits this promise.
        this.tableStored.catch(() => {});
        this.#reply(result, callback);
      },
      createKeyStream: () => this.#keys(prefixes.table),
    };
  }

  #lock(key: string, run: (release: (callback: Callback) => Callback) => void): void {
    if (this.#collect) {
      run((callback) => callback);
      return;
    }
    const locked = this.#store.locks.acquire([key]).then((release) => {
      this.#held.add(release);
      run((callback) => (error, result) => {
        this.#held.delete(release);
        release();
        callback(error, result);
      });
    });
    locked.catch(this.#fail);
  }

  /** Stores the item's write with those of its indexes. */
  #commit(write: Write, callback: Callback): void {
    this.writes.push(write);
    if (this.#collect) {
      callback(null);
      return;
    }
    const writes = this.writes;
    this.writes = [];
    this.#reply(this.#store.write(writes), callback);
  }

  #reply(work: Promise<void>, callback: Callback): void {
    work.then(() => callback(null), callback).catch(this.#fail);
  }

  #values(prefix: string, range?: Range): EntryStream {
    return new EntryStream(this.#store.level.values(within(prefix, range)), this.#fail);
  }

  #keys(prefix: string): EntryStream {
    const keys = this.#store.level.keys(within(prefix));
    return new EntryStream(
      {
        nextv: async (size) => (await keys.nextv(size)).map((key) => key.slice(prefix.length)),
        close: () => keys.close(),
      },
      this.#fail,
    );
  }
}
