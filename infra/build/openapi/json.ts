/** A JSON Schema, or any other object of the document. */
export interface Node {
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the same text for objects that differ only in the order of their keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isNode(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** Keys of values that are data, not parts of the document. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Returns a copy in which `replace` has changed every object, inner ones first. */
export const rewrite = (value: unknown, replace: (node: Node) => Node): unknown => {
  if (Array.isArray(value)) return value.map((entry) => rewrite(entry, replace));
  if (!isNode(value)) return value;
  const rewritten = Object.entries(value).map(([key, part]) => [
    key,
    dataKeys.has(key) ? part : rewrite(part, replace),
  ]);
  return replace(Object.fromEntries(rewritten));
};
