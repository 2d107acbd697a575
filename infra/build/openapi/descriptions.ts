import { commonFields, particularFields } from './field-texts.ts';
import { isNode, type Node } from './json.ts';
import { refTo } from './schemas.ts';

/** Shared schemas whose description says nothing about a field: any number may be one of those. */
const vague = new Set(['Count', 'Integer', 'PositiveInteger'].map(refTo));

/** Says whether a property describes itself, or refers to a schema that describes it. */
type IsDescribed = (property: Node) => boolean;

const describedBy =
  (schemas: Readonly<Record<string, Node>>): IsDescribed =>
  ({ description, $ref }) => {
    if (description !== undefined) return true;
    if (typeof $ref !== 'string' || vague.has($ref)) return false;
    return schemas[$ref.slice(refTo('').length)]?.['description'] !== undefined;
  };

/** Keywords whose schemas describe the same value as the one around them, or its parts. */
const parts = ['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'] as const;

type DescribeSchema = (schema: Node, path: string) => Node;

/** Returns what describes the properties of a schema, however deep. `path` is where it stands, such as `User.data`. */
const createDescriber = (isDescribed: IsDescribed): DescribeSchema => {
  const describeProperty = (name: string, property: Node, path: string): Node => {
    const described = describeSchema(property, path);
    const particular = particularFields[path];
    const text = particular ?? commonFields[name];
    const isBare = particular ? property['description'] === undefined : !isDescribed(property);
    return isBare && text !== undefined ? { ...described, description: text } : described;
  };

  const describePart = (part: unknown, path: string): unknown => {
    if (Array.isArray(part)) return part.map((one) => describePart(one, path));
    return isNode(part) ? describeSchema(part, path) : part;
  };

  const describeSchema: DescribeSchema = (schema, path) => {
    const { properties } = schema;
    const inner = parts
      .filter((keyword) => schema[keyword] !== undefined)
      .map((keyword) => [keyword, describePart(schema[keyword], path)]);
    const described = Object.entries(isNode(properties) ? properties : {}).map(
      ([name, property]) => [name, describeProperty(name, property as Node, `${path}.${name}`)],
    );
    return {
      ...schema,
      ...Object.fromEntries(inner),
      ...(isNode(properties) && { properties: Object.fromEntries(described) }),
    };
  };

  return describeSchema;
};

const describeParameter = (parameter: unknown, endpoint: string): unknown => {
  if (!isNode(parameter) || parameter['description'] !== undefined) return parameter;
  const name = String(parameter['name']);
  const schema = parameter['schema'] as Node;
  if (schema['description'] !== undefined) {
    const { description, ...rest } = schema;
    return { ...parameter, description, schema: rest };
  }
  if (name === 'id') {
    const isRecord = String(schema['pattern']).includes('\\d');
    return { ...parameter, description: isRecord ? 'The id of the record.' : 'The id, as text.' };
  }
  const text = particularFields[`${endpoint}.${name}`] ?? commonFields[name];
  return { ...parameter, ...(text !== undefined && { description: text }) };
};

const describeOperation = (
  operation: Node,
  endpoint: string,
  describeSchema: DescribeSchema,
): Node => {
  const { parameters, requestBody } = operation;
  const content = isNode(requestBody) ? (requestBody['content'] as Record<string, Node>) : {};
  const bodies = Object.entries(content).map(([type, media]) => [
    type,
    { ...media, schema: describeSchema(media['schema'] as Node, endpoint) },
  ]);
  return {
    ...operation,
    ...(Array.isArray(parameters) && {
      parameters: parameters.map((parameter) => describeParameter(parameter, endpoint)),
    }),
    ...(isNode(requestBody) && {
      requestBody: { ...requestBody, content: Object.fromEntries(bodies) },
    }),
  };
};

/** Describes the properties and parameters whose schemas don't do so themselves. */
export const describeFields = (document: Node): Node => {
  const components = document['components'] as Record<string, Record<string, Node>>;
  const describeSchema = createDescriber(describedBy(components['schemas'] ?? {}));
  const schemas = Object.entries(components['schemas'] ?? {}).map(([name, schema]) => [
    name,
    describeSchema(schema, name),
  ]);
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Node>>).map(
    ([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          describeOperation(operation, `${method.toUpperCase()} ${path}`, describeSchema),
        ]),
      ),
    ],
  );
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
};
