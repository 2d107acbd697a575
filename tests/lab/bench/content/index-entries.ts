import { randomBytes, randomUUID } from 'node:crypto';
import { shareKeys } from '../../../../functions/api/share/record/keys.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { deleteItemWrite, transact } from '../../../../shared/db/transaction.ts';
import { deleteObject, getObject, putObject } from '../../../../shared/storage/bucket.ts';
import {
  cancelDeletionWrite,
  scheduleDeletion,
  scheduleDeletionWrite,
  scheduledDeletions,
} from '../../../../shared/storage/scheduled-deletions.ts';
import { sweep } from '../../../support/service/sweeps.ts';
import type { Consumption, meterAws } from '../../../support/table/meter.ts';
import { prices } from './prices.ts';

/** The cost of one text in one place, in US dollars. */
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

/** Measures a compressed text in the table: its item beside the record, as in `shared/storage/stored-text.ts`. */
export const inTable = (meter: Meter, bytes: number): Promise<Cost> => {
  const owner = shareKeys.content.at({ id: randomUUID() });
  const Item = { ...owner, id: randomUUID(), source: randomBytes(bytes) };
  return measureAll(meter, {
    write: () => transact([{ Put: { TableName: tableName(), Item } }]),
    read: () => batchGet([owner]),
    end: () => transact([deleteItemWrite(owner)]),
  });
};

/** Measures a compressed text in the bucket, including the read of the missing item beside the record. */
export const inBucket = async (meter: Meter, bytes: number): Promise<Cost> => {
  const owner = shareKeys.content.at({ id: randomUUID() });
  const key = `texts/bench/${randomUUID()}/source`;
  const units = await measureAll(meter, {
    write: async () => {
      const deletion = await scheduleDeletion(key);
      await putObject(key, randomBytes(bytes));
      await transact([cancelDeletionWrite(deletion)]);
    },
    read: () => Promise.all([batchGet([owner]), getObject(key)]),
    end: () => transact([scheduleDeletionWrite(key)]),
  });
  // The query for due deletions costs the same for any number of texts.
  const swept = await meter.measure(() => sweep(scheduledDeletions));
  await deleteObject(key);
  return {
    write: units.write + prices.putObject,
    read: units.read + prices.getObject,
    end: units.end + swept.writeUnits * prices.writeUnit,
  };
};
