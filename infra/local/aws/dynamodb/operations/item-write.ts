import { applyUpdate } from '../expressions/apply-update.ts';
import { type Bound, bindExpressions, type ExpressionFields } from '../expressions/bind.ts';
import type { Condition } from '../expressions/condition.ts';
import { isFulfilled } from '../expressions/evaluate.ts';
import { resolvePath } from '../expressions/operands.ts';
import type { UpdateAction } from '../expressions/update.ts';
import { conditionFailed, invalidParameter, validationError } from '../service-error.ts';
import { toWriteUnits } from '../storage/index-entries.ts';
import { assertIndexKey, assertKey, assertPrimaryKey, toColumns } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { Stored, Table } from '../storage/table.ts';
import { type Item, readItem } from '../values/attribute-value.ts';
import { MAX_ITEM_BYTES, measureItem } from '../values/item-size.ts';
import type { Units } from './capacity.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** The fields of a request that writes one item, or of such a part of a transaction. */
export interface WriteFields extends ExpressionFields {
  readonly TableName: string;
  readonly Item?: unknown;
  readonly Key?: unknown;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

/** A checked request to write one item. */
export interface ItemWrite {
  readonly kind: WriteKind;
  readonly tableName: string;
  /** The new item of a put, otherwise the key. */
  readonly given: Item;
  readonly condition: Condition | undefined;
  readonly actions: readonly UpdateAction[];
  readonly bindings: Bound['bindings'];
  readonly returnsItemOnFailure: boolean;
}

const expressionsOf = (kind: WriteKind) =>
  kind === 'Update'
    ? (['UpdateExpression', 'ConditionExpression'] as const)
    : (['ConditionExpression'] as const);

/** Checks what can be checked without the table. */
export const readWrite = (kind: WriteKind, fields: WriteFields): ItemWrite => {
  const given = readItem(fields.Item ?? fields.Key);
  const { bindings, ConditionExpression, UpdateExpression } = bindExpressions(
    fields,
    expressionsOf(kind),
  );
  return {
    kind,
    tableName: fields.TableName,
    given,
    condition: ConditionExpression,
    actions: UpdateExpression ?? [],
    bindings,
    returnsItemOnFailure: fields.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  };
};

/** A write that can be applied. */
export interface Change {
  readonly table: Table;
  readonly before: Stored | undefined;
  readonly after: Item | undefined;
  /** The size of the new item. */
  readonly bytes: number;
}

/** Identifies the item of a write. The key must fit the table. */
export const identifyItem = (table: Table, { given }: Pick<ItemWrite, 'given'>): string =>
  JSON.stringify([table.name, ...toColumns(table.keys, given)]);

/** Rejects a key or an item that doesn't fit the table. */
export const assertFits = (table: Table, { kind, given, actions, bindings }: ItemWrite): void => {
  if (kind === 'Put') {
    if (measureItem(given) > MAX_ITEM_BYTES) {
      throw validationError('Item size has exceeded the maximum allowed size');
    }
    assertPrimaryKey(table.keys, given);
    for (const { name, keys } of table.indexes) assertIndexKey(name, keys, given);
    return;
  }
  assertKey(table.keys, given);
  const keyNames = table.keys.map(({ name }) => name);
  for (const { path } of actions) {
    const [head = ''] = resolvePath(path, bindings);
    if (!keyNames.includes(String(head))) continue;
    throw invalidParameter(`Cannot update attribute ${head}. This attribute is part of the key`);
  }
};

const computeNext = (table: Table, write: ItemWrite, before: Stored | undefined) => {
  switch (write.kind) {
    case 'Put':
      return write.given;
    case 'Delete':
      return undefined;
    case 'ConditionCheck':
      return before?.item;
    case 'Update': {
      const after = applyUpdate(write.actions, before?.item ?? write.given, write.bindings);
      for (const { name, keys } of table.indexes) assertIndexKey(name, keys, after);
      return after;
    }
  }
};

/** Computes a write against the present item, without storing anything. */
export const evaluate = (table: Table, write: ItemWrite): Change => {
  const before = table.get(write.given);
  if (write.condition && !isFulfilled(write.condition, before?.item ?? {}, write.bindings)) {
    throw conditionFailed(write.returnsItemOnFailure ? before?.item : undefined);
  }
  const after = computeNext(table, write, before);
  const bytes = after ? measureItem(after) : 0;
  if (bytes > MAX_ITEM_BYTES) {
    throw validationError('Item size to update has exceeded the maximum allowed size');
  }
  return { table, before, after, bytes };
};

/** Stores a change. Returns its units; a transaction costs twice as much. */
export const applyChange = ({ table, before, after, bytes }: Change, factor: 1 | 2 = 1): Units => ({
  table: table.name,
  units: factor * toWriteUnits(Math.max(bytes, before?.bytes ?? 0)),
  indexes: table
    .write(before, after, bytes)
    .map((index) => ({ ...index, units: factor * index.units })),
});

/** Reads, checks and applies one write; part of a write of the store. */
export const performWrite = (store: Store, write: ItemWrite): { change: Change; units: Units } => {
  const table = store.get(write.tableName);
  assertFits(table, write);
  const change = evaluate(table, write);
  return { change, units: applyChange(change) };
};
