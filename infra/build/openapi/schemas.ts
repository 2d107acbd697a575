import * as z from 'zod';
import { idField } from '../../../shared/db/ids.ts';
import { Email } from '../../../shared/input/fields.ts';
import { Timestamp } from '../../../shared/lists/time-bounds.ts';
import { canonical, isNode, type Node, rewrite } from './json.ts';

/** Schemas that many fields have, under the names that the document gives them. */
const sharedSchemas: readonly (readonly [name: string, schema: z.ZodType, description: string])[] =
  [
    ['PositiveInteger', z.int().positive(), 'A whole number above 0.'],
    ['IdInput', idField('a record'), 'The id of a record or user, as a number or as its digits.'],
    ['Timestamp', z.iso.datetime(), 'A time in UTC (ISO 8601).'],
    ['TimestampInput', z.iso.datetime({ offset: true }), 'A time with an offset (ISO 8601).'],
    ['TimeOrDay', Timestamp, 'A time with an offset, or a day of UTC (ISO 8601).'],
    ['Email', Email, 'An email address. Case is ignored.'],
    ['Count', z.int().nonnegative(), 'A number of things.'],
    ['Integer', z.int(), 'A whole number.'],
  ];

/** What may stand beside a reference. */
const annotations = ['description', 'examples', 'default', 'readOnly'];

const split = (schema: Node): readonly [shape: Node, notes: Node] => {
  const entries = Object.entries(schema);
  const isNote = ([key]: readonly [string, unknown]) => annotations.includes(key);
  return [
    Object.fromEntries(entries.filter((entry) => !isNote(entry))),
    Object.fromEntries(entries.filter(isNote)),
  ];
};

const getShape = (schema: z.ZodType): Node => {
  const { $schema, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape as Node;
};

/** Returns the reference to a schema by its name. */
export const refTo = (name: string): string => `#/components/schemas/${name}`;

/** Replaces copies of one shape by references to it. */
const refer = <Part>(part: Part, name: string, shape: Node): Part => {
  const [text, size] = [canonical(shape), Object.keys(shape).length];
  return rewrite(part, (node) => {
    const [own, notes] = split(node);
    const isCopy = Object.keys(own).length === size && canonical(own) === text;
    return isCopy ? { $ref: refTo(name), ...notes } : node;
  }) as Part;
};

/** Replaces copies of the shared schemas by references, and adds those that are used to the document's components. */
export const nameSharedSchemas = (document: Node): Node => {
  let rewritten = document;
  const components: (readonly [name: string, component: Node])[] = [];
  for (const [name, schema, description] of sharedSchemas) {
    // A shape may contain those before it.
    const shape = components.reduce(
      (part, [known, { description: _, ...knownShape }]) => refer(part, known, knownShape),
      getShape(schema),
    );
    rewritten = refer(rewritten, name, shape);
    components.push([name, { ...shape, description }]);
  }
  const used = JSON.stringify([rewritten, components]);
  return withComponents(
    rewritten,
    'schemas',
    components.filter(([name]) => used.includes(`"${refTo(name)}"`)),
  );
};

/** Returns the document with more components of a kind, all of them in the order of their names. */
export const withComponents = (
  document: Node,
  kind: string,
  added: readonly (readonly [name: string, component: unknown])[],
): Node => {
  const components = document['components'] as Record<string, Node>;
  const known = components[kind] ?? {};
  const twice = added.find(([name]) => Object.hasOwn(known, name));
  if (twice) throw new Error(`The document has two ${kind} called ${twice[0]}`);
  const all = [...Object.entries(known), ...added].sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, components: { ...components, [kind]: Object.fromEntries(all) } };
};

const nameOfRef = (schema: unknown): string | undefined => {
  const $ref = isNode(schema) ? schema['$ref'] : undefined;
  return typeof $ref === 'string' ? $ref.slice(refTo('').length) : undefined;
};

const getExample = (document: Node, name: string): unknown => {
  const { schemas } = document['components'] as { schemas: Record<string, Node> };
  return (schemas[name]?.['examples'] as unknown[] | undefined)?.[0];
};

/** Names the envelope of a response by what is in its `data`: a `Document` makes a `DocumentResponse`. */
const getEnvelope = (document: Node, schema: Node) => {
  const data = isNode(schema['properties']) ? schema['properties']['data'] : undefined;
  if (!isNode(data)) return undefined;
  const [one, each] = [nameOfRef(data), nameOfRef(data['items'])];
  const name = one ?? each;
  if (name === undefined) return undefined;
  const example = getExample(document, name);
  return {
    name: one ? `${name}Response` : `${name}ListResponse`,
    schema: { ...schema, examples: [{ success: true, data: one ? example : [example] }] },
  };
};

/** Gives names to the envelopes that responses have, each with an example. */
export const nameEnvelopes = (document: Node): Node => {
  const envelopes = new Map<string, Node>();
  const paths = rewrite(document['paths'], (node) => {
    const media = node['application/json'];
    const schema = isNode(media) ? media['schema'] : undefined;
    const envelope = isNode(schema) ? getEnvelope(document, schema) : undefined;
    if (!envelope) return node;
    const { name } = envelope;
    const known = envelopes.get(name);
    if (known && canonical(known) !== canonical(envelope.schema)) {
      throw new Error(`Two responses would be called ${name}: give one of them an id`);
    }
    envelopes.set(name, envelope.schema);
    return { ...node, 'application/json': { ...(media as Node), schema: { $ref: refTo(name) } } };
  }) as Node;
  return withComponents({ ...document, paths }, 'schemas', [...envelopes]);
};

/** Keeps the examples of bodies only: those of their parts would repeat them. */
export const dropInnerExamples = (document: Node): Node => {
  const components = document['components'] as Record<string, Record<string, Node>>;
  const named = components['schemas'] ?? {};
  const bodies = new Set<string>();
  const addBody = (schema: unknown): void => {
    const name = nameOfRef(schema);
    if (name !== undefined) bodies.add(name);
    const found = name === undefined ? schema : named[name];
    for (const one of (isNode(found) ? (found['anyOf'] ?? []) : []) as unknown[]) addBody(one);
  };
  rewrite(document, (node) => {
    const media = node['application/json'];
    if (isNode(media)) addBody(media['schema']);
    return node;
  });
  const schemas = Object.entries(named).map(([name, { examples, ...schema }]) => [
    name,
    { ...schema, ...(bodies.has(name) && examples !== undefined && { examples }) },
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
};

/** Says in the type of a schema that it may be null, instead of by an alternative. */
export const flattenNullable = (document: Node): Node =>
  rewrite(document, (node) => {
    const { anyOf, ...rest } = node;
    if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
    const [schema, other] = anyOf as [Node, Node];
    const isNull = canonical(other) === canonical({ type: 'null' });
    const { type, description, ...rules } = schema;
    // What limits values of any type would refuse null.
    if (!isNull || typeof type !== 'string' || 'enum' in rules || 'const' in rules) return node;
    return {
      ...rules,
      type: [type, 'null'],
      ...(description !== undefined && { description }),
      ...rest,
    };
  }) as Node;
