import {
  type ApiDocument,
  isPart,
  type Media,
  type Operation,
  type Parameter,
  type Part,
} from './api-document.ts';
import { exampleOrigin } from './origin.ts';

type Resolve = ApiDocument['resolve'];

/** Ids as the service makes them, of the kinds that the parameters of paths have. */
const sampleIds = ['244212480004096', '1764072000000-3f0f8a1e', 'mZ3kP0cWbq7x1VvH9sTt2A'] as const;

const sampleTexts: Readonly<Record<string, string>> = {
  start: '2026-12-01',
  file: 'notes.md',
  search: 'ann',
  version: '3',
};

/** What makes a request of an operation useful whose parameters are all optional. */
const sampleQueries: Readonly<Record<string, string>> = {
  getShareOrListShares: 'mine=true',
};

const fits = (text: string, { type, pattern }: Part): boolean =>
  type === 'integer'
    ? /^\d+$/.test(text)
    : typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);

/** Returns a valid value of a parameter or of a field of a form. */
const createSample = (name: string, schema: Part): string => {
  const { examples, enum: values } = schema;
  const stated = [examples, values].find((one) => Array.isArray(one))?.[0];
  if (stated !== undefined) return String(stated);
  const isRecord = typeof schema['pattern'] === 'string' && schema['pattern'].includes('[1-9]');
  const candidates = [
    sampleTexts[name],
    ...(isRecord ? sampleIds : sampleIds.toReversed()),
    'battery staple',
  ];
  const found = candidates.find((text) => text !== undefined && fits(text, schema));
  if (found === undefined) throw new Error(`There is no example of ${name}`);
  return found;
};

/** Returns the first example of a body. */
export const findExample = ({ schema, example }: Media, resolve: Resolve): unknown => {
  if (example !== undefined) return example;
  if (!schema) return undefined;
  const { examples, anyOf } = resolve(schema);
  if (Array.isArray(examples)) return examples[0];
  const options = (Array.isArray(anyOf) ? anyOf : []) as Part[];
  return options
    .map((one) => findExample({ schema: one }, resolve))
    .find((one) => one !== undefined);
};

/** Returns the first body of an operation and its content type. */
const firstBody = ({ body = {} }: Operation): readonly [type: string, media: Media] | undefined =>
  Object.entries(body)[0];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const listFormFields = (media: Media, resolve: Resolve): (readonly [string, string])[] => {
  const { properties, required } = resolve(media.schema ?? {});
  const names = (required as string[] | undefined) ?? [];
  return Object.entries(isPart(properties) ? properties : {})
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([name, schema]) => {
      const field = resolve(schema as Part);
      const isFile = field['format'] === 'binary';
      return [name, isFile ? '@notes.md' : createSample(name, field)];
    });
};

const bodyLines = (operation: Operation, resolve: Resolve): string[] => {
  const [type, media] = firstBody(operation) ?? [];
  if (!type || !media) return [];
  if (type === 'application/json') {
    const value = JSON.stringify(findExample(media, resolve), undefined, 2);
    return ['-H "Content-Type: application/json"', `-d ${quote(value)}`];
  }
  const option = type === 'multipart/form-data' ? '-F' : '--data-urlencode';
  return listFormFields(media, resolve).map(
    ([name, value]) => `${option} ${quote(`${name}=${value}`)}`,
  );
};

const fillPath = ({ path, parameters }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(createSample(name, found?.schema ?? {}));
  });

const queryOf = ({ operationId, parameters }: Operation): string => {
  const isNeeded = ({ in: place, required }: Parameter) => place === 'query' && required === true;
  const query =
    sampleQueries[operationId] ??
    new URLSearchParams(
      parameters.filter(isNeeded).map(({ name, schema }) => [name, createSample(name, schema)]),
    ).toString();
  return query && `?${query}`;
};

/** Returns a command that calls an operation, with an API token in `$TOKEN` where one is needed. */
export const createCurl = (operation: Operation, resolve: Resolve): string => {
  const { method, access, operationId } = operation;
  const body = bodyLines(operation, resolve);
  const impliedMethod = body.length > 0 ? 'POST' : 'GET';
  const isAnonymous = access === 'public' || (access === 'optional' && !sampleQueries[operationId]);
  return [
    `curl ${method === impliedMethod ? '' : `-X ${method} `}"${exampleOrigin}${fillPath(operation)}${queryOf(operation)}"`,
    ...(isAnonymous ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...body,
  ].join(' \\\n  ');
};
