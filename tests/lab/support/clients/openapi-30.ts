import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isNode, type Node, rewrite } from '../../../../infra/build/openapi/json.ts';

const document = join(import.meta.dirname, '../../../../functions/web/docs/built/openapi.json');

/** Names that records have twice, for two kinds of clients (decisions of the API). Where names become snake case, they collide. */
const aliases = { created_at: 'createdAt', updated_at: 'updatedAt' } as const;

const dropAliases = (node: Node): Node => {
  const { properties, required } = node;
  if (!isNode(properties)) return node;
  const dropped = Object.entries(aliases)
    .filter(([alias, name]) => alias in properties && name in properties)
    .map(([alias]) => alias);
  const isKept = (name: string) => !dropped.includes(name);
  return {
    ...node,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    ...(Array.isArray(required) && { required: required.filter(isKept) }),
  };
};

/** OpenAPI 3.0 has no type null. */
const dropNull = (node: Node): Node => {
  const { anyOf, ...others } = node;
  if (!Array.isArray(anyOf)) return node;
  const rest = (anyOf as Node[]).filter(({ type }) => type !== 'null');
  if (rest.length === anyOf.length) return node;
  const [first = {}] = rest;
  if (rest.length > 1) return { ...others, anyOf: rest, nullable: true };
  return { ...others, nullable: true, ...('$ref' in first ? { allOf: rest } : first) };
};

/** Patterns are those of JavaScript, which the generators of other languages copy as they are. */
const dropPattern = (node: Node): Node => {
  const { pattern, ...others } = node;
  return typeof pattern === 'string' ? others : node;
};

/** Writes the document of the API in OpenAPI 3.0, for generators that know no later version. Returns its path. */
export const writeOpenApi30 = async (folder: string): Promise<string> => {
  const file = join(folder, 'openapi-3.0.json');
  await promisify(execFile)('npx', [
    '--yes',
    '@apiture/openapi-down-convert@0.14.2',
    ...['--input', document, '--output', file],
  ]);
  const converted = JSON.parse(await readFile(file, 'utf8'));
  const prepared = rewrite(converted, (node) => dropPattern(dropNull(dropAliases(node))));
  await writeFile(file, JSON.stringify(prepared));
  return file;
};
