import { type FieldTypes, getAction, getRules, type Item, type RequestData } from './dynalite.ts';
import { RequestStore } from './request-store.ts';
import { digestRequest } from './request-tokens.ts';
import { dynamoDbError, hasType, transactionCanceled, validationError } from './service-error.ts';
import { check, returnOnFailure } from './single-item-request.ts';
import type { Store } from './store.ts';
import {
  assertDistinct,
  assertTotalSize,
  assertTransactItems,
  computeConsumedCapacity,
  getFields,
  getTable,
  largerBytes,
  recordKey,
  requireField,
  requireStructure,
} from './transact-items.ts';

const getKind = (operation: string, fields: string[], changes: FieldTypes = {}) => ({
  action: getAction(operation),
  rules: {
    ...getRules(operation),
    types: {
      ...getFields(operation, [
        'TableName',
        ...fields,
        'ConditionExpression',
        'ExpressionAttributeNames',
        'ExpressionAttributeValues',
      ]),
      ...returnOnFailure,
      ...changes,
    },
  },
});

const kinds: Record<string, ReturnType<typeof getKind>> = {
  Put: getKind('PutItem', ['Item']),
  Update: getKind('UpdateItem', ['Key'], { UpdateExpression: requireField({ type: 'String' }) }),
  Delete: getKind('DeleteItem', ['Key']),
  // The commit omits its writes.
  ConditionCheck: getKind('DeleteItem', ['Key'], {
    ConditionExpression: requireField({ type: 'String' }),
  }),
};

const member = Object.fromEntries(
  Object.entries(kinds).map(([name, { rules }]) => [name, requireStructure(name, rules.types)]),
);
const others: FieldTypes = {
  ...getFields('PutItem', ['ReturnConsumedCapacity', 'ReturnItemCollectionMetrics']),
  ClientRequestToken: {
    type: 'String',
    lengthGreaterThanOrEqual: 1,
    lengthLessThanOrEqual: 36,
  },
};

interface Operation {
  kind: string;
  data: RequestData;
  table: string;
  recordKey: string | undefined;
}

const getOperation = (store: Store, member: Record<string, RequestData | undefined>): Operation => {
  const [[kind, given] = ['', undefined], ...more] = Object.entries(member);
  const definition = kinds[kind];
  if (!definition || !given || more.length > 0) {
    throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  const data = check(definition.rules, given);
  const table = getTable(store, data);
  return { kind, data, table: table.TableName, recordKey: recordKey(table, data) };
};

interface Reason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/** Evaluates one operation without storing anything. */
const evaluate = async (store: Store, { kind, data, table, recordKey }: Operation) => {
  const request = new RequestStore(store, { collect: true });
  // An update changes the given key into the new item.
  const given = structuredClone(data);
  let reason: Reason = { Code: 'None' };
  try {
    await request.run((kinds[kind] as ReturnType<typeof getKind>).action, given);
  } catch (error) {
    if (hasType(error, 'ConditionalCheckFailedException')) {
      reason = { Code: 'ConditionalCheckFailed', Message: error.message };
      const wanted = data['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
      if (wanted && request.item) reason.Item = request.item;
    } else if (hasType(error, 'ValidationException')) {
      reason = { Code: 'ValidationError', Message: error.message };
    } else throw error;
  }
  const writes = kind === 'ConditionCheck' ? [] : request.writes;
  const newItem = writes.find((write) => write.key === recordKey)?.value as Item | undefined;
  return { reason, writes, touched: { table, bytes: largerBytes(request.item, newItem) } };
};

/** Evaluates all operations on the current items and stores their writes together. */
const commit = async (store: Store, operations: Operation[]) => {
  const results = [];
  for (const operation of operations) results.push(await evaluate(store, operation));
  const touched = results.map((result) => result.touched);
  const reasons = results.map((result) => result.reason);
  if (reasons.some((reason) => reason.Code !== 'None')) throw transactionCanceled(reasons);
  assertTotalSize(touched);
  await store.write(results.flatMap((result) => result.writes));
  return touched;
};

/**
 * Performs TransactWriteItems. LevelDB stores one batch of writes all or nothing, even if the process is killed, so a
 * transaction is one batch. Its items stay locked from the first read to the write.
 */
export const transactWrite = async (store: Store, body: object): Promise<object> => {
  const { data, members } = assertTransactItems(body, member, others);
  const token = data['ClientRequestToken'] as string | undefined;
  const digest = token === undefined ? '' : digestRequest(members);
  const operations = members.map((each) => getOperation(store, each));
  const recordKeys = operations.map((operation) => operation.recordKey);
  assertDistinct(recordKeys);

  // A repeat waits for the original request.
  const locks = [...recordKeys, token && `token~${token}`].filter((key) => key !== undefined);
  return store.locks.hold(locks, async () => {
    const repeated = token && store.tokens.find(token, digest);
    if (repeated === 'mismatch') {
      throw dynamoDbError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request',
      );
    }
    if (repeated) return repeated;
    const touched = await commit(store, operations);
    // AWS charges a repeat for reading only.
    if (token) store.tokens.remember(token, digest, computeConsumedCapacity(data, touched, 'Read'));
    return computeConsumedCapacity(data, touched, 'Write');
  });
};
