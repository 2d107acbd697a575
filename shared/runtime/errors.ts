/** All error codes and their HTTP status (decisions.md#errors). */
export const httpStatusByCode = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  REAUTHENTICATION_REQUIRED: 403,
  VERIFICATION_REQUIRED: 403,
  ENROLMENT_REQUIRED: 403,
  DELETION_PENDING: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof httpStatusByCode;

/** An invalid field and its error. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  readonly details?: readonly ErrorDetail[];
  /** Response headers of the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields next to `error` in the body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The whole body, if the contract requires another than the envelope. */
  readonly bareBody?: Readonly<Record<string, unknown>>;
}

/** An error the caller may see. Code, message and details are sent, the cause never is. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly bareBody: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
    this.bareBody = options.bareBody;
  }

  get status(): number {
    return httpStatusByCode[this.code];
  }
}

/** Names each field once, with all that is wrong with it. */
const joinByField = (causes: readonly ErrorDetail[]): ErrorDetail[] => {
  const byField = new Map<string, Set<string>>();
  for (const { field, message } of causes) {
    byField.set(field, (byField.get(field) ?? new Set()).add(message));
  }
  return [...byField].map(([field, messages]) => ({ field, message: [...messages].join('; ') }));
};

/** Creates a 400 about invalid fields, each once, also with several causes. The message is about the first field. */
export const invalidInput = (causes: readonly ErrorDetail[], cause?: unknown): AppError => {
  const details = joinByField(causes);
  const { field, message } = details[0] ?? { field: 'input', message: 'is invalid' };
  return new AppError('VALIDATION_ERROR', `Invalid ${field}: ${message}.`, { details, cause });
};

/** Creates a 400 about one invalid field. The message completes "<field> …": lower case, no full stop. */
export const invalidField = (field: string, message: string, cause?: unknown): AppError =>
  invalidInput([{ field, message }], cause);

/** Creates the error for a caller without a permission. */
export const missingPermission = (permission: string): AppError =>
  new AppError('FORBIDDEN', `Missing permission: ${permission}.`);

/** Creates a 422 about a valid field that the service doesn’t allow. The message completes "<field> …" as in `invalidField`. */
export const refusedField = (field: string, message: string): AppError =>
  new AppError('UNPROCESSABLE', `Invalid ${field}: ${message}.`, { details: [{ field, message }] });
