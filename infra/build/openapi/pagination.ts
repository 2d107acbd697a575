import { canonical, isNode, type Node, rewrite } from './json.ts';
import { refTo, withComponents } from './schemas.ts';

const fields = ['total', 'totalIsExact', 'page', 'pageSize', 'totalPages', 'nextCursor'];

const pick = (properties: Node): Node =>
  Object.fromEntries(fields.map((field) => [field, properties[field]]));

/** Makes one component of the fields that every list has beside its items. */
export const namePagination = (document: Node): Node => {
  let pagination: Node | undefined;
  const rewritten = rewrite(document, (node) => {
    const { properties, required } = node;
    if (!isNode(properties) || !Array.isArray(required) || !properties['items']) return node;
    if (!fields.every((field) => isNode(properties[field]))) return node;
    const shared = pick(properties);
    pagination ??= shared;
    if (canonical(shared) !== canonical(pagination)) return node;
    const own = Object.entries(properties).filter(([field]) => !fields.includes(field));
    const { additionalProperties, ...rest } = node;
    return {
      ...rest,
      allOf: [{ $ref: refTo('Pagination') }],
      properties: Object.fromEntries(own),
      required: required.filter((field) => !fields.includes(field)),
      unevaluatedProperties: additionalProperties,
    };
  }) as Node;
  if (!pagination) return document;
  const schema = {
    type: 'object',
    description: 'The position of a page in a list.',
    properties: pagination,
    required: fields,
  };
  return withComponents(rewritten, 'schemas', [['Pagination', schema]]);
};
