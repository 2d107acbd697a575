import { validationError } from '../service-error.ts';
import { type Item, readValue } from '../values/attribute-value.ts';
import { type Condition, ConditionParser } from './condition.ts';
import type { Bindings, Check, OperandParser, Path } from './operands.ts';
import { ProjectionParser } from './projection.ts';
import { type UpdateAction, UpdateParser } from './update.ts';

/** The expressions of a request, in the order in which they are checked. */
interface Expressions {
  readonly UpdateExpression: readonly UpdateAction[];
  readonly ConditionExpression: Condition;
  readonly KeyConditionExpression: Condition;
  readonly FilterExpression: Condition;
  readonly ProjectionExpression: readonly Path[];
}

type Name = keyof Expressions;

interface Parsed {
  readonly result: unknown;
  readonly aliases: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  readonly checks: readonly Check[];
}

const parsers: Readonly<
  Record<Name, new (source: string, label: string) => OperandParser & { parse(): unknown }>
> = {
  UpdateExpression: UpdateParser,
  ConditionExpression: ConditionParser,
  KeyConditionExpression: ConditionParser,
  FilterExpression: ConditionParser,
  ProjectionExpression: ProjectionParser,
};

const names = Object.keys(parsers) as Name[];
const MAX_CACHED = 1_000;
const cache = new Map<string, Parsed>();

/** Parses an expression, or returns the parsed one of an earlier request. */
const parse = (name: Name, source: string): Parsed => {
  const key = `${name} ${source}`;
  const known = cache.get(key);
  if (known) {
    // The least recently used entry stays first.
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const parser = new parsers[name](source, name);
  const parsed = { ...parser, result: parser.parse() };
  cache.set(key, parsed);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  return parsed;
};

export type Bound = { readonly [N in Name]?: Expressions[N] } & { readonly bindings: Bindings };

/** The fields of a request that concern expressions. */
export type ExpressionFields = Partial<Readonly<Record<Name, string>>> & {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
};

const assertKeys = (map: object, field: string, pattern: RegExp): void => {
  const keys = Object.keys(map);
  if (keys.length === 0) throw validationError(`${field} must not be empty`);
  const invalid = keys.find((key) => !pattern.test(key));
  if (invalid === undefined) return;
  throw validationError(`${field} contains invalid key: Syntax error; key: "${invalid}"`);
};

const readValues = (given: Readonly<Record<string, unknown>>): Item => {
  assertKeys(given, 'ExpressionAttributeValues', /^:\w+$/);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      try {
        return [name, readValue(value)];
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        throw validationError(
          `ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`,
        );
      }
    }),
  );
};

const assertDefined = (name: Name, { aliases, values }: Parsed, bindings: Bindings): void => {
  for (const alias of aliases) {
    if (Object.hasOwn(bindings.names, alias)) continue;
    throw validationError(
      `Invalid ${name}: An expression attribute name used in the document path is not defined; attribute name: ${alias}`,
    );
  }
  for (const value of values) {
    if (Object.hasOwn(bindings.values, value)) continue;
    throw validationError(
      `Invalid ${name}: An expression attribute value used in expression is not defined; attribute value: ${value}`,
    );
  }
};

const assertUsed = (field: string, defined: object, used: ReadonlySet<string>): void => {
  const unused = Object.keys(defined).filter((name) => !used.has(name));
  if (unused.length === 0) return;
  throw validationError(
    `Value provided in ${field} unused in expressions: keys: {${unused.join(', ')}}`,
  );
};

const noBindings: Bindings = { names: {}, values: {} };

/**
 * Parses and checks the expressions of a request. `possible` are those that the operation has.
 * @throws ServiceError for invalid expressions, undefined or unused names and values
 */
export const bindExpressions = (fields: ExpressionFields, possible: readonly Name[]): Bound => {
  const { ExpressionAttributeNames, ExpressionAttributeValues } = fields;
  const present = names.filter(
    (name) => possible.includes(name) && typeof fields[name] === 'string',
  );
  if (present.length === 0) {
    const field = ExpressionAttributeNames
      ? 'ExpressionAttributeNames'
      : ExpressionAttributeValues && 'ExpressionAttributeValues';
    if (!field) return { bindings: noBindings };
    const missing =
      possible.length === 1 ? `${possible[0]} is null` : `${possible.join(' and ')} are null`;
    throw validationError(`${field} can only be specified when using expressions: ${missing}`);
  }
  if (ExpressionAttributeNames) {
    assertKeys(ExpressionAttributeNames, 'ExpressionAttributeNames', /^#\w+$/);
  }
  const bindings: Bindings = {
    names: ExpressionAttributeNames ?? {},
    values: ExpressionAttributeValues ? readValues(ExpressionAttributeValues) : {},
  };
  const used = { names: new Set<string>(), values: new Set<string>() };
  const bound: Partial<Record<Name, unknown>> = {};
  for (const name of present) {
    const parsed = parse(name, fields[name] as string);
    assertDefined(name, parsed, bindings);
    for (const check of parsed.checks) check(bindings);
    for (const alias of parsed.aliases) used.names.add(alias);
    for (const value of parsed.values) used.values.add(value);
    bound[name] = parsed.result;
  }
  assertUsed('ExpressionAttributeNames', bindings.names, used.names);
  assertUsed('ExpressionAttributeValues', bindings.values, used.values);
  return { ...(bound as Partial<Expressions>), bindings };
};
