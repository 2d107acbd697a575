import { canonical, isNode, type Node } from './json.ts';
import { refTo, withComponents } from './schemas.ts';

interface ObjectSchema extends Node {
  readonly properties: Node;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** With fewer fields in common, a reference costs more than it saves. */
const minFields = 8;

const isObject = (schema: Node): schema is ObjectSchema =>
  isNode(schema['properties']) &&
  Array.isArray(schema['required']) &&
  schema['additionalProperties'] === false;

const extendsSchema = (schema: ObjectSchema, base: ObjectSchema): boolean =>
  schema !== base &&
  Object.entries(base.properties).every(
    ([field, property]) => canonical(schema.properties[field]) === canonical(property),
  ) &&
  base.required.every((field) => schema.required.includes(field));

const without = (schema: ObjectSchema, base: ObjectSchema, name: string): Node => {
  const { additionalProperties, properties, required, type, ...notes } = schema;
  const own = Object.entries(properties).filter(
    ([field]) => !Object.hasOwn(base.properties, field),
  );
  const ownRequired = required.filter((field) => !base.required.includes(field));
  return {
    ...notes,
    type,
    allOf: [{ $ref: refTo(name) }],
    ...(own.length > 0 && { properties: Object.fromEntries(own) }),
    ...(ownRequired.length > 0 && { required: ownRequired }),
    // Unlike `additionalProperties`, it takes the fields of the referenced schema into account.
    unevaluatedProperties: additionalProperties,
  };
};

/** Describes the fields once that a schema has in common with those that extend it, in `<name>Fields`. */
export const nameBaseFields = (document: Node): Node => {
  const components = document['components'] as Record<string, Record<string, Node>>;
  const schemas = { ...components['schemas'] };
  const objects = Object.entries(schemas).flatMap(([name, schema]) =>
    isObject(schema) ? [{ name, schema }] : [],
  );
  const bases = objects.filter(({ schema }) => Object.keys(schema.properties).length >= minFields);
  const added: [string, Node][] = [];
  for (const { name, schema: base } of bases) {
    const extended = objects.filter(
      (one) => schemas[one.name] === one.schema && extendsSchema(one.schema, base),
    );
    const isExtension = objects.some(
      (one) => bases.includes(one) && extendsSchema(base, one.schema),
    );
    if (extended.length === 0 || isExtension) continue;
    const fields = `${name}Fields`;
    const { properties, required, description } = base;
    added.push([
      fields,
      { type: 'object', properties, required, ...(description !== undefined && { description }) },
    ]);
    for (const one of [{ name, schema: base }, ...extended]) {
      schemas[one.name] = without(one.schema, base, fields);
    }
  }
  return withComponents({ ...document, components: { ...components, schemas } }, 'schemas', added);
};
