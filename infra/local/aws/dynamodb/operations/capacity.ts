import type { IndexUnits } from '../storage/index-entries.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const READ_UNIT_BYTES = 4096;

export const toReadUnits = (bytes: number, isConsistent: boolean | undefined): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (isConsistent ? 1 : 0.5);

/** The units that a request consumes of a table and of its indexes. */
export interface Units {
  readonly table: string;
  readonly units: number;
  readonly indexes: readonly IndexUnits[];
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/**
 * Returns `ConsumedCapacity` of one table if wanted. Transactions and batches also name the kind of the units.
 */
const describe = (
  parts: readonly Units[],
  wanted: string,
  kind: 'Read' | 'Write' | undefined,
): object => {
  const toUnits = (units: number) => ({
    CapacityUnits: units,
    ...(kind && { [`${kind}CapacityUnits`]: units }),
  });
  const table = sum(parts.map(({ units }) => units));
  const indexes = parts.flatMap((part) => part.indexes);
  const total = table + sum(indexes.map(({ units }) => units));
  const byIndex = new Map<string, number>();
  for (const index of indexes) {
    byIndex.set(index.name, (byIndex.get(index.name) ?? 0) + index.units);
  }
  return {
    TableName: parts[0]?.table,
    ...toUnits(total),
    ...(wanted === 'INDEXES' && {
      Table: toUnits(table),
      ...(byIndex.size > 0 && {
        GlobalSecondaryIndexes: Object.fromEntries(
          [...byIndex].map(([name, units]) => [name, toUnits(units)]),
        ),
      }),
    }),
  };
};

const isWanted = (wanted: string | undefined): wanted is string =>
  wanted === 'TOTAL' || wanted === 'INDEXES';

/** Returns the field `ConsumedCapacity` of a request to one table, if wanted. */
export const consumedCapacity = (wanted: string | undefined, units: Units): object =>
  isWanted(wanted) ? { ConsumedCapacity: describe([units], wanted, undefined) } : {};

/** Returns the field `ConsumedCapacity` of a request to several tables, if wanted: a list by table. */
export const consumedCapacities = (
  wanted: string | undefined,
  units: readonly Units[],
  kind?: 'Read' | 'Write',
): object => {
  if (!isWanted(wanted)) return {};
  const byTable = Map.groupBy(units, ({ table }) => table);
  return {
    ConsumedCapacity: [...byTable.values()].map((parts) => describe(parts, wanted, kind)),
  };
};
