import { assertFields } from '../requests/rules.ts';
import { tableFields } from '../requests/table-fields.ts';
import { validationError } from '../service-error.ts';
import type { Store } from '../storage/store.ts';
import { findTable } from './tables.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html */
const FIVE_YEARS_S = 5 * 365 * 24 * 60 * 60;
const ITEMS_PER_WRITE = 100;
const SWEEP_MS = 5_000;

interface Specification {
  readonly AttributeName: string;
  readonly Enabled: boolean;
}

export const describeTimeToLive = (store: Store, given: object): Promise<object> => {
  assertFields(tableFields.NamedTable, given);
  return store.database.read(() => {
    const { ttl } = findTable(store, (given as { TableName: string }).TableName).record;
    return {
      TimeToLiveDescription:
        ttl === undefined
          ? { TimeToLiveStatus: 'DISABLED' }
          : { TimeToLiveStatus: 'ENABLED', AttributeName: ttl },
    };
  });
};

/** Performs UpdateTimeToLive, which takes effect immediately. */
export const updateTimeToLive = (store: Store, given: object): Promise<object> => {
  assertFields(tableFields.UpdateTimeToLive, given);
  const { TableName, TimeToLiveSpecification } = given as {
    readonly TableName: string;
    readonly TimeToLiveSpecification: Specification;
  };
  const { AttributeName, Enabled } = TimeToLiveSpecification;
  return store.database.write(() => {
    const { record } = findTable(store, TableName);
    if (Enabled === (record.ttl !== undefined)) {
      throw validationError(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
    }
    if (record.ttl !== undefined && record.ttl !== AttributeName) {
      throw validationError(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${record.ttl}`,
      );
    }
    const table = store.put({ ...record, ttl: Enabled ? AttributeName : undefined });
    for (let last = 0; ; ) {
      const some = table.listAfter(last, ITEMS_PER_WRITE);
      for (const stored of some) table.updateExpiry(stored);
      const id = some.at(-1)?.id;
      if (id === undefined) return { TimeToLiveSpecification };
      last = id;
    }
  });
};

/** Deletes every expired item. AWS keeps items that expired more than five years ago. */
const sweepExpiredItems = async (store: Store, signal: AbortSignal): Promise<void> => {
  for (const name of store.list()) {
    for (let isDone = false; !isDone && !signal.aborted; ) {
      const now = Math.floor(Date.now() / 1000);
      isDone = await store.database.write(() => {
        const table = store.find(name);
        const expired = table?.listExpired(now - FIVE_YEARS_S, now, ITEMS_PER_WRITE) ?? [];
        for (const stored of expired) table?.write(stored, undefined, 0);
        return expired.length < ITEMS_PER_WRITE;
      });
    }
  }
};

export interface Sweeper {
  /** Deletes items that have expired. */
  sweep(): Promise<void>;
  /** Stops after the current sweep. */
  stop(): Promise<void>;
}

/** Sweeps every five seconds. Doesn’t keep the process running. */
export const startSweeper = (store: Store): Sweeper => {
  const stopping = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const sweep = (): Promise<void> => {
    const next = last.then(() => sweepExpiredItems(store, stopping.signal));
    last = next.catch(() => {});
    return next;
  };
  // The next sweep tries again.
  const timer = setInterval(() => void sweep().catch(() => {}), SWEEP_MS).unref();
  return {
    sweep,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await last;
    },
  };
};
