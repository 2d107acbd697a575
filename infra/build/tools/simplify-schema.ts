import { isNode, type Node } from '../openapi/json.ts';

/** Keywords that tell a model nothing. */
const dropped = new Set(['$schema', '$defs', 'id', 'examples']);

const isNull = (node: unknown): boolean => isNode(node) && node['type'] === 'null';

/** Returns the schemas of an alternative, those of an alternative in it as well. */
const listAlternatives = (anyOf: readonly unknown[]): unknown[] =>
  anyOf.flatMap((one) =>
    isNode(one) && Array.isArray(one['anyOf']) && Object.keys(one).length === 1
      ? listAlternatives(one['anyOf'])
      : [one],
  );

const withNull = (node: Node): Node => {
  const { type, enum: values, ...rest } = node;
  if (typeof type !== 'string') return { anyOf: [node, { type: 'null' }] };
  return {
    ...rest,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
};

/** Returns a schema that takes the same but null. */
export const withoutNull = (node: Node): Node => {
  const { type, enum: values } = node;
  if (!Array.isArray(type)) return node;
  const types = type.filter((one) => one !== 'null');
  return {
    ...node,
    type: types.length === 1 ? types[0] : types,
    ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
  };
};

/**
 * Returns a JSON schema that accepts the same in fewer words: references are resolved, and patterns beside a format, the largest
 * safe integer and examples are left out. Without `keepsNull`, fields that take null are only optional.
 */
export const simplifySchema = (schema: Node, keepsNull: boolean): Node => {
  const definitions = isNode(schema['$defs']) ? schema['$defs'] : {};

  const simplifyProperties = (properties: Node): Node =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, simplify(property)]),
    );

  const simplifyEntry = (key: string, value: unknown): unknown => {
    if (key === 'properties') return simplifyProperties(value as Node);
    if (Array.isArray(value)) return value.map((one) => (isNode(one) ? simplify(one) : one));
    return isNode(value) ? simplify(value) : value;
  };

  const simplify = (value: unknown): Node => {
    const node = value as Node;
    const { $ref, ...own } = node;
    if (typeof $ref === 'string') {
      const target = definitions[$ref.replace('#/$defs/', '')];
      return simplify({ ...(target as Node), ...own });
    }
    const { anyOf, ...rest } = own;
    if (Array.isArray(anyOf)) {
      const others = listAlternatives(anyOf).filter((one) => !isNull(one));
      const hadNull = listAlternatives(anyOf).some(isNull);
      const [only] = others;
      if (hadNull && others.length === 1 && isNode(only)) {
        const merged = simplify({ ...only, ...rest });
        return keepsNull ? withNull(merged) : merged;
      }
      const all = [...others, ...(hadNull && keepsNull ? [{ type: 'null' }] : [])];
      return { ...simplify(rest), anyOf: all.map(simplify) };
    }
    const entries = Object.entries(own).filter(
      ([key, one]) =>
        !dropped.has(key) &&
        !(key === 'pattern' && 'format' in own) &&
        Math.abs(Number(one)) !== Number.MAX_SAFE_INTEGER &&
        key !== 'additionalProperties',
    );
    const simple = Object.fromEntries(entries.map(([key, one]) => [key, simplifyEntry(key, one)]));
    return keepsNull ? simple : withoutNull(simple);
  };

  return simplify(schema);
};
