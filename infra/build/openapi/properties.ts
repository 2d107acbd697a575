import { canonical, isNode, type Node, rewrite } from './json.ts';
import { toPascal } from './names.ts';
import { refTo, withComponents } from './schemas.ts';

/** A reference takes about so many characters; a property that is hardly longer stays where it is. */
const minLength = 60;
const minCopies = 4;

interface Copies {
  readonly name: string;
  readonly schema: Node;
  count: number;
}

const isWorthNaming = (schema: unknown): schema is Node =>
  isNode(schema) && !isNode(schema['properties']) && JSON.stringify(schema).length > minLength;

const countCopies = (schemas: Node): Map<string, Copies> => {
  const all = new Map<string, Copies>();
  rewrite(schemas, (node) => {
    for (const [field, schema] of Object.entries(
      isNode(node['properties']) ? node['properties'] : {},
    )) {
      if (!isWorthNaming(schema)) continue;
      const key = `${field} ${canonical(schema)}`;
      const copies = all.get(key) ?? { name: toPascal(field), schema, count: 0 };
      copies.count += 1;
      all.set(key, copies);
    }
    return node;
  });
  return all;
};

/** Makes components of the properties that several schemas have; of two with the same name, of the one with more copies. */
export const nameProperties = (document: Node): Node => {
  const { schemas = {} } = document['components'] as Record<string, Node>;
  const taken = new Set(Object.keys(schemas));
  const named = new Map<string, Copies>();
  const copies = [...countCopies(schemas)].sort(([, one], [, other]) => other.count - one.count);
  for (const [key, one] of copies) {
    const name = taken.has(one.name) ? `${one.name}Field` : one.name;
    if (one.count < minCopies || taken.has(name)) continue;
    taken.add(name);
    named.set(key, { ...one, name });
  }
  const rewritten = rewrite(schemas, (node) => {
    if (!isNode(node['properties'])) return node;
    const properties = Object.entries(node['properties']).map(([field, schema]) => {
      const known = isNode(schema) ? named.get(`${field} ${canonical(schema)}`) : undefined;
      return [field, known ? { $ref: refTo(known.name) } : schema];
    });
    return { ...node, properties: Object.fromEntries(properties) };
  }) as Node;
  const components = { ...(document['components'] as Node), schemas: rewritten };
  return withComponents(
    { ...document, components },
    'schemas',
    [...named.values()].map(({ name, schema }) => [name, schema]),
  );
};
