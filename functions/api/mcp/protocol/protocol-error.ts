/**
 * The error codes of JSON-RPC, and those of the Model Context Protocol.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 */
export const errorCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

type Code = keyof typeof errorCodes;

interface ProtocolErrorOptions {
  /** HTTP status of the response: 200 where the method itself has failed, an error where the message is refused. */
  readonly status?: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is sent as the response to a JSON-RPC message. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: Code, message: string, options: ProtocolErrorOptions = {}) {
    super(message);
    this.code = errorCodes[code];
    this.status = options.status ?? 200;
    this.data = options.data;
    this.headers = options.headers ?? {};
  }
}

/** Creates the error for a message that is refused as a whole, with status 400. */
export const refused = (
  code: Code,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): ProtocolError => new ProtocolError(code, message, { status: 400, ...(data && { data }) });

/** Creates the error for invalid parameters of a method. The message completes "Invalid params: …". */
export const invalidParams = (
  message: string,
  data?: Readonly<Record<string, unknown>>,
): ProtocolError =>
  new ProtocolError('invalidParams', `Invalid params: ${message}.`, { ...(data && { data }) });
