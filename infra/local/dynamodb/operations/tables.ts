import { randomUUID } from 'node:crypto';
import { assertFields } from '../requests/rules.ts';
import { tableFields } from '../requests/table-fields.ts';
import { assertTableSchema } from '../requests/table-schema.ts';
import {
  dynamoDbError,
  invalidParameter,
  tableNotFound,
  validationError,
} from '../service-error.ts';
import type { IndexDescription, TableSchema, Throughput } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { Table } from '../storage/table.ts';

const ROWS_PER_READ = 100;
const MAX_LISTED = 100;
const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/';

interface Billing {
  readonly BillingMode?: string;
  readonly ProvisionedThroughput?: Throughput;
}

/** The stored description of a table. Descriptions in responses also have what is computed. */
interface Description extends TableSchema, Billing {
  readonly TableId: string;
  readonly CreationDateTime: number;
  readonly [field: string]: unknown;
}

const noThroughput: Throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 };

const describeThroughput = (throughput: Throughput | undefined) => ({
  ...(throughput ?? noThroughput),
  NumberOfDecreasesToday: 0,
});

const describe = (table: Table, TableStatus = 'ACTIVE'): object => {
  const { BillingMode, GlobalSecondaryIndexes, LocalSecondaryIndexes, ...rest } = table.record
    .description as Description;
  const TableArn = ARN + table.name;
  const { items, bytes } = table.measure();
  const describeIndex = (index: IndexDescription) => ({
    ...index,
    IndexArn: `${TableArn}/index/${index.IndexName}`,
    IndexSizeBytes: 0,
    ItemCount: 0,
  });
  return {
    ...rest,
    TableArn,
    TableStatus,
    ItemCount: items,
    TableSizeBytes: bytes,
    ProvisionedThroughput: describeThroughput(rest.ProvisionedThroughput),
    ...(BillingMode === 'PAY_PER_REQUEST' && {
      BillingModeSummary: { BillingMode, LastUpdateToPayPerRequestDateTime: rest.CreationDateTime },
      TableThroughputModeSummary: { TableThroughputMode: BillingMode },
    }),
    ...(LocalSecondaryIndexes && {
      LocalSecondaryIndexes: LocalSecondaryIndexes.map(describeIndex),
    }),
    ...(GlobalSecondaryIndexes?.length && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
        ...describeIndex(index),
        IndexStatus: 'ACTIVE',
        ProvisionedThroughput: describeThroughput(index.ProvisionedThroughput),
      })),
    }),
  };
};

const assertBilling = ({ BillingMode = 'PROVISIONED', ProvisionedThroughput }: Billing): void => {
  if (BillingMode === 'PROVISIONED' && !ProvisionedThroughput) {
    throw invalidParameter(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    );
  }
  if (BillingMode === 'PAY_PER_REQUEST' && ProvisionedThroughput) {
    throw invalidParameter(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
};

/** Assigns each index the number in the name of its table in SQLite. Numbers of deleted indexes are not used again. */
const toIndexIds = (
  { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] }: TableSchema,
  former: Readonly<Record<string, number>> = {},
): Record<string, number> => {
  let next = Math.max(0, ...Object.values(former));
  return Object.fromEntries(
    [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName }) => [
      IndexName,
      former[IndexName] ?? ++next,
    ]),
  );
};

const assertNamed = (body: object): void => {
  if ((body as { TableName?: unknown }).TableName !== undefined) return;
  throw validationError("The parameter 'TableName' is required but was not present in the request");
};

export const createTable = (store: Store, given: object): Promise<object> => {
  assertNamed(given);
  assertFields(tableFields.CreateTable, given);
  const {
    Tags: _,
    StreamSpecification: __,
    ...schema
  } = given as TableSchema &
    Billing & {
      readonly Tags?: unknown;
      readonly StreamSpecification?: unknown;
    };
  assertBilling(schema);
  assertTableSchema(schema);
  return store.database.write(() => {
    if (store.find(schema.TableName)) {
      throw dynamoDbError('ResourceInUseException', `Table already exists: ${schema.TableName}`);
    }
    const created = { TableId: randomUUID(), CreationDateTime: Math.floor(Date.now() / 1000) };
    const description: Description = { ...schema, ...created };
    const table = store.put({ description, ttl: undefined, indexIds: toIndexIds(schema) });
    table.create();
    return { TableDescription: describe(table, 'CREATING') };
  });
};

/** Returns a table. Throws the error of operations on tables. */
export const findTable = (store: Store, name: string): Table => {
  const table = store.find(name);
  if (table) return table;
  throw tableNotFound(name);
};

const readName = (given: object): string => {
  assertFields(tableFields.NamedTable, given);
  return (given as { readonly TableName: string }).TableName;
};

export const describeTable = (store: Store, given: object): Promise<object> => {
  const name = readName(given);
  return store.database.read(() => ({ Table: describe(findTable(store, name)) }));
};

export const deleteTable = (store: Store, given: object): Promise<object> => {
  const name = readName(given);
  return store.database.write(() => {
    const table = findTable(store, name);
    const description = describe(table, 'DELETING');
    store.delete(table);
    return { TableDescription: description };
  });
};

