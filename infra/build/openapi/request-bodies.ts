import { isNode, type Node, rewrite } from './json.ts';
import { refTo } from './schemas.ts';

/** Marks the request bodies as required that can't be empty: those of schemas with required fields. */
export const requireBodies = (document: Node): Node => {
  const { schemas = {} } = document['components'] as Record<string, Record<string, Node>>;
  const hasRequired = (schema: Node): boolean => {
    const { $ref, required } = schema;
    const target = typeof $ref === 'string' ? schemas[$ref.slice(refTo('').length)] : undefined;
    return Array.isArray(required) || (target !== undefined && hasRequired(target));
  };
  const paths = rewrite(document['paths'], (node) => {
    const body = node['requestBody'];
    if (!isNode(body)) return node;
    const content = body['content'] as Record<string, Node>;
    const isRequired = Object.values(content).some(({ schema }) => hasRequired(schema as Node));
    return isRequired ? { ...node, requestBody: { ...body, required: true } } : node;
  });
  return { ...document, paths };
};
