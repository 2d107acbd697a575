import { clientTexts as texts } from './texts.ts';

/** An invalid field and what is wrong with it: `email`, `is required`. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/** What an ApiError knows besides its status and message. */
export interface ApiErrorFields {
  readonly code: string;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A failed call. Its message can be shown to the user. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The code of the API, such as `NOT_FOUND`; `UNREACHABLE` or `TIMEOUT` if there was no response. */
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  /** How long to wait before the next attempt, if the service says so. ms. */
  readonly retryAfterMs: number | undefined;
  /** The parsed body of the response, if any. */
  readonly body: unknown;

  constructor(status: number, message: string, fields: ApiErrorFields) {
    super(message, { cause: fields.cause });
    this.status = status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.body = fields.body;
  }
}

/** The version of a record that is stored now. */
export interface CurrentVersion<Data> {
  readonly data: Data;
  readonly etag: string | undefined;
}

/** A change that was refused because the record has changed since it was read (412). */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
  /** Reads the record as it is stored now; returns `undefined` if it can't be read. */
  readonly readCurrent: <Data>() => Promise<CurrentVersion<Data> | undefined>;

  constructor(error: ApiError, readCurrent: ConflictError['readCurrent']) {
    super(error.status, error.message, error);
    this.readCurrent = readCurrent;
  }
}

// The gateway’s own error responses have neither a code nor a message for users.
const gatewayErrors: Readonly<Record<number, readonly [code: string, message: string]>> = {
  413: ['PAYLOAD_TOO_LARGE', texts.tooLarge],
  429: ['RATE_LIMITED', texts.busy],
  502: ['SERVICE_UNAVAILABLE', texts.busy],
  503: ['SERVICE_UNAVAILABLE', texts.busy],
  504: ['SERVICE_UNAVAILABLE', texts.busy],
};

/** Parses `Retry-After`: seconds, or a date. */
const parseRetryAfter = (header: string | null): number | undefined => {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

/** Creates the error of a response that is not a success. */
export const toApiError = ({ status, headers }: Response, body: unknown): ApiError => {
  const { code, message, details, requestId } =
    (body as { error?: Partial<ApiError> } | undefined)?.error ?? {};
  const [gatewayCode, gatewayMessage] = gatewayErrors[status] ?? ['INTERNAL_ERROR', texts.failed];
  return new ApiError(status, message ?? gatewayMessage, {
    code: code ?? gatewayCode,
    details,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get('retry-after')),
    body,
  });
};

/** Creates the error of a request without a response. */
export const unreachable = (cause: unknown): ApiError =>
  new ApiError(0, texts.unreachable, { code: 'UNREACHABLE', cause });

/** Creates the error of a request whose response took too long. */
export const timedOut = (): ApiError => new ApiError(0, texts.timedOut, { code: 'TIMEOUT' });
