import { parseSingleItemRequest } from './single-item-request.ts';
import type { Store } from './store.ts';
import { changeTable, deleteTable } from './table-changes.ts';
import { describeTimeToLive, updateTimeToLive } from './time-to-live.ts';
import { transactGet } from './transact-get.ts';
import { transactWrite } from './transact-write.ts';

/** Performs one request; throws a ServiceError to reject it. */
export type Operation = (store: Store, body: object) => Promise<object>;

const PLAIN = [
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'DescribeTable',
  'GetItem',
  'ListTables',
  'ListTagsOfResource',
  'PutItem',
  'Query',
  'Scan',
  'TagResource',
  'UntagResource',
  'UpdateItem',
];

export const operations = new Map<string, Operation>([
  ...PLAIN.map((name): [string, Operation] => [name, parseSingleItemRequest(name)]),
  ['CreateTable', changeTable('CreateTable')],
  ['UpdateTable', changeTable('UpdateTable')],
  ['DeleteTable', deleteTable],
  ['UpdateTimeToLive', updateTimeToLive],
  ['DescribeTimeToLive', describeTimeToLive],
  ['TransactGetItems', transactGet],
  ['TransactWriteItems', transactWrite],
]);
