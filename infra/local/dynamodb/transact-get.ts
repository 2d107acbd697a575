import { actionOf, type RequestData, rulesOf } from './dynalite.ts';
import { RequestStore } from './request-store.ts';
import { validationError } from './service-error.ts';
import { check } from './single-item-request.ts';
import type { Store } from './store.ts';
import {
  checkDistinct,
  checkTotalSize,
  checkTransactItems,
  consumedCapacity,
  fieldsOf,
  largerBytes,
  recordKey,
  required,
  structure,
  tableOf,
} from './transact-items.ts';

const getItem = actionOf('GetItem');
const getItemRules = rulesOf('GetItem');
const member = {
  Get: required(
    structure(
      'Get',
      fieldsOf('GetItem', ['TableName', 'Key', 'ProjectionExpression', 'ExpressionAttributeNames']),
    ),
  ),
};
const others = fieldsOf('GetItem', ['ReturnConsumedCapacity']);

/** TransactGetItems: all items as of one moment. */
export const transactGet = async (store: Store, body: object): Promise<object> => {
  const { data, members } = checkTransactItems(body, member, others);
  const gets = members.map(({ Get }) => check(getItemRules, Get as RequestData));
  const recordKeys = gets.map((get) => recordKey(tableOf(store, get), get));
  if (recordKeys.includes(undefined)) {
    throw validationError('The provided key element does not match the schema');
  }
  checkDistinct(recordKeys);

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
    checkTotalSize(touched);
    return { Responses: responses, ...consumedCapacity(data, touched, 'Read') };
  } finally {
    await snapshot.close();
  }
};
