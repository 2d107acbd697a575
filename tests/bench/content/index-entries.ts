import { randomBytes, randomUUID } from 'node:crypto';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { deleteObject, getObject, putObject } from '../../../shared/storage/bucket.ts';
import {
  cancelDeletionWrite,
  runScheduledDeletions,
  scheduleDeletion,
  scheduleDeletionWrite,
} from '../../../shared/storage/scheduled-deletions.ts';
import type { Consumption, meterAws } from '../../support/table/meter.ts';
import { prices } from './prices.ts';

/** What one text costs in one place, in US dollars. */
export interface Cost {
  readonly write: number;
  readonly read: number;
  readonly end: number;
}

type Meter = ReturnType<typeof meterAws>;

const dollars = ({ readUnits, writeUnits }: Consumption): number =>
  readUnits * prices.readUnit + writeUnits * prices.writeUnit;

const measureAll = async (
  meter: Meter,
  steps: { readonly [Step in keyof Cost]: () => Promise<unknown> },
): Promise<Cost> => {
  const costs = { write: 0, read: 0, end: 0 };
  for (const step of ['write', 'read', 'end'] as const) {
    costs[step] = dollars(await meter.measure(steps[step]));
  }
  return costs;
};

/** The writes and reads of a compressed text that lies in the item beside its record, as `shared/storage/stored-text.ts` does them. */
export const inTable = (meter: Meter, bytes: number): Promise<Cost> => {
  const owner = keys.shareContent(randomUUID());
  const Item = { ...owner, id: randomUUID(), source: randomBytes(bytes) };
  return measureAll(meter, {
    write: () => transact({ texts: { Put: { TableName: tableName(), Item } } }),
    read: () => batchGet([owner]),
    end: () => transact({ texts: deleteItemWrite(owner) }),
  });
};

/** The same of one that lies in the bucket: the item beside the record is looked for, and isn't there. */
export const inBucket = async (meter: Meter, bytes: number): Promise<Cost> => {
  const owner = keys.shareContent(randomUUID());
  const key = `texts/bench/${randomUUID()}/source`;
  const units = await measureAll(meter, {
    write: async () => {
      const deletion = await scheduleDeletion(key);
      await putObject(key, randomBytes(bytes));
      await transact({ texts: cancelDeletionWrite(deletion) });
    },
    read: () => Promise.all([batchGet([owner]), getObject(key)]),
    end: () => transact({ texts: scheduleDeletionWrite(key) }),
  });
  // The sweep's own search for what is due is the same however much there is.
  const sweep = await meter.measure(runScheduledDeletions);
  await deleteObject(key);
  return {
    write: units.write + prices.putObject,
    read: units.read + prices.getObject,
    end: units.end + sweep.writeUnits * prices.writeUnit,
  };
};
