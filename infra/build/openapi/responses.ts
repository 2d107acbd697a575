import { canonical, isNode, type Node, rewrite } from './json.ts';
import { withComponents } from './schemas.ts';

/** Names a response after the schema of its body. */
const getName = (response: Node): string | undefined => {
  // A request body has content, too, but no description.
  if (typeof response['description'] !== 'string') return undefined;
  const media = isNode(response['content']) ? response['content']['application/json'] : undefined;
  const schema = isNode(media) ? media['schema'] : undefined;
  const $ref = isNode(schema) ? schema['$ref'] : undefined;
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
};

/** Makes components of the successful responses that more than one operation has. */
export const nameResponses = (document: Node): Node => {
  const counts = new Map<string, number>();
  rewrite(document['paths'], (node) => {
    if (getName(node)) counts.set(canonical(node), (counts.get(canonical(node)) ?? 0) + 1);
    return node;
  });
  const named = new Map<string, Node>();
  const paths = rewrite(document['paths'], (node) => {
    const name = getName(node);
    if (name === undefined || (counts.get(canonical(node)) ?? 0) < 2) return node;
    const known = named.get(name);
    if (known && canonical(known) !== canonical(node)) return node;
    named.set(name, node);
    return { $ref: `#/components/responses/${name}` };
  });
  return withComponents({ ...document, paths }, 'responses', [...named]);
};
