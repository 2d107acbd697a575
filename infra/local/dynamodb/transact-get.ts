import { getAction, getRules, type RequestData } from './dynalite.ts';
import { RequestStore } from './request-store.ts';
import { validationError } from './service-error.ts';
import { check } from './single-item-request.ts';
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

const getItem = getAction('GetItem');
const getItemRules = getRules('GetItem');
const member = {
  Get: requireField(
    requireStructure(
      'Get',
      getFields('GetItem', [
        'TableName',
        'Key',
        'ProjectionExpression',
        'ExpressionAttributeNames',
      ]),
    ),
  ),
};
const others = getFields('GetItem', ['ReturnConsumedCapacity']);

/** Performs TransactGetItems. All items come from one snapshot. */
export const transactGet = async (store: Store, body: object): Promise<object> => {
  const { data, members } = assertTransactItems(body, member, others);
  const gets = members.map(({ Get }) => check(getItemRules, Get as RequestData));
  const recordKeys = gets.map((get) => recordKey(getTable(store, get), get));
  if (recordKeys.includes(undefined)) {
    throw validationError('The provided key element does not match the schema');
  }
  assertDistinct(recordKeys);

  const snapshot = store.level.snapshot();
  try {
    const responses = [];
    const touched = [];
    for (const get of gets) {
      const request = new RequestStore(store, { snapshot });
      const { Item } = (await request.run(getItem, get)) as { Item?: object };
      responses.push(Item ? { Item } : {});
      touched.push({ table: String(get['TableName']), bytes: largerBytes(request.item) });
    }
    assertTotalSize(touched);
    return { Responses: responses, ...computeConsumedCapacity(data, touched, 'Read') };
  } finally {
    await snapshot.close();
  }
};