export const listTables = (store: Store, given: object): Promise<object> => {
  assertFields(tableFields.ListTables, given);
  const { Limit = MAX_LISTED, ExclusiveStartTableName: start = '' } = given as {
    readonly Limit?: number;
    readonly ExclusiveStartTableName?: string;
  };
  return store.database.read(() => {
    const names = store.list().filter((name) => name > start);
    const TableNames = names.slice(0, Math.min(Limit, MAX_LISTED));
    const isMore = TableNames.length < names.length;
    return { TableNames, ...(isMore && { LastEvaluatedTableName: TableNames.at(-1) }) };
  });
};

interface IndexUpdate {
  readonly Create?: IndexDescription;
  readonly Update?: { readonly IndexName: string; readonly ProvisionedThroughput: Throughput };
  readonly Delete?: { readonly IndexName: string };
}

interface TableUpdate extends Billing {
  readonly TableName: string;
  readonly AttributeDefinitions?: TableSchema['AttributeDefinitions'];
  readonly GlobalSecondaryIndexUpdates?: readonly IndexUpdate[];
}

const updateIndexes = (
  indexes: readonly IndexDescription[],
  { Create, Update, Delete }: IndexUpdate,
): readonly IndexDescription[] => {
  if (Create) {
    if (!indexes.some(({ IndexName }) => IndexName === Create.IndexName))
      return [...indexes, Create];
    throw invalidParameter(`Duplicate index name: ${Create.IndexName}`);
  }
  const name = Update?.IndexName ?? Delete?.IndexName;
  if (!indexes.some(({ IndexName }) => IndexName === name)) {
    throw dynamoDbError('ResourceNotFoundException', 'Requested resource not found');
  }
  if (Delete) return indexes.filter(({ IndexName }) => IndexName !== name);
  return indexes.map((index) => (index.IndexName === name ? { ...index, ...Update } : index));
};

const assertChanges = (former: Description, { BillingMode, ...update }: TableUpdate): void => {
  const { ProvisionedThroughput: next, GlobalSecondaryIndexUpdates } = update;
  if (!next && !BillingMode && !GlobalSecondaryIndexUpdates?.length) {
    throw validationError(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
    );
  }
  const { ProvisionedThroughput: present = noThroughput } = former;
  const isSame =
    next?.ReadCapacityUnits === present.ReadCapacityUnits &&
    next.WriteCapacityUnits === present.WriteCapacityUnits;
  const { BillingMode: presentMode = 'PROVISIONED' } = former;
  if (!isSame || (BillingMode ?? presentMode) !== presentMode) return;
  throw validationError(
    `The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: ${present.ReadCapacityUnits}. Requested ReadCapacityUnits: ${next.ReadCapacityUnits}. Current WriteCapacityUnits provisioned for the table: ${present.WriteCapacityUnits}. Requested WriteCapacityUnits: ${next.WriteCapacityUnits}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
  );
};

const applyTableUpdate = (former: Description, update: TableUpdate): Description => {
  const { BillingMode = former.BillingMode, ProvisionedThroughput: throughput } = update;
  if (BillingMode !== 'PAY_PER_REQUEST' || throughput) {
    const ofTable = throughput ?? former.ProvisionedThroughput;
    assertBilling({
      ...(BillingMode && { BillingMode }),
      ...(ofTable && { ProvisionedThroughput: ofTable }),
    });
  }
  const { GlobalSecondaryIndexes: formerIndexes = [], ...rest } = former;
  const indexes = (update.GlobalSecondaryIndexUpdates ?? []).reduce(updateIndexes, formerIndexes);
  const schemas = [former, ...indexes, ...(former.LocalSecondaryIndexes ?? [])];
  const used = schemas.flatMap((one) => one.KeySchema.map(({ AttributeName }) => AttributeName));
  const definitions = [...(update.AttributeDefinitions ?? []), ...former.AttributeDefinitions];
  const byName = new Map(definitions.map((one) => [one.AttributeName, one]));
  const { ProvisionedThroughput: _, ...unbilled } = rest;
  const next: Description = {
    ...(BillingMode === 'PAY_PER_REQUEST' ? unbilled : rest),
    ...(BillingMode && { BillingMode }),
    ...(throughput && { ProvisionedThroughput: throughput }),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    AttributeDefinitions: [...byName.values()].filter((one) => used.includes(one.AttributeName)),
  };
  assertTableSchema(next);
  return next;
};

/** Writes the entries of all items into new indexes. */
const fillIndexes = (table: Table, added: ReadonlySet<string>): void => {
  for (let last = 0; ; ) {
    const some = table.listAfter(last, ROWS_PER_READ);
    for (const stored of some) table.writeEntries(stored, added);
    const id = some.at(-1)?.id;
    if (id === undefined) return;
    last = id;
  }
};

export const updateTable = (store: Store, given: object): Promise<object> => {
  assertFields(tableFields.UpdateTable, given);
  const update = given as TableUpdate;
  return store.database.write(() => {
    const former = findTable(store, update.TableName);
    const { id, ttl, indexIds } = former.record;
    assertChanges(former.record.description as Description, update);
    const description = applyTableUpdate(former.record.description as Description, update);
    store.database.forgetStatements();
    const table = store.put({ id, description, ttl, indexIds: toIndexIds(description, indexIds) });
    const names = new Set(table.indexes.map(({ name }) => name));
    for (const index of former.indexes) if (!names.has(index.name)) index.drop();
    for (const { name } of former.indexes) names.delete(name);
    for (const index of table.indexes) if (names.has(index.name)) index.create();
    fillIndexes(table, names);
    return { TableDescription: describe(table) };
  });
};
