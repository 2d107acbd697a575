import { AppError } from './errors.ts';

/** What DynamoDB calls throttling; a cancelled transaction names it in its reasons. */
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

/** What Node calls a connection that breaks; within an answer the SDK doesn't call it a time-out, and has its status. */
const brokenConnection = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

interface AwsError extends Error {
  readonly code?: unknown;
  readonly $fault?: 'client' | 'server';
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/**
 * Does the table throttle? A deadline that has passed counts: the SDK waits between the tries of a throttled call, so that
 * throttling often ends there.
 */
export const isThrottled = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, CancellationReasons = [] } = error as AwsError;
  return (
    throttling.has(name) ||
    timeouts.has(name) ||
    CancellationReasons.some(({ Code = '' }) => throttlingReasons.has(Code))
  );
};

/** Is this a failure of a service behind us that may be gone at the next try: throttled, down or out of reach? */
const isTransient = (error: AwsError): boolean =>
  passing.has(error.name) ||
  brokenConnection.has(String(error.code)) ||
  error.$fault === 'server' ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  // The SDK puts `$metadata` on everything it throws; without a status there was no answer at all.
  (error.$metadata !== undefined && error.$metadata.httpStatusCode === undefined);

/** Any throw as the failure that the caller is told. What isn't known becomes a bare 500. */
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

/** An AWS error's message names ARNs and tables; that of a syntax error has a piece of what was parsed. */
const canExpose = (error: Error): boolean => '$metadata' in error || error instanceof SyntaxError;

/**
 * What may be logged of an unexpected error: its name, that of its causes, and where it was thrown.
 * Never a stack, and no message that may quote what nobody is to read.
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
