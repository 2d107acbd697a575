import { createHash } from 'node:crypto';

const header = (document: string, types: string): string =>
  `// ${createHash('sha256').update(`${document}\n${types}`).digest('hex')}\n`;

/** Returns whether a text is what `createApiTypes` returned for the OpenAPI document. */
export const areTypesOf = (document: string, text: string): boolean => {
  const end = text.indexOf('\n') + 1;
  return text.slice(0, end) === header(document, text.slice(end));
};

/** Returns the types of an OpenAPI document, with their checksum in the first line. */
export const createApiTypes = async (document: string): Promise<string> => {
  // Loads a compiler, which takes longer than the rest.
  const { astToString, default: createTypes } = await import('openapi-typescript');
  const types = astToString(await createTypes(JSON.parse(document)));
  return header(document, types) + types;
};
