import { randomUUID } from 'node:crypto';
import { assertFields } from '../requests/rules.ts';
import { tableFields } from '../requests/table-fields.ts';
import { assertTableSchema } from '../requests/table-schema.ts';
import { dynamoDbError, tableNotFound, validationError } from '../service-error.ts';
import type { TableSchema } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { Table } from '../storage/table.ts';

const MAX_LISTED = 100;
const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/';

/** The stored description of a table. Descriptions in responses also have what is computed. */
interface Description extends TableSchema {
  readonly BillingMode: 'PAY_PER_REQUEST';
  readonly TableId: string;
  readonly CreationDateTime: number;
}

const throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 };

const describe = (table: Table, TableStatus = 'ACTIVE'): object => {
  const { BillingMode, GlobalSecondaryIndexes, ...rest } = table.record.description as Description;
  const TableArn = ARN + table.name;
  const { items, bytes } = table.measure();
  return {
    ...rest,
    TableArn,
    TableStatus,
    ItemCount: items,
    TableSizeBytes: bytes,
    ProvisionedThroughput: throughput,
    BillingModeSummary: { BillingMode, LastUpdateToPayPerRequestDateTime: rest.CreationDateTime },
    TableThroughputModeSummary: { TableThroughputMode: BillingMode },
    ...(GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
        ...index,
        IndexArn: `${TableArn}/index/${index.IndexName}`,
        IndexSizeBytes: 0,
        ItemCount: 0,
        IndexStatus: 'ACTIVE',
        ProvisionedThroughput: throughput,
      })),
    }),
  };
};

const assertNamed = (body: object): void => {
  if ((body as { TableName?: unknown }).TableName !== undefined) return;
  throw validationError("The parameter 'TableName' is required but was not present in the request");
};

export const createTable = (store: Store, given: object): Promise<object> => {
  assertNamed(given);
  assertFields(tableFields.CreateTable, given);
  const schema = given as TableSchema & Pick<Description, 'BillingMode'>;
  assertTableSchema(schema);
  return store.database.write(() => {
    if (store.find(schema.TableName)) {
      throw dynamoDbError('ResourceInUseException', `Table already exists: ${schema.TableName}`);
    }
    const created = { TableId: randomUUID(), CreationDateTime: Math.floor(Date.now() / 1000) };
    const description: Description = { ...schema, ...created };
    const table = store.put({ description, ttl: undefined });
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
