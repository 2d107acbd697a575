import {
  type FieldTypes,
  getRules,
  type Item,
  keys,
  type RequestData,
  type Table,
} from './dynalite.ts';
import { measureItem } from './item-size.ts';
import { dynamoDbError, validationError } from './service-error.ts';
import { check } from './single-item-request.ts';
import { prefixes, type Store } from './store.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html */
const MAX_ITEMS = 100;
const MAX_BYTES = 4 * 1024 * 1024;

/** Makes a field of the request required. */
export const requireField = (type: unknown): object => ({ ...(type as object), notNull: true });

/** Returns the rules of a structured field. */
export const requireStructure = (name: string, fields: FieldTypes): object => ({
  type: `FieldStruct<${name}>`,
  children: fields,
});

/** Returns the fields of an operation that a transaction supports too. */
export const getFields = (operation: string, names: string[]): FieldTypes => {
  const { types } = getRules(operation);
  return Object.fromEntries(names.map((name) => [name, types[name]]));
};

/** Returns the members of `TransactItems`, checked against the types of a member. */
export const assertTransactItems = (
  body: object,
  member: FieldTypes,
  others: FieldTypes,
): { data: RequestData; members: Record<string, RequestData | undefined>[] } => {
  const items = (body as { TransactItems?: unknown }).TransactItems;
  if (Array.isArray(items) && items.length > MAX_ITEMS) {
    throw validationError(
      "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: " +
        `Member must have length less than or equal to ${MAX_ITEMS}`,
    );
  }
  const types = {
    ...others,
    TransactItems: {
      type: 'List',
      notNull: true,
      lengthGreaterThanOrEqual: 1,
      children: { type: 'ValueStruct<TransactItem>', notNull: true, children: member },
    },
  };
  const data = check({ types }, body);
  return { data, members: data['TransactItems'] as Record<string, RequestData>[] };
};

/** Returns the table of an operation. */
export const getTable = (store: Store, data: RequestData): Table => {
  const table = store.table(String(data['TableName']));
  if (!table) throw dynamoDbError('ResourceNotFoundException', 'Requested resource not found');
  return table;
};

/** Returns the store's key for an item, or undefined if the key does not fit the table. */
export const recordKey = (table: Table, data: RequestData): string | undefined => {
  const item = (data['Item'] ?? data['Key']) as Item;
  const misfit = data['Item'] ? keys.validateItem(item, table) : keys.validateKey(item, table);
  return misfit ? undefined : prefixes.items(table.TableName) + keys.createKey(item, table);
};

/** Rejects two operations on one item. */
export const assertDistinct = (recordKeys: (string | undefined)[]): void => {
  const present = recordKeys.filter((key) => key !== undefined);
  if (new Set(present).size < present.length) {
    throw validationError('Transaction request cannot include multiple operations on one item');
  }
};

/** An item of a transaction and its size in bytes (0: none). */
export interface Touched {
  table: string;
  bytes: number;
}

/** Returns the size in bytes of the larger of an item's two states. */
export const largerBytes = (...states: (Item | undefined)[]): number =>
  Math.max(...states.map((state) => (state ? measureItem(state) : 0)));

/** Rejects items of more than 4 MB together. */
export const assertTotalSize = (touched: Touched[]): void => {
  const total = touched.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MAX_BYTES) {
    throw validationError('The aggregate size of the items in the transaction exceeds 4 MB');
  }
};

/**
 * Returns `ConsumedCapacity` by table: a transaction costs two units where a plain request costs one.
 * A write unit is 1 KB, a read unit 4 KB.
 */
export const computeConsumedCapacity = (
  data: RequestData,
  touched: Touched[],
  kind: 'Read' | 'Write',
): object => {
  const asked = data['ReturnConsumedCapacity'];
  if (asked !== 'TOTAL' && asked !== 'INDEXES') return {};
  const unitBytes = kind === 'Read' ? 4096 : 1024;
  const units = new Map<string, number>();
  for (const { table, bytes } of touched) {
    units.set(table, (units.get(table) ?? 0) + 2 * Math.max(1, Math.ceil(bytes / unitBytes)));
  }
  const capacities = [...units].map(([TableName, total]) => {
    const capacity = { CapacityUnits: total, [`${kind}CapacityUnits`]: total };
    return { TableName, ...capacity, ...(asked === 'INDEXES' && { Table: capacity }) };
  });
  return { ConsumedCapacity: capacities };
};
