import { isNode, type Node, rewrite } from './json.ts';

/** What a field of this name means wherever its schema doesn't say. */
export const commonFields: Readonly<Record<string, string>> = {};

/** Describes the properties and parameters that don't describe themselves and have a common name. */
export const describeFields = (document: Node): Node =>
  rewrite(document, (node) => {
    if (isNode(node['schema']) && typeof node['name'] === 'string' && !node['description']) {
      const description = node['schema']['description'] ?? commonFields[node['name']];
      return description ? { ...node, description } : node;
    }
    const { properties } = node;
    if (!isNode(properties)) return node;
    const described = Object.entries(properties).map(([name, property]) => {
      const isBare = isNode(property) && !property['description'] && !property['$ref'];
      const description = isBare ? commonFields[name] : undefined;
      return [name, description ? { ...(property as Node), description } : property];
    });
    return { ...node, properties: Object.fromEntries(described) };
  }) as Node;
