import { invalidParameter, validationError } from '../service-error.ts';
import type { KeyAttributes } from '../storage/schema.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import type { Comparator, Condition } from './condition.ts';
import { type Bindings, type Operand, resolvePath } from './operands.ts';

export interface KeyCondition {
  readonly operator: Comparator | 'between' | 'begins_with';
  readonly values: readonly AttributeValue[];
}

const flipped: Readonly<Record<string, Comparator>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

const invalidOperator = (name: string) =>
  validationError(`Invalid operator used in KeyConditionExpression: ${name}`);

const readName = (operands: readonly Operand[], bindings: Bindings): string => {
  const paths = operands.flatMap((operand) =>
    operand.kind === 'path' ? [resolvePath(operand.path, bindings)] : [],
  );
  const [path] = paths;
  if (!path) {
    throw validationError(
      'Invalid condition in KeyConditionExpression: No key attribute specified',
    );
  }
  if (paths.length > 1) {
    throw validationError(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    );
  }
  if (path.length > 1) {
    throw validationError('KeyConditionExpressions cannot have conditions on nested attributes');
  }
  return String(path[0]);
};

const readValues = (operands: readonly Operand[], { values }: Bindings): AttributeValue[] =>
  operands.flatMap((operand) => {
    if (operand.kind === 'call') {
      throw validationError('KeyConditionExpressions cannot contain nested operations');
    }
    if (operand.kind === 'path') return [];
    return values[operand.name] as AttributeValue;
  });

const readOperator = (condition: Condition): KeyCondition['operator'] => {
  switch (condition.kind) {
    case 'compare':
      if (condition.operator === '<>') throw invalidOperator('<>');
      return condition.args[0]?.kind === 'path'
        ? condition.operator
        : (flipped[condition.operator] as Comparator);
    case 'between':
      return 'between';
    case 'call':
      if (condition.name === 'begins_with') return 'begins_with';
      throw invalidOperator(condition.name);
    default:
      throw invalidOperator(condition.kind.toUpperCase());
  }
};

const listConditions = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' ? condition.parts.flatMap(listConditions) : [condition];

const assertTypes = (keys: KeyAttributes, conditions: ReadonlyMap<string, KeyCondition>): void => {
  for (const { name } of keys) {
    const values = conditions.get(name)?.values ?? [];
    if (values.some((value) => value.S === undefined)) {
      throw invalidParameter('Condition parameter type does not match schema type');
    }
    if (values.some(({ S }) => S === '')) {
      throw validationError(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      );
    }
  }
};

/**
 * Reads the conditions on the keys of a table or an index.
 * @throws ServiceError unless the partition key has one value and at most the sort key has another condition
 */
export const readKeyConditions = (
  condition: Condition,
  keys: KeyAttributes,
  bindings: Bindings,
): { readonly hash: AttributeValue; readonly range: KeyCondition | undefined } => {
  const conditions = new Map<string, KeyCondition>();
  for (const one of listConditions(condition)) {
    const operator = readOperator(one);
    const args = 'args' in one ? one.args : [];
    const name = readName(args, bindings);
    if (conditions.has(name)) {
      throw validationError('KeyConditionExpressions must only contain one condition per key');
    }
    if ((operator === 'between' || operator === 'begins_with') && args[0]?.kind !== 'path') {
      throw validationError(
        `Invalid condition in KeyConditionExpression: ${operator === 'between' ? 'BETWEEN' : operator} operator must have the key attribute as its first operand`,
      );
    }
    conditions.set(name, { operator, values: readValues(args, bindings) });
  }
  if (conditions.size > 2) throw validationError('Conditions can be of length 1 or 2 only');
  const [hashKey, rangeKey] = keys;
  const hash = conditions.get(hashKey?.name ?? '');
  const range = rangeKey && conditions.get(rangeKey.name);
  if (!hash) {
    throw validationError(`Query condition missed key schema element: ${hashKey?.name}`);
  }
  assertTypes(keys, conditions);
  if (hash.operator !== '=' || (!rangeKey && conditions.size > 1)) {
    throw validationError('Query key condition not supported');
  }
  if (conditions.size > 1 && !range) {
    throw validationError(`Query condition missed key schema element: ${rangeKey?.name}`);
  }
  return { hash: hash.values[0] as AttributeValue, range };
};
