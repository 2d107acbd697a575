import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** An operation with its parameters, responses and headers in the place of references to them. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly unknown[];
  readonly 'x-access': string;
  readonly 'x-scope'?: string;
  readonly 'x-audit'?: string;
  readonly 'x-plain-text'?: true;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

type Part = Readonly<Record<string, unknown>>;

/** Prepares an OpenAPI document for looking up its operations and checking answers. */
// biome-ignore lint/suspicious/noExplicitAny: JSON.
export const describeDocument = (document: any) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'document');

  /** Returns the component that a part refers to, with what stands beside the reference, or the part itself. */
  const resolve = (part: Part): Part => {
    const { $ref, ...beside } = part;
    if (typeof $ref !== 'string') return part;
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((parent, name) => (parent as Part)[name], document);
    return { ...(found as Part), ...beside };
  };

  const resolveEach = (parts: unknown = {}): Part =>
    Object.fromEntries(
      Object.entries(parts as Readonly<Record<string, Part>>).map(([name, part]) => [
        name,
        resolve(part),
      ]),
    );

  const resolveOperation = (operation: Part): Operation => {
    const responses = Object.entries(
      resolveEach(operation['responses']) as Record<string, Part>,
    ).map(([status, { headers, ...response }]) => [
      status,
      { ...response, ...(headers !== undefined && { headers: resolveEach(headers) }) },
    ]);
    const parameters = ((operation['parameters'] ?? []) as Part[]).map(resolve);
    return {
      ...operation,
      parameters,
      responses: Object.fromEntries(responses),
    } as unknown as Operation;
  };

  const operations = new Map<string, Operation>(
    Object.entries(document.paths as Record<string, Record<string, Part>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(
          ([method, operation]) =>
            [`${method.toUpperCase()} ${path}`, resolveOperation(operation)] as const,
        ),
    ),
  );

  /** Returns what the document says of a route; `undefined` for those of the snippets' host, which it leaves out. */
  const operationOf = (method: string, path: string): Operation | undefined =>
    operations.get(`${method} ${path.replace('+}', '}')}`);

  const validators = new WeakMap<object, ValidateFunction>();
  const validatorsByText = new Map<string, ValidateFunction>();

  const compile = (schema: object): ValidateFunction => {
    // Otherwise a reference would be resolved within this schema.
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validator = validatorsByText.get(text) ?? ajv.compile(JSON.parse(text));
    validatorsByText.set(text, validator);
    return validator;
  };

  /** Returns the check of a schema of the document. */
  const validatorOf = (schema: Readonly<Record<string, unknown>>): ValidateFunction => {
    const validator = validators.get(schema) ?? compile(schema);
    validators.set(schema, validator);
    return validator;
  };

  /** Returns the examples of a body: its own, or those of the schemas that it can have. */
  const examplesOf = ({ schema = {}, example }: Media): readonly unknown[] => {
    if (example !== undefined) return [example];
    const { examples, anyOf } = resolve(schema);
    if (Array.isArray(examples)) return examples;
    return ((anyOf ?? []) as Part[]).flatMap((one) => examplesOf({ schema: one }));
  };

  /**
   * Throws unless the document names the answer's status and content type, and its body fits the schema.
   * Routes that the document leaves out, such as those of the snippets' host, pass.
   */
  const checkAnswer = (
    endpoint: string,
    { status, contentType, body }: { status: number; contentType: string; body: unknown },
  ): void => {
    const [method = '', path = ''] = endpoint.split(' ');
    const operation = operationOf(method === 'HEAD' ? 'GET' : method, path);
    if (!operation) return;
    const response = operation.responses[String(status)];
    if (!response)
      throw new Error(`${endpoint} answered ${status}, which its document doesn't name`);
    if (method === 'HEAD' || !response.content) return;
    const mediaType = contentType.split(';')[0] ?? '';
    if (mediaType === 'text/plain' && operation['x-plain-text']) return;
    const content = response.content[mediaType] ?? response.content['*/*'];
    if (!content) throw new Error(`${endpoint} answered ${status} as ${mediaType}, which is new`);
    // A string under JSON is a file, sent as it lies.
    if (!content.schema || mediaType !== 'application/json' || typeof body === 'string') return;
    const check = validatorOf(content.schema);
    if (!check(body)) {
      throw new Error(`${endpoint} answered ${status} with ${ajv.errorsText(check.errors)}`);
    }
  };

  return { document, operationOf, validatorOf, examplesOf, checkAnswer };
};
