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

/** Returns the constraints that a value breaks. */
function* findBroken({ type, min, max, pattern, values }: Rule, value: unknown): Generator<string> {
  if (type === 'integer') {
    const number = Number(value);
    if (min !== undefined && number < min) {
      yield `Member must have value greater than or equal to ${min}`;
    }
    return;
  }
  if (values && !values.includes(String(value))) {
    yield `Member must satisfy enum value set: [${values.join(', ')}]`;
  }
  if (pattern !== undefined && value !== '' && !new RegExp(`^${pattern}$`).test(String(value))) {
    yield `Member must satisfy regular expression pattern: ${pattern}`;
  }
  if (min !== undefined && sizeOf(value) < min) {
    yield `Member must have length greater than or equal to ${min}`;
  }
  if (max !== undefined && sizeOf(value) > max) {
    yield `Member must have length less than or equal to ${max}`;
  }
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** Checks a request. Collects broken constraints as AWS does. */
class Checker {
  readonly errors: string[] = [];

  field(rule: Rule, value: unknown, path: string): void {
    if (isAbsent(value)) {
      if (rule.required) this.#add('Member must not be null', value, path);
      return;
    }
    const expected = jsonTypes[rule.type];
    if (expected !== '' && jsonType(value) !== expected) {
      throw requestError(400, 'SerializationException', `Unexpected type of the field ${path}`);
    }
    for (const broken of findBroken(rule, value)) this.#add(broken, value, path, rule.isTerse);
    const { of: element, fields } = rule;
    if (fields) this.fields(fields, value as object, `${path}.`);
    if (!element) return;
    for (const [name, part] of Object.entries(value)) {
      const index = Array.isArray(value) ? Number(name) + 1 : name;
      this.field(element, part, `${path}.${index}.member`);
    }
  }

  fields(fields: Fields, body: object, prefix = ''): void {
    for (const [name, rule] of Object.entries(fields)) {
      const path = rule.isTerse && prefix === '' ? name : lowerFirst(name);
      this.field(rule, (body as Record<string, unknown>)[name], prefix + path);
    }
  }

  #add(broken: string, value: unknown, path: string, isTerse = false): void {
    const quoted = isAbsent(value) ? ' null' : ` '${show(value)}'`;
    const shown = isTerse ? '' : quoted;
    this.errors.push(`Value${shown} at '${path}' failed to satisfy constraint: ${broken}`);
  }
}

/**
 * Checks the fields of a request against AWS's model, without attribute values.
 * @throws ServiceError that lists up to ten broken constraints
 */
export const assertFields = (fields: Fields, body: object): void => {
  const checker = new Checker();
  checker.fields(fields, body);
  const errors = checker.errors.slice(0, MAX_ERRORS);
  if (errors.length === 0) return;
  const count = `${errors.length} validation error${errors.length > 1 ? 's' : ''} detected`;
  throw validationError(`${count}: ${errors.join('; ')}`);
};
