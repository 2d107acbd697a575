import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApi } from '../../../infra/build/openapi.ts';

interface Documented {
  readonly responses: Record<string, { readonly content?: Record<string, { schema?: unknown }> }>;
}

const document = openApi();
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'document');

const validators = new Map<string, ValidateFunction>();

/** The check of a part of the document, by its JSON pointer. */
export const validatorAt = (...path: readonly string[]): ValidateFunction => {
  const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const $ref = `document#/${encodeURI(pointer)}`;
  const known = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, known);
  return known;
};

/**
 * Throws unless the document names the answer's status and content type, and its body fits the schema.
 * Routes that the document leaves out, such as those of the snippets' host, pass.
 */
export const checkAnswer = (
  endpoint: string,
  { status, contentType, body }: { status: number; contentType: string; body: unknown },
): void => {
  const [method = '', path = ''] = endpoint.split(' ');
  const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  const operations = document.paths?.[path] as unknown as Record<string, Documented> | undefined;
  const operation = operations?.[name];
  if (!operation) return;
  const response = operation.responses[String(status)];
  if (!response) throw new Error(`${endpoint} answered ${status}, which its document doesn't name`);
  if (method === 'HEAD' || !response.content) return;
  const mediaType = contentType.split(';')[0] ?? '';
  const content = response.content[mediaType];
  if (!content) throw new Error(`${endpoint} answered ${status} as ${mediaType}, which is new`);
  // A string under JSON is a file, sent as it lies.
  if (!content.schema || mediaType !== 'application/json' || typeof body === 'string') return;
  const check = validatorAt(
    'paths',
    path,
    name,
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  );
  if (!check(body)) {
    throw new Error(`${endpoint} answered ${status} with ${ajv.errorsText(check.errors)}`);
  }
};
