import { type ApiDocument, isPart, type Part } from './api-document.ts';

type Resolve = ApiDocument['resolve'];

const count = (value: number): string => value.toLocaleString('en-US');

/** Says between which numbers a value is. A limit of the number format is none. */
const describeRange = (from: unknown, to: unknown, unit = ''): string | undefined => {
  const least = typeof from === 'number' && from > Number.MIN_SAFE_INTEGER ? from : undefined;
  const most = typeof to === 'number' && to < Number.MAX_SAFE_INTEGER ? to : undefined;
  if (least === undefined && most === undefined) return undefined;
  if (least === undefined) return `at most ${count(most ?? 0)}${unit}`;
  if (most === undefined) return `at least ${count(least)}${unit}`;
  return least === most ? `${count(least)}${unit}` : `${count(least)} to ${count(most)}${unit}`;
};

/** Says which values of a schema are valid, beside their type. */
const describeBounds = (schema: Part): string[] =>
  [
    schema['format'] && String(schema['format']),
    describeRange(schema['minLength'], schema['maxLength'], ' characters'),
    describeRange(schema['minimum'], schema['maximum']),
    typeof schema['exclusiveMinimum'] === 'number' &&
      `more than ${count(schema['exclusiveMinimum'])}`,
    describeRange(schema['minItems'], schema['maxItems'], ' items'),
    // A format such as date-time says it in fewer words.
    schema['pattern'] && !schema['format'] && `matches ${schema['pattern']}`,
    schema['default'] !== undefined && `default ${JSON.stringify(schema['default'])}`,
  ].filter((text) => typeof text === 'string');

const typesOf = ({ type }: Part): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');

const describeValue = (schema: Part, resolve: Resolve): string => {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(String).join(', ');
  const names = typesOf(schema).map((name) => {
    const { items } = schema;
    if (name !== 'array' || !isPart(items)) return name;
    return `array of ${describeType(resolve(items), resolve)}`;
  });
  return names.join(' or ') || (isPart(schema['properties']) ? 'object' : 'any value');
};

/** Returns the type of a schema with its bounds, such as `string · 3 to 64 characters`. */
export const describeType = (schema: Part, resolve: Resolve): string => {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const kinds = anyOf.map((one: Part) => describeType(resolve(one), resolve));
    return [...new Set(kinds)].join(' or ');
  }
  return [describeValue(schema, resolve), ...describeBounds(schema)].join(' · ');
};

/** A field of an object, or of an object within it. */
export interface Field {
  /** Such as `data.items[].id`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

/** How deep fields of fields are listed. Some schemas contain themselves. */
const maxDepth = 3;

/** Returns the object with the fields of all that it extends. */
const mergeBases = (schema: Part, resolve: Resolve): Part => {
  if (!Array.isArray(schema['allOf'])) return schema;
  const all = [...schema['allOf'].map((one: Part) => mergeBases(resolve(one), resolve)), schema];
  return {
    ...schema,
    properties: Object.assign({}, ...all.map((one) => one['properties'])),
    required: all.flatMap((one) => (one['required'] as string[] | undefined) ?? []),
  };
};

/** Returns the object within a schema: the items of a list, or what is not null. */
const findObject = (schema: Part, resolve: Resolve): readonly [suffix: string, object: Part][] => {
  const { items, anyOf } = schema;
  if (isPart(items)) {
    return findObject(resolve(items), resolve).map(([suffix, object]) => [`[]${suffix}`, object]);
  }
  if (Array.isArray(anyOf)) return anyOf.flatMap((one: Part) => findObject(resolve(one), resolve));
  const merged = mergeBases(schema, resolve);
  return isPart(merged['properties']) ? [['', merged]] : [];
};

const listProperties = (object: Part, resolve: Resolve, prefix: string, depth: number): Field[] => {
  const required = new Set((object['required'] as string[] | undefined) ?? []);
  return Object.entries(object['properties'] as Record<string, Part>).flatMap(([key, property]) => {
    const schema = resolve(property);
    const name = `${prefix}${key}`;
    const description = schema['description'];
    const inner =
      depth >= maxDepth
        ? []
        : findObject(schema, resolve).flatMap(([suffix, object]) =>
            listProperties(object, resolve, `${name}${suffix}.`, depth + 1),
          );
    return [
      {
        name,
        type: describeType(schema, resolve),
        isRequired: required.has(key),
        description: typeof description === 'string' ? description : undefined,
      },
      ...inner,
    ];
  });
};

/** Lists the fields of a schema, for each of the objects that it can be. */
export const listFields = (schema: Part, resolve: Resolve): readonly (readonly Field[])[] =>
  findObject(resolve(schema), resolve).map(([suffix, object]) =>
    listProperties(object, resolve, suffix && `${suffix}.`, 1),
  );
