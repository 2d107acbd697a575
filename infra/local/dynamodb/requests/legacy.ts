import type { Comparator, Condition } from '../expressions/condition.ts';
import type { Operand } from '../expressions/operands.ts';
import type { UpdateAction } from '../expressions/update.ts';
import { invalidParameter, validationError } from '../service-error.ts';
import { type AttributeValue, getType, readValue } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';

// The parameters that expressions replaced. They become the same conditions and actions:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html

export interface LegacyCondition {
  readonly ComparisonOperator?: string;
  readonly AttributeValueList?: readonly unknown[];
  readonly Exists?: boolean;
  readonly Value?: unknown;
}

export type LegacyConditions = Readonly<Record<string, LegacyCondition>>;

const comparators: Readonly<Record<string, Comparator>> = {
  EQ: '=',
  NE: '<>',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
};

const counts: Readonly<Record<string, readonly [number, number]>> = {
  NULL: [0, 0],
  NOT_NULL: [0, 0],
  BETWEEN: [2, 2],
  IN: [1, Number.POSITIVE_INFINITY],
};

const typesOf: Readonly<Record<string, readonly string[]>> = {
  EQ: ['S', 'N', 'B', 'SS', 'NS', 'BS', 'L', 'M', 'BOOL', 'NULL'],
  NE: ['S', 'N', 'B', 'SS', 'NS', 'BS', 'L', 'M', 'BOOL', 'NULL'],
  BEGINS_WITH: ['S', 'B'],
};
const scalars = ['S', 'N', 'B'];

const assertArguments = (operator: string, values: readonly AttributeValue[]): void => {
  const [min, max] = counts[operator] ?? [1, 1];
  if (values.length < min || values.length > max) {
    throw invalidParameter(`Invalid number of argument(s) for the ${operator} ComparisonOperator`);
  }
  const types = values.map(getType);
  if (new Set(types).size > 1) {
    throw invalidParameter('AttributeValues inside AttributeValueList must be of same type');
  }
  const [type] = types;
  if (type && !(typesOf[operator] ?? scalars).includes(type)) {
    throw invalidParameter(
      `ComparisonOperator ${operator} is not valid for ${type} AttributeValue type`,
    );
  }
  const [low, high] = values;
  if (operator === 'BETWEEN' && low && high && (compareValues(low, high) ?? 0) > 0) {
    throw validationError(
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    );
  }
};

const constant = (value: AttributeValue): Operand => ({ kind: 'constant', value });
const call = (name: string, ...args: Operand[]): Condition => ({ kind: 'call', name, args });
const not = (part: Condition): Condition => ({ kind: 'not', part });

const toComparison = (name: string, operator: string, given: readonly unknown[]): Condition => {
  const values = given.map((value) => readValue(value));
  assertArguments(operator, values);
  const args: Operand[] = [{ kind: 'path', path: [name] }, ...values.map(constant)];
  const comparator = comparators[operator];
  if (comparator) return { kind: 'compare', operator: comparator, args };
  switch (operator) {
    case 'NULL':
      return call('attribute_not_exists', ...args);
    case 'NOT_NULL':
      return call('attribute_exists', ...args);
    case 'CONTAINS':
      return call('contains', ...args);
    case 'NOT_CONTAINS':
      return not(call('contains', ...args));
    case 'BEGINS_WITH':
      return call('begins_with', ...args);
    default:
      return { kind: operator === 'IN' ? 'in' : 'between', args };
  }
};

const toExpected = (name: string, { Exists, Value, ...rest }: LegacyCondition): Condition => {
  const { ComparisonOperator: operator, AttributeValueList: list } = rest;
  if (list && Value !== undefined) {
    throw invalidParameter(
      `Value and AttributeValueList cannot be used together for Attribute: ${name}`,
    );
  }
  if (operator !== undefined) {
    if (Exists !== undefined) {
      throw invalidParameter(
        `Exists and ComparisonOperator cannot be used together for Attribute: ${name}`,
      );
    }
    return toComparison(name, operator, list ?? (Value === undefined ? [] : [Value]));
  }
  if (list) {
    throw invalidParameter(
      `AttributeValueList can only be used with a ComparisonOperator for Attribute: ${name}`,
    );
  }
  if (Exists === false) {
    if (Value === undefined) return toComparison(name, 'NULL', []);
    throw invalidParameter(`Value cannot be used when Exists is false for Attribute: ${name}`);
  }
  if (Value === undefined) {
    throw invalidParameter(
      `Value must be provided when Exists is ${Exists ?? 'null'} for Attribute: ${name}`,
    );
  }
  return toComparison(name, 'EQ', [Value]);
};

/** Converts Expected, QueryFilter, ScanFilter or KeyConditions to a condition. */
export const toCondition = (
  conditions: LegacyConditions | undefined,
  operator = 'AND',
): Condition | undefined => {
  const parts = Object.entries(conditions ?? {}).map(([name, one]) => toExpected(name, one));
  if (parts.length === 0) return undefined;
  return { kind: operator === 'OR' ? 'or' : 'and', parts };
};

export type AttributeUpdates = Readonly<
  Record<string, { readonly Action?: string; readonly Value?: unknown }>
>;

const changeTypes: Readonly<Record<string, readonly string[]>> = {
  ADD: ['N', 'SS', 'NS', 'BS', 'L'],
  DELETE: ['SS', 'NS', 'BS'],
};

/** Converts AttributeUpdates to the actions of an update. */
export const toActions = (updates: AttributeUpdates): UpdateAction[] =>
  Object.entries(updates).map(([name, { Action = 'PUT', Value }]): UpdateAction => {
    const path = [name];
    if (Value === undefined) {
      if (Action === 'DELETE') return { kind: 'remove', path };
      throw invalidParameter('Only DELETE action is allowed when no attribute value is specified');
    }
    const value = readValue(Value);
    const type = getType(value);
    const types = changeTypes[Action];
    if (types && !types.includes(type)) {
      const what = Action === 'DELETE' ? 'DELETE action with value' : 'ADD action';
      throw invalidParameter(`${what} is not supported for the type ${type}`);
    }
    const kind = types ? (Action === 'ADD' ? 'add' : 'delete') : 'set';
    return { kind, path, operand: constant(value) };
  });

/** Rejects requests with both expressions and the parameters that they replaced. */
export const assertNotMixed = (
  body: object,
  legacy: readonly string[],
  expressions: readonly string[],
): void => {
  const present = (names: readonly string[]) =>
    names.filter((name) => ((body as Record<string, unknown>)[name] ?? undefined) !== undefined);
  const [old, current] = [present(legacy), present(expressions)];
  if (old.length === 0 || current.length === 0) return;
  throw validationError(
    `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old.join(', ')}} Expression parameters: {${current.join(', ')}}`,
  );
};
