import { requestError, validationError } from '../service-error.ts';

/** What AWS's model says of a field. */
export interface Rule {
  readonly type: 'string' | 'integer' | 'boolean' | 'list' | 'map' | 'structure' | 'any';
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly values?: readonly string[];
  /** Of a structure. */
  readonly fields?: Fields;
  /** Of the elements of a list or the values of a map. */
  readonly of?: Rule;
  /** The error says the field's name as it is, and not its value, as AWS does for some. */
  readonly isTerse?: boolean;
}

export type Fields = Readonly<Record<string, Rule>>;

const MAX_ERRORS = 10;

const jsonTypes: Readonly<Record<Rule['type'], string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  list: 'list',
  map: 'object',
  structure: 'object',
  any: '',
};

const jsonType = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

const isAbsent = (value: unknown): value is undefined | null =>
  value === undefined || value === null;

const show = (value: unknown): string => {
  if (isAbsent(value)) return 'null';
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  return `{${Object.entries(value)
    .map(([name, part]) => `${name}=${show(part)}`)
    .join(', ')}}`;
};

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value)
    ? value.length
    : Object.keys(value as object).length;

const patterns = new Map<string, RegExp>();

const matches = (pattern: string, value: unknown): boolean => {
  const known = patterns.get(pattern) ?? new RegExp(`^${pattern}$`);
  patterns.set(pattern, known);
  return known.test(String(value));
};

/** Returns the constraints that a value breaks. */
const findBroken = ({ type, min, max, pattern, values }: Rule, value: unknown): string[] => {
  const broken: string[] = [];
  if (type === 'integer') {
    if (min !== undefined && Number(value) < min) {
      broken.push(`Member must have value greater than or equal to ${min}`);
    }
    return broken;
  }
  if (values && !values.includes(String(value))) {
    broken.push(`Member must satisfy enum value set: [${values.join(', ')}]`);
  }
  if (pattern !== undefined && value !== '' && !matches(pattern, value)) {
    broken.push(`Member must satisfy regular expression pattern: ${pattern}`);
  }
  if (min !== undefined && sizeOf(value) < min) {
    broken.push(`Member must have length greater than or equal to ${min}`);
  }
  if (max !== undefined && sizeOf(value) > max) {
    broken.push(`Member must have length less than or equal to ${max}`);
  }
  return broken;
};

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Where a value is in a request. */
interface Place {
  readonly parent: Place | undefined;
  /** The name of a field, or of an element of a list or map. */
  readonly name: string;
  readonly kind: 'field' | 'terse' | 'element';
}

/** Returns the path of a value as AWS shows it, such as `transactItems.1.member.put.tableName`. */
const showPath = ({ parent, name, kind }: Place): string => {
  const prefix = parent ? `${showPath(parent)}.` : '';
  if (kind === 'element') return `${prefix}${name}.member`;
  return prefix + (kind === 'terse' ? name : lowerFirst(name));
};

/** Checks a request. Collects broken constraints as AWS does. */
class Checker {
  readonly errors: string[] = [];

  fields(fields: Fields, body: object, parent?: Place): void {
    for (const name in body) {
      if (!Object.hasOwn(fields, name) && !isAbsent((body as Record<string, unknown>)[name])) {
        throw validationError(
          `The parameter ${showPath({ parent, name, kind: 'terse' })} is not supported locally`,
        );
      }
    }
    for (const name in fields) {
      const rule = fields[name] as Rule;
      const value = (body as Record<string, unknown>)[name];
      if (isAbsent(value) && !rule.required) continue;
      const kind = rule.isTerse && !parent ? 'terse' : 'field';
      this.#check(rule, value, { parent, name, kind });
    }
  }

  #check(rule: Rule, value: unknown, place: Place): void {
    const { type, required, of: element, fields, isTerse } = rule;
    if (isAbsent(value)) {
      if (required) this.#add('Member must not be null', value, place);
      return;
    }
    const expected = jsonTypes[type];
    if (expected !== '' && jsonType(value) !== expected) {
      throw requestError(
        400,
        'SerializationException',
        `Unexpected type of the field ${showPath(place)}`,
      );
    }
    for (const broken of findBroken(rule, value)) this.#add(broken, value, place, isTerse);
    if (fields) this.fields(fields, value as object, place);
    if (!element) return;
    for (const [key, part] of Object.entries(value)) {
      const name = Array.isArray(value) ? String(Number(key) + 1) : key;
      this.#check(element, part, { parent: place, name, kind: 'element' });
    }
  }

  #add(broken: string, value: unknown, place: Place, isTerse = false): void {
    const quoted = isAbsent(value) ? ' null' : ` '${show(value)}'`;
    const shown = isTerse ? '' : quoted;
    const path = showPath(place);
    this.errors.push(`Value${shown} at '${path}' failed to satisfy constraint: ${broken}`);
  }
}

/**
 * Checks the fields of a request against AWS's model, without attribute values. Only what the service, its commands and
 * their tests send is supported, so that nothing is ignored in silence.
 * @throws ServiceError that lists up to ten broken constraints, or names a parameter that is not supported
 */
export const assertFields = (fields: Fields, body: object): void => {
  const checker = new Checker();
  checker.fields(fields, body);
  const errors = checker.errors.slice(0, MAX_ERRORS);
  if (errors.length === 0) return;
  const count = `${errors.length} validation error${errors.length > 1 ? 's' : ''} detected`;
  throw validationError(`${count}: ${errors.join('; ')}`);
};
