/** A part of the OpenAPI document: a schema, a response, or any other object. */
export interface Part {
  readonly [key: string]: unknown;
}

export const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Part;
}

export interface Media {
  readonly schema?: Part;
  readonly example?: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Part;
  readonly content?: Readonly<Record<string, Media>>;
}

/** An operation, without references but those of its schemas. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: string;
  readonly scope?: string;
  readonly auditAction?: string;
  readonly parameters: readonly Parameter[];
  readonly body?: Readonly<Record<string, Media>>;
  readonly responses: readonly (ApiResponse & {
    readonly status: string;
    /** Whether the response is described in the same words for all operations. */
    readonly isStandard: boolean;
  })[];
}

/** A group of operations. */
export interface Group {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The OpenAPI document as the API reference reads it. */
export interface ApiDocument {
  readonly version: string;
  readonly description: string;
  readonly groups: readonly Group[];
  /** The errors of all operations. */
  readonly errors: readonly ApiResponse[];
  /** Returns what a part refers to, with what stands beside the reference, or the part itself. */
  resolve(part: Part): Part;
}

/** Returns the code of an error in the error envelope. */
export const getErrorCode = ({ content }: Pick<ApiResponse, 'content'>): string | undefined => {
  const example = content?.['application/json']?.example as
    | { readonly error?: { readonly code?: string } }
    | undefined;
  return example?.error?.code;
};

const listGroups = (document: Part, resolve: ApiDocument['resolve']): Group[] => {
  const toOperation = (method: string, path: string, operation: Part): Operation => {
    const { requestBody, parameters = [], responses, ...rest } = operation;
    const known = rest as unknown as Pick<Operation, 'operationId' | 'summary' | 'description'>;
    const body = isPart(requestBody) ? (requestBody['content'] as Operation['body']) : undefined;
    return {
      ...known,
      method: method.toUpperCase(),
      path,
      access: String(operation['x-access']),
      ...(operation['x-scope'] !== undefined && { scope: String(operation['x-scope']) }),
      ...(operation['x-audit'] !== undefined && { auditAction: String(operation['x-audit']) }),
      parameters: (parameters as Part[]).map((one) => resolve(one) as unknown as Parameter),
      ...(body && { body }),
      responses: Object.entries(responses as Record<string, Part>).map(([status, response]) => ({
        ...(resolve(response) as unknown as ApiResponse),
        status,
        isStandard: response['$ref'] !== undefined && response['description'] === undefined,
      })),
    };
  };
  const operations = Object.entries(
    document['paths'] as Record<string, Record<string, Part>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tags: operation['tags'] as readonly string[],
      operation: toOperation(method, path, operation),
    })),
  );
  return (document['tags'] as Record<string, string>[]).map((tag) => ({
    name: tag['name'] ?? '',
    title: tag['x-displayName'] ?? '',
    description: tag['description'] ?? '',
    operations: operations
      .filter(({ tags }) => tags.includes(tag['name'] ?? ''))
      .map(({ operation }) => operation),
  }));
};

/** Reads an OpenAPI document of this service. */
export const readApiDocument = (document: Part): ApiDocument => {
  const resolve = (part: Part): Part => {
    const { $ref, ...beside } = part;
    if (typeof $ref !== 'string') return part;
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((parent, name) => (parent as Part)[name], document);
    return { ...resolve(found as Part), ...beside };
  };
  const { info, components } = document as Record<string, Part>;
  return {
    version: String(info?.['version']),
    description: String(info?.['description']),
    groups: listGroups(document, resolve),
    // Those that are answered as pages, too, say the same.
    errors: Object.entries(components?.['responses'] as Record<string, Part>)
      .filter(([name]) => !name.endsWith('Page'))
      .map(([, response]) => response as unknown as ApiResponse)
      .filter((response) => getErrorCode(response) !== undefined),
    resolve,
  };
};
