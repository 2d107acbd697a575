import { bindExpressions, type ExpressionFields } from '../expressions/bind.ts';
import { resolvePath } from '../expressions/operands.ts';
import { type Projection, projectItem, toProjection } from '../expressions/projection.ts';
import { itemFields } from '../requests/fields.ts';
import { assertFields } from '../requests/rules.ts';
import { assertKey } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { type Item, readItem } from '../values/attribute-value.ts';
import { consumedCapacity, toReadUnits, type Units } from './capacity.ts';

/** Reads the attributes that a request for items wants; undefined means all. */
export const readProjection = (fields: ExpressionFields): Projection | undefined => {
  const { bindings, ProjectionExpression } = bindExpressions(fields, ['ProjectionExpression']);
  return (
    ProjectionExpression &&
    toProjection(ProjectionExpression.map((path) => resolvePath(path, bindings)))
  );
};

/** Reads one item of a table. `factor` is two in transactions. */
export const getItemOf = (
  store: Store,
  tableName: string,
  key: Item,
  projection: Projection | undefined,
  isConsistent: boolean | undefined,
  factor: 1 | 2 = 1,
): { readonly item: Item | undefined; readonly bytes: number; readonly units: Units } => {
  const table = store.get(tableName);
  assertKey(table.keys, key);
  const stored = table.get(key);
  const bytes = stored?.bytes ?? 0;
  return {
    item: stored && projection ? projectItem(stored.item, projection) : stored?.item,
    bytes,
    units: { table: tableName, units: factor * toReadUnits(bytes, isConsistent), indexes: [] },
  };
};

interface Body extends ExpressionFields {
  readonly TableName: string;
  readonly Key: object;
  readonly ConsistentRead?: boolean;
  readonly ReturnConsumedCapacity?: string;
}

export const getItem = (store: Store, given: object): Promise<object> => {
  assertFields(itemFields.GetItem, given);
  const { TableName, Key, ConsistentRead, ReturnConsumedCapacity, ...rest } = given as Body;
  const key = readItem(Key);
  const projection = readProjection(rest);
  return store.database.read(() => {
    const { item, units } = getItemOf(store, TableName, key, projection, ConsistentRead);
    return { ...(item && { Item: item }), ...consumedCapacity(ReturnConsumedCapacity, units) };
  });
};
