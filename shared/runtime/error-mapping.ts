import { AppError } from './errors.ts';

/** DynamoDB's throttling errors. A canceled transaction names them in its reasons. */
const throttling = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
]);
const throttlingReasons = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded']);

const timeouts = new Set(['TimeoutError', 'AbortError']);

const passing = new Set([
  ...throttling,
  ...timeouts,
  'TransactionInProgressException',
  'TransactionConflictException',
  'TransactionConflict',
  'UnprocessedKeysError',
]);

/**
 * Node's errors of broken connections. Within a response the SDK does not report them as timeouts and keeps the status.
 */
const brokenConnection = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

interface AwsError extends Error {
  readonly code?: unknown;
  readonly $fault?: 'client' | 'server';
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Returns whether the table has said, in this error or its causes, that it is throttled. */
export const saysThrottled = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, CancellationReasons = [], cause } = error as AwsError;
  return (
    throttling.has(name) ||
    CancellationReasons.some(({ Code = '' }) => throttlingReasons.has(Code)) ||
    saysThrottled(cause)
  );
};

/**
 * Returns whether the table is throttled. A timeout counts, because the SDK pauses between attempts of a throttled
 * call, which often exceeds the deadline.
 */
export const isThrottled = (error: unknown): boolean =>
  saysThrottled(error) || (error instanceof Error && timeouts.has(error.name));

/** Returns whether a dependency failed in a way that may not recur: throttled, down or unavailable. */
const isTransient = (error: AwsError): boolean =>
  passing.has(error.name) ||
  brokenConnection.has(String(error.code)) ||
  error.$fault === 'server' ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  // The SDK adds `$metadata` to every error. Without a status there was no response.
  (error.$metadata !== undefined && error.$metadata.httpStatusCode === undefined);

/** Converts a thrown value to an AppError. Unknown errors become a 500 without details. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof Error && isTransient(error)) {
    return new AppError(
      'SERVICE_UNAVAILABLE',
      'The service is temporarily unavailable. Try again.',
      {
        cause: error,
      },
    );
  }
  return new AppError('INTERNAL_ERROR', 'Internal server error.', { cause: error });
};

/**
 * Returns whether an error message may contain data: AWS errors name ARNs and tables, syntax errors quote their input.
 */
const canExpose = (error: Error): boolean => '$metadata' in error || error instanceof SyntaxError;

/**
 * Returns what may be logged of an error: names, causes and location. Never a stack, and no message that may quote
 * data.
 */
export const serializeError = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { name: typeof error };
  const isAws = '$metadata' in error;
  return {
    name: error.name,
    ...(!canExpose(error) && { reason: error.message }),
    ...(isAws && { status: (error as AwsError).$metadata?.httpStatusCode }),
    at: error.stack?.match(/([\w.-]+:\d+):\d+\)?$/m)?.[1],
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  };
};
