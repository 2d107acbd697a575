import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { hosts, listGroups } from '../../../functions/routes.ts';
import type { Host } from '../../../shared/http/host.ts';
import type { Access, Route } from '../../../shared/http/route.ts';
import type { Parameter } from '../../support/openapi/describe-document.ts';
import { document, operationOf } from '../../support/openapi/document.ts';
import type { Schema } from './schema.ts';

/** The place of a value in a request. */
export type Place = Parameter['in'];
export type { Parameter };

/** A route as described by the OpenAPI document. */
export interface Operation {
  readonly endpoint: string;
  readonly method: Route['method'];
  readonly path: string;
  readonly group: string;
  readonly access: Access;
  readonly scope: Route['scope'];
  readonly accepts: Route['accepts'];
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Returns whether the document allows this body. */
  fitsBody(body: unknown): boolean;
  /** Returns whether the document allows these parameters, which are strings. */
  fitsParameters(place: Place, values: Readonly<Record<string, string>>): boolean;
}

export const schemas = document.components.schemas as Readonly<Record<string, Schema>>;

const ajvOf = (coerceTypes: boolean) => {
  // This version of JSON Schema doesn’t enforce formats, only patterns.
  const ajv = new Ajv2020({ strict: false, coerceTypes, validateFormats: false });
  ajv.addSchema(document, 'document');
  return ajv;
};
const [exact, coercing] = [ajvOf(false), ajvOf(true)];

const always = (): boolean => true;

/** Returns a schema with absolute references to the document's components. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));

const compileBody = (schema: Schema | undefined): ((body: unknown) => boolean) => {
  if (!schema) return always;
  const check: ValidateFunction = exact.compile(absolute(schema));
  return (body) => check(body);
};

const compileParameters = (parameters: readonly Parameter[]) => {
  const checkOf = (place: Place) => {
    const own = parameters.filter((one) => one.in === place);
    const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
    const required = own.filter((one) => one.required).map(({ name }) => name);
    return coercing.compile(absolute({ type: 'object', properties, required }));
  };
  const checks = { path: checkOf('path'), query: checkOf('query'), header: checkOf('header') };
  return (place: Place, values: Readonly<Record<string, string>>) => checks[place]({ ...values });
};

const parametersOfPath = (path: string): Parameter[] =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => ({
    in: 'path',
    name,
    schema: { type: 'string' },
    required: true,
  }));

const toOperation = (group: string, route: Route): Operation => {
  const { method, path, access, scope, accepts } = route;
  const documented = operationOf(method, path);
  const parameters = documented?.parameters ?? parametersOfPath(path);
  const [body] = Object.values(documented?.requestBody?.content ?? {});
  return {
    ...{ endpoint: `${method} ${path}`, method, path, group, access, scope, accepts, parameters },
    body: body?.schema as Schema | undefined,
    fitsBody: compileBody(body?.schema as Schema | undefined),
    fitsParameters: compileParameters(parameters),
  };
};

/** Returns every route of all hosts with its description in the document. */
export const allOperations = (): Operation[] =>
  (Object.keys(hosts) as Host[])
    .flatMap(listGroups)
    .flatMap(({ name, routes }) => routes.map((route) => toOperation(name, route)));
