import { gunzipSync } from 'node:zlib';
import type { Result } from '../../../../shared/http/http.ts';
import type { ErrorDetail } from '../../../../shared/runtime/errors.ts';
import { notice } from '../../../../shared/text/marked.ts';
import type { BuiltTool } from './built-tool.ts';
import { type ToolError, toErrorResult } from './error-result.ts';
import type { ToolRequest } from './inputs.ts';
import { markContent } from './marked.ts';
import { getPart } from './parts.ts';
import type { ToolResult } from './tool-result.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The most bytes of a response that was compressed: more than any share has as JSON. */
const maxResponseBytes = 64 * 1024 * 1024;

/** A response of a route. */
export interface ToolResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Fields;
}

/** Reads a response of a route in JSON. */
export const readResponse = ({
  statusCode = 200,
  headers = {},
  body = '{}',
  isBase64Encoded = false,
}: Result): ToolResponse => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const isCompressed = headers['content-encoding'] === 'gzip';
  const json = isCompressed ? gunzipSync(bytes, { maxOutputLength: maxResponseBytes }) : bytes;
  return { status: statusCode, headers, body: JSON.parse(json.toString()) };
};

/** Takes what a response has out of its envelope. */
const unwrap = (body: Fields): Fields =>
  body['success'] === true && typeof body['data'] === 'object' ? (body['data'] as Fields) : body;

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

/** Returns the fields that a tool shows: those of each item of a list, and where the list goes on. */
const choose = (data: Fields, outputs: BuiltTool['outputs']): Fields => {
  const { items } = data;
  if (!outputs) return data;
  if (!Array.isArray(items)) return pick(data, outputs);
  const { total, nextCursor } = data;
  return {
    items: items.map((item: Fields) => pick(item, outputs)),
    total,
    ...(nextCursor != null && { nextCursor }),
  };
};

/** What a tool shows instead of a text that the service can’t read. A model would take the envelope for the text. */
const sealedText =
  '[This share is sealed: the service can’t read it. The person opens its link with the key in a browser.]';

const withoutEnvelope = (data: Fields, longText: string | undefined): Fields =>
  longText !== undefined && data['sealed'] === true ? { ...data, [longText]: sealedText } : data;

/** Returns the fields with the part of the long text that is asked for. */
const cut = (fields: Fields, longText: string | undefined, offset: number): Fields => {
  if (longText === undefined) return fields;
  const { text, ...part } = getPart(String(fields[longText] ?? ''), offset);
  return { ...fields, ...part, [longText]: text };
};

const omit = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));

/** Returns fields as a model reads them: the long text as it is, behind the other fields. */
const toText = (fields: Fields, longText: string | undefined): string =>
  longText === undefined
    ? JSON.stringify(fields)
    : `${JSON.stringify(omit(fields, longText))}\n\n${String(fields[longText])}`;

/** What stands in a request for arguments of a call. */
const argumentOfHeader: Readonly<Record<string, Partial<ErrorDetail>>> = {
  'if-match': { field: 'version', message: 'must be the current version' },
  'idempotency-key': { field: 'requestId' },
};

/** Returns the error of a response in terms of the call. */
const toError = ({ headers, body }: ToolResponse): ToolError => {
  const error = body['error'] as ToolError;
  const { 'retry-after': retryAfter } = headers;
  return {
    ...error,
    details: error.details.map((detail) => ({ ...detail, ...argumentOfHeader[detail.field] })),
    ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }),
  };
};

/**
 * Converts a response of a tool's route to the result of a call: as an object and, for clients without those, as text. What people
 * wrote is marked in both.
 * @throws AppError VALIDATION_ERROR for an offset behind the end
 */
export const toResult = (
  tool: BuiltTool,
  { offset }: Pick<ToolRequest, 'offset'>,
  response: ToolResponse,
): ToolResult => {
  if (response.status >= 400) return toErrorResult(tool, toError(response));
  const { outputs, longText, showsContent } = tool;
  const data = withoutEnvelope(unwrap(response.body), longText);
  const fields = cut(choose(data, outputs), longText, offset);
  const text = toText(fields, longText);
  return {
    content: [{ type: 'text', text: showsContent ? markContent(text) : text }],
    structuredContent: showsContent ? { notice, ...fields } : fields,
  };
};
