import type { ExpressionFields } from '../expressions/bind.ts';
import type { Projection } from '../expressions/projection.ts';
import { itemFields } from '../requests/fields.ts';
import { assertFields } from '../requests/rules.ts';
import { validationError } from '../service-error.ts';
import type { Store } from '../storage/store.ts';
import { type Item, readItem } from '../values/attribute-value.ts';
import { consumedCapacities, type Units } from './capacity.ts';
import { applyChange, assertFits, evaluate, identifyItem, readWrite } from './item-write.ts';
import { getItemOf, readProjection } from './read-item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_KEYS = 100;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_WRITES = 25;

const assertNotEmpty = (body: object, operation: string): void => {
  const { RequestItems } = body as { readonly RequestItems?: unknown };
  const isEmpty = typeof RequestItems === 'object' && Object.keys(RequestItems ?? {}).length === 0;
  if (isEmpty) {
    throw validationError(`The requestItems parameter is required for ${operation}`);
  }
};

const assertDistinct = (ids: readonly string[]): void => {
  if (new Set(ids).size === ids.length) return;
  throw validationError('Provided list of item keys contains duplicates');
};

interface Keys extends ExpressionFields {
  readonly Keys: readonly object[];
  readonly ConsistentRead?: boolean;
}

interface Get {
  readonly table: string;
  readonly key: Item;
  /** The key as in the request. */
  readonly given: object;
  readonly projection: Projection | undefined;
  readonly isConsistent: boolean | undefined;
}

/** Converts a key to text, whatever the order of its attributes. */
const nameOf = (key: Item): string => {
  let text = '';
  for (const name of Object.keys(key).sort()) text += JSON.stringify([name, key[name]]);
  return text;
};

const readGets = (items: Readonly<Record<string, Keys>>): Get[] => {
  const gets = Object.entries(items).flatMap(([table, { Keys, ConsistentRead, ...rest }]) => {
    if (Keys.length > MAX_KEYS) {
      throw validationError(
        `1 validation error detected: Value at 'RequestItems.${table}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to ${MAX_KEYS}`,
      );
    }
    const projection = readProjection(rest);
    return Keys.map((given) => {
      const key = readItem(given);
      return { table, key, given, projection, isConsistent: ConsistentRead };
    });
  });
  if (gets.length > MAX_KEYS) {
    throw validationError('Too many items requested for the BatchGetItem call');
  }
  assertDistinct(gets.map(({ table, key }) => table + nameOf(key)));
  return gets;
};

/** Performs BatchGetItem. All items come from one state of the tables. */
export const batchGetItem = (store: Store, given: object): Promise<object> => {
  assertNotEmpty(given, 'BatchGetItem');
  assertFields(itemFields.BatchGetItem, given);
  const { RequestItems, ReturnConsumedCapacity } = given as {
    readonly RequestItems: Readonly<Record<string, Keys>>;
    readonly ReturnConsumedCapacity?: string;
  };
  const gets = readGets(RequestItems);
  return store.database.read(() => {
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, Keys> = {};
    const consumed: Units[] = [];
    let total = 0;
    for (const { table, key, given: asked, projection, isConsistent } of gets) {
      const { item, bytes, units } = getItemOf(store, table, key, projection, isConsistent);
      total += bytes;
      if (total > MAX_RESPONSE_BYTES) {
        const { Keys = [], ...rest } = UnprocessedKeys[table] ?? RequestItems[table] ?? {};
        const unprocessed = UnprocessedKeys[table] ? Keys : [];
        UnprocessedKeys[table] = { ...rest, Keys: [...unprocessed, asked] };
        continue;
      }
      Responses[table] ??= [];
      if (item) Responses[table].push(item);
      consumed.push(units);
    }
    return {
      Responses,
      UnprocessedKeys,
      ...consumedCapacities(ReturnConsumedCapacity, consumed),
    };
  });
};

interface WriteRequest {
  readonly PutRequest?: { readonly Item: object };
  readonly DeleteRequest?: { readonly Key: object };
}

const assertWriteCount = (items: Readonly<Record<string, readonly WriteRequest[]>>): void => {
  for (const [table, requests] of Object.entries(items)) {
    if (requests.length > 0 && requests.length <= MAX_WRITES) continue;
    throw validationError(
      `1 validation error detected: Value '{${table}=${JSON.stringify(requests)}}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to ${MAX_WRITES}, Member must have length greater than or equal to 1]`,
    );
  }
  if (Object.values(items).flat().length > MAX_WRITES) {
    throw validationError('Too many items requested for the BatchWriteItem call');
  }
};

const readRequest = (tableName: string, { PutRequest, DeleteRequest }: WriteRequest) => {
  if (Boolean(PutRequest) === Boolean(DeleteRequest)) {
    throw validationError(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  return PutRequest
    ? readWrite('Put', { TableName: tableName, Item: PutRequest.Item })
    : readWrite('Delete', { TableName: tableName, Key: DeleteRequest?.Key });
};

/** Performs BatchWriteItem. All writes take effect together. */
export const batchWriteItem = (store: Store, given: object): Promise<object> => {
  assertNotEmpty(given, 'BatchWriteItem');
  assertFields(itemFields.BatchWriteItem, given);
  const body = given as {
    readonly RequestItems: Readonly<Record<string, readonly WriteRequest[]>>;
    readonly ReturnConsumedCapacity?: string;
  };
  assertWriteCount(body.RequestItems);
  const writes = Object.entries(body.RequestItems).flatMap(([name, requests]) =>
    requests.map((request) => readRequest(name, request)),
  );
  return store.database.write(() => {
    const targets = writes.map((write) => {
      const table = store.get(write.tableName);
      assertFits(table, write);
      return { table, write };
    });
    assertDistinct(targets.map(({ table, write }) => identifyItem(table, write)));
    const changes = targets.map(({ table, write }) => evaluate(table, write));
    const consumed = changes.map((change) => applyChange(change));
    return {
      UnprocessedItems: {},
      ...consumedCapacities(body.ReturnConsumedCapacity, consumed),
    };
  });
};
