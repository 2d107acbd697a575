import { bindExpressions } from '../expressions/bind.ts';
import type { Condition } from '../expressions/condition.ts';
import { readKeyConditions } from '../expressions/key-condition.ts';
import { type Bindings, resolvePath } from '../expressions/operands.ts';
import { itemFields } from '../requests/fields.ts';
import { assertFields } from '../requests/rules.ts';
import { validationError } from '../service-error.ts';
import { toColumn } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { AttributeValue, Item } from '../values/attribute-value.ts';
import {
  findSource,
  type PageFields,
  type PageRequest,
  readPage,
  readRequest,
  type Source,
} from './read-page.ts';

interface QueryFields extends PageFields {
  readonly ScanIndexForward?: boolean;
}

/** Returns the names of the attributes that a condition reads. */
const listHeads = (condition: Condition, bindings: Bindings): unknown[] => {
  if ('parts' in condition) return condition.parts.flatMap((part) => listHeads(part, bindings));
  if (condition.kind === 'not') return listHeads(condition.part, bindings);
  return condition.args.flatMap((arg) =>
    arg.kind === 'path' ? [resolvePath(arg.path, bindings)[0]] : [],
  );
};

const assertFilter = ({ keys }: Source, { filter, bindings }: PageRequest): void => {
  const heads = filter ? listHeads(filter, bindings) : [];
  const key = keys.find(({ name }) => heads.includes(name));
  if (!key) return;
  throw validationError(
    `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key.name}`,
  );
};

/** A start key outside of the queried range can't come from an earlier page. */
const assertStart = (start: Item | undefined, { keys }: Source, hash: AttributeValue): void => {
  const given = start?.[keys[0]?.name ?? ''];
  if (!given || String(toColumn(given)) === String(toColumn(hash))) return;
  throw validationError(
    'The provided starting key is outside query boundaries based on provided conditions',
  );
};

export const query = (store: Store, given: object): Promise<object> => {
  assertFields(itemFields.Query, given);
  const fields = given as QueryFields;
  const names = ['ProjectionExpression', 'FilterExpression', 'KeyConditionExpression'] as const;
  const bound = bindExpressions(fields, names);
  const request = readRequest(fields, bound);
  const condition = bound.KeyConditionExpression;
  if (!condition) {
    throw validationError('The parameter KeyConditionExpression must be specified in the request.');
  }
  return store.database.read(() => {
    const source = findSource(store, request);
    const { hash, range } = readKeyConditions(condition, source.keys, request.bindings);
    assertFilter(source, request);
    assertStart(request.start, source, hash);
    const isReverse = fields.ScanIndexForward === false;
    return readPage(store, request, source, { hash: toColumn(hash), range, isReverse });
  });
};
