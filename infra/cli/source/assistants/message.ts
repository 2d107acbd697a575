/** The id of a request: what its response repeats. */
export type MessageId = string | number;

/** A message of JSON-RPC 2.0 that an assistant's client sends: a request, or a notification, which has no id. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: MessageId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A request, which gets a response. */
export interface Request extends Message {
  readonly id: MessageId;
}

/** A response to a request. `id` is null if the request could not be read. */
export interface Response {
  readonly jsonrpc: '2.0';
  readonly id: MessageId | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Codes of errors. https://www.jsonrpc.org/specification#error_object; the last is the server's own. */
export const errorCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  internal: -32_603,
  refused: -32_000,
} as const;

type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** Creates the response of a request that failed. `message` says what is wrong, then what to do. */
export const createError = (
  id: MessageId | null,
  code: ErrorCode,
  message: string,
  data?: unknown,
): Response => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data !== undefined && { data }) },
});

/** Returns a value as an object; `undefined` for anything else. */
export const toObject = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

const isId = (value: unknown): value is MessageId =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** What a line is: a message, what to respond to one that is none, or a response, which nobody waits for. */
export type Parsed =
  | { readonly message: Message }
  | { readonly refusal: Response }
  | { readonly isIgnored: true };

/** Parses a line of the input. */
export const parseMessage = (line: string): Parsed => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { refusal: createError(null, errorCodes.parse, 'The line is not JSON.') };
  }
  const { jsonrpc, id, method, params } = toObject(value) ?? {};
  const refuse = (message: string) => ({
    refusal: createError(isId(id) ? id : null, errorCodes.invalidRequest, message),
  });
  if (Array.isArray(value)) return refuse('Send one message a line: batches are not supported.');
  if (jsonrpc !== '2.0') return refuse('A message must be an object with "jsonrpc": "2.0".');
  if (method === undefined && isId(id)) return { isIgnored: true };
  if (typeof method !== 'string') return refuse('A message must have a "method".');
  if (id !== undefined && !isId(id)) return refuse('The "id" must be a string or a number.');
  if (params !== undefined && !toObject(params)) return refuse('The "params" must be an object.');
  return { message: value as Message };
};

/** Whether a message gets a response. */
export const isRequest = (message: Message): message is Request => message.id !== undefined;

/** The version of the protocol that a message of the era without sessions carries itself. */
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Returns the protocol version that a message names in `_meta`; `undefined` in the eras with `initialize`. */
export const getOwnVersion = ({ params }: Message): string | undefined => {
  const version = toObject(params?.['_meta'])?.[versionKey];
  return typeof version === 'string' ? version : undefined;
};

/** Creates `_meta` for requests that the command itself sends. */
export const createMeta = (version: string, commandVersion: string) => ({
  [versionKey]: version,
  'io.modelcontextprotocol/clientInfo': { name: 'handbill', version: commandVersion },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** The field of the parameters that `Mcp-Name` repeats, by method. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** Returns a value as a header may have it: in Base64, with marks, unless it is plain ASCII. */
const toHeaderValue = (value: string): string =>
  /^[!-~]([\t -~]*[!-~])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;

/**
 * Returns the headers that repeat what is in a message, which the service checks against it. `negotiated` is the version that
 * `initialize` has agreed on.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export const toHeaders = (
  message: Message,
  negotiated: string | undefined,
): Readonly<Record<string, string>> => {
  const own = getOwnVersion(message);
  if (own === undefined)
    return negotiated === undefined ? {} : { 'mcp-protocol-version': negotiated };
  const field = namedBy.get(message.method);
  const name = field === undefined ? undefined : message.params?.[field];
  return {
    'mcp-protocol-version': toHeaderValue(own),
    'mcp-method': toHeaderValue(message.method),
    ...(typeof name === 'string' && { 'mcp-name': toHeaderValue(name) }),
  };
};
