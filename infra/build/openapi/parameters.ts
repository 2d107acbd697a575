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

/** Makes components of the parameters that more than one operation has. Of several that would have one name, the most frequent gets it. */
export const nameParameters = (document: Node): Node => {
  const { paths, webhooks } = document;
  const operations: Node = { paths, webhooks };
  const counts = new Map<string, number>();
  rewrite(operations, (node) => {
    if (isParameter(node)) counts.set(canonical(node), (counts.get(canonical(node)) ?? 0) + 1);
    return node;
  });
  const byName = new Map<string, string>();
  rewrite(operations, (node) => {
    if (!isParameter(node)) return node;
    const [name, text] = [getName(node), canonical(node)];
    const most = counts.get(byName.get(name) ?? '') ?? 0;
    if ((counts.get(text) ?? 0) > most) byName.set(name, text);
    return node;
  });
  const named = new Map<string, Node>();
  const rewritten = rewrite(operations, (node) => {
    if (!isParameter(node) || (counts.get(canonical(node)) ?? 0) < 2) return node;
    const name = getName(node);
    if (canonical(node) !== byName.get(name)) return node;
    named.set(name, node);
    return { $ref: `#/components/parameters/${name}` };
  });
  return withComponents({ ...document, ...(rewritten as Node) }, 'parameters', [...named]);
};
