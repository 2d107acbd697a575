import { canonical, isNode, type Node, rewrite } from './json.ts';
import { toPascal } from './names.ts';
import { withComponents } from './schemas.ts';

/** Where parameters of one name differ, each that several routes have is called after what tells it apart. */
const getName = (parameter: Node): string => {
  const { name, schema } = parameter as { name: string; schema: Node };
  const plain = toPascal(name);
  if (name === 'id') return String(schema['pattern']).includes('\\d') ? 'RecordId' : 'SecretId';
  const [first] = (schema['enum'] ?? []) as string[];
  return name === 'sort' && first !== undefined ? `SortBy${toPascal(first)}` : plain;
};

const isParameter = (node: Node): boolean =>
  typeof node['in'] === 'string' && typeof node['name'] === 'string' && isNode(node['schema']);

/** Makes components of the parameters that more than one operation has. */
export const nameParameters = (document: Node): Node => {
  const counts = new Map<string, number>();
  rewrite(document['paths'], (node) => {
    if (isParameter(node)) counts.set(canonical(node), (counts.get(canonical(node)) ?? 0) + 1);
    return node;
  });
  const named = new Map<string, Node>();
  const paths = rewrite(document['paths'], (node) => {
    if (!isParameter(node) || (counts.get(canonical(node)) ?? 0) < 2) return node;
    const name = getName(node);
    const known = named.get(name);
    if (known && canonical(known) !== canonical(node)) {
      throw new Error(`Two parameters would be called ${name}`);
    }
    named.set(name, node);
    return { $ref: `#/components/parameters/${name}` };
  });
  return withComponents({ ...document, paths }, 'parameters', [...named]);
};
