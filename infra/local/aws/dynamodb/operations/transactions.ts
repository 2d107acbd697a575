import type { ExpressionFields } from '../expressions/bind.ts';
import { itemFields } from '../requests/fields.ts';
import { assertFields } from '../requests/rules.ts';
import {
  dynamoDbError,
  hasType,
  isServiceError,
  type ServiceError,
  transactionCanceled,
  validationError,
} from '../service-error.ts';
import { digestRequest } from '../storage/request-tokens.ts';
import { assertKey } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { readItem } from '../values/attribute-value.ts';
import { consumedCapacities, toReadUnits, type Units } from './capacity.ts';
import {
  applyChange,
  assertFits,
  type Change,
  evaluate,
  type ItemWrite,
  identifyItem,
  readWrite,
  type WriteFields,
  type WriteKind,
} from './item-write.ts';
import { getItemOf, readProjection } from './read-item.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html */
const MAX_BYTES = 4 * 1024 * 1024;

const kinds: readonly WriteKind[] = ['ConditionCheck', 'Put', 'Delete', 'Update'];

const assertDistinct = (ids: readonly string[]): void => {
  if (new Set(ids).size === ids.length) return;
  throw validationError('Transaction request cannot include multiple operations on one item');
};

const assertTotalSize = (sizes: readonly number[]): void => {
  if (sizes.reduce((total, bytes) => total + bytes, 0) <= MAX_BYTES) return;
  throw validationError('The aggregate size of the items in the transaction exceeds 4 MB');
};

interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: unknown;
}

const toReason = (error: ServiceError): Reason | undefined => {
  if (hasType(error, 'ConditionalCheckFailedException')) {
    const { Item } = error.body;
    return { Code: 'ConditionalCheckFailed', Message: error.message, ...(Item ? { Item } : {}) };
  }
  if (hasType(error, 'ValidationException')) {
    return { Code: 'ValidationError', Message: error.message };
  }
  return undefined;
};

/** Runs the parts of a transaction. Throws its cancellation with a reason per part if any fails. */
const runAll = <Part, Result>(parts: readonly Part[], run: (part: Part) => Result): Result[] => {
  const results: Result[] = [];
  const reasons = parts.map((part): Reason => {
    try {
      results.push(run(part));
      return { Code: 'None' };
    } catch (error) {
      const reason = isServiceError(error) ? toReason(error) : undefined;
      if (!reason) throw error;
      return reason;
    }
  });
  if (results.length < parts.length) throw transactionCanceled(reasons);
  return results;
};

type WriteParts = { readonly [K in WriteKind]?: WriteFields };

const readPart = (parts: WriteParts): ItemWrite => {
  const [kind, another] = kinds.filter((one) => parts[one]);
  if (!kind || another) {
    throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  return readWrite(kind, parts[kind] as WriteFields);
};

const commit = (store: Store, writes: readonly ItemWrite[]): Change[] => {
  const targets = writes.map((write) => ({ table: store.get(write.tableName), write }));
  const changes = runAll(targets, ({ table, write }) => {
    assertFits(table, write);
    return { change: evaluate(table, write), id: identifyItem(table, write) };
  });
  assertDistinct(changes.map(({ id }) => id));
  const result = changes.map(({ change }) => change);
  assertTotalSize(result.map(({ bytes, before }) => Math.max(bytes, before?.bytes ?? 0)));
  return result;
};

/** AWS charges a repeated request for reading only. */
const toReads = ({ table, before, bytes }: Change): Units => ({
  table: table.name,
  units: 2 * toReadUnits(Math.max(bytes, before?.bytes ?? 0), true),
  indexes: [],
});

interface WriteBody {
  readonly TransactItems: readonly WriteParts[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: string;
}

/** Performs TransactWriteItems: evaluates all parts, then applies them in one transaction of SQLite. */
export const transactWriteItems = (store: Store, given: object): Promise<object> => {
  assertFields(itemFields.TransactWriteItems, given);
  const {
    TransactItems,
    ClientRequestToken: token,
    ReturnConsumedCapacity: wanted,
  } = given as WriteBody;
  const writes = TransactItems.map(readPart);
  const digest = token === undefined ? '' : digestRequest(writes);
  return store.database.write(() => {
    const repeated = token === undefined ? undefined : store.tokens.find(token, digest);
    if (repeated === 'mismatch') {
      throw dynamoDbError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request',
      );
    }
    if (repeated) return repeated;
    const changes = commit(store, writes);
    const units = changes.map((change, at) =>
      writes[at]?.kind === 'ConditionCheck' ? applyNothing(change) : applyChange(change, 2),
    );
    if (token !== undefined) {
      const reads = changes.map(toReads);
      store.tokens.remember(token, digest, consumedCapacities(wanted, reads, 'Read'));
    }
    return consumedCapacities(wanted, units, 'Write');
  });
};

/** A check costs as much as a write. */
const applyNothing = ({ table, before }: Change): Units => ({
  table: table.name,
  units: 2 * Math.max(1, Math.ceil((before?.bytes ?? 0) / 1024)),
  indexes: [],
});

interface Get extends ExpressionFields {
  readonly TableName: string;
  readonly Key: object;
}

/** Performs TransactGetItems. All items come from one state of the tables. */
export const transactGetItems = (store: Store, given: object): Promise<object> => {
  assertFields(itemFields.TransactGetItems, given);
  const { TransactItems, ReturnConsumedCapacity: wanted } = given as {
    readonly TransactItems: readonly { readonly Get: Get }[];
    readonly ReturnConsumedCapacity?: string;
  };
  const gets = TransactItems.map(({ Get: { TableName, Key, ...rest } }) => ({
    tableName: TableName,
    given: readItem(Key),
    projection: readProjection(rest),
  }));
  return store.database.read(() => {
    const targets = gets.map((get) => ({ ...get, table: store.get(get.tableName) }));
    const results = runAll(targets, (get) => {
      assertKey(get.table.keys, get.given);
      const id = identifyItem(get.table, get);
      return { id, ...getItemOf(store, get.tableName, get.given, get.projection, true, 2) };
    });
    assertDistinct(results.map(({ id }) => id));
    assertTotalSize(results.map(({ bytes }) => bytes));
    return {
      Responses: results.map(({ item }) => (item ? { Item: item } : {})),
      ...consumedCapacities(
        wanted,
        results.map(({ units }) => units),
        'Read',
      ),
    };
  });
};
