import { requestError } from '../service-error.ts';
import type { Store } from '../storage/store.ts';
import { batchGetItem, batchWriteItem } from './batches.ts';
import { query } from './query.ts';
import { getItem } from './read-item.ts';
import { scan } from './scan.ts';

import { createTable, deleteTable, describeTable, listTables } from './tables.ts';
import { describeTimeToLive, updateTimeToLive } from './time-to-live.ts';
import { transactGetItems, transactWriteItems } from './transactions.ts';
import { deleteItem, putItem, updateItem } from './write-item.ts';

/** Performs one request; throws a ServiceError, or rejects with it, to refuse it. */
export type Operation = (store: Store, body: object) => Promise<object>;

/** Operations on items. Their requests and responses are JSON, except that binary values may be bytes. */
export const itemOperations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    DeleteItem: deleteItem,
    GetItem: getItem,
    PutItem: putItem,
    Query: query,
    Scan: scan,
    TransactGetItems: transactGetItems,
    TransactWriteItems: transactWriteItems,
    UpdateItem: updateItem,
  }),
);

const operations: ReadonlyMap<string, Operation> = new Map([
  ...itemOperations,
  ...Object.entries({
    CreateTable: createTable,
    DeleteTable: deleteTable,
    DescribeTable: describeTable,
    DescribeTimeToLive: describeTimeToLive,
    ListTables: listTables,
    UpdateTimeToLive: updateTimeToLive,
  }),
]);

const unsupported: readonly string[] = [
  'BatchExecuteStatement',
  'ExecuteStatement',
  'ExecuteTransaction',
  'ListTagsOfResource',
  'TagResource',
  'UntagResource',
  'UpdateTable',
];

/** Returns the operation that `target` names, e.g. `DynamoDB_20120810.GetItem`. Throws a ServiceError for others. */
export const getOperation = (target: string): Operation => {
  const [version = '', name = ''] = target.split('.');
  const operation = version === 'DynamoDB_20120810' ? operations.get(name) : undefined;
  if (operation) return operation;
  const isUnsupported = unsupported.includes(name) || version.startsWith('DynamoDBStreams');
  throw requestError(
    400,
    'UnknownOperationException',
    isUnsupported ? `${name} is not supported locally` : `Unknown operation ${name}`,
  );
};
