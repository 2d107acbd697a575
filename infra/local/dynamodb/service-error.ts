/** An error response in the form of dynalite's own errors. */
export interface ServiceError extends Error {
  statusCode: number;
  body: { __type: string; [field: string]: unknown };
}

const serviceError = (statusCode: number, body: ServiceError['body']): ServiceError =>
  Object.assign(new Error(String(body['message'] ?? body['Message'] ?? body.__type)), {
    statusCode,
    body,
  });

export const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && 'statusCode' in error && 'body' in error;

/** Returns whether the error has this type, e.g. `'ValidationException'`. */
export const hasType = (error: unknown, type: string): error is ServiceError =>
  isServiceError(error) && error.body.__type.endsWith(`#${type}`);

/** Creates an error of DynamoDB itself, e.g. `ResourceNotFoundException`. */
export const dynamoDbError = (type: string, message: string): ServiceError =>
  serviceError(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message });

export const validationError = (message: string): ServiceError =>
  serviceError(400, { __type: 'com.amazon.coral.validate#ValidationException', message });

/** Creates an error of the layer that parses requests. */
export const requestError = (statusCode: number, type: string, message: string): ServiceError =>
  serviceError(statusCode, { __type: `com.amazon.coral.service#${type}`, message });

export const tableNotFound = (table: string): ServiceError =>
  // dynalite's actions recognize this error by its name.
  Object.assign(
    dynamoDbError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${table} not found`,
    ),
    { name: 'NotFoundError' },
  );

/**
 * Creates the error of a canceled transaction: one reason per item, in the order of the request.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const transactionCanceled = (reasons: { Code: string }[]): ServiceError => {
  const codes = reasons.map((reason) => reason.Code).join(', ');
  return serviceError(400, {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
};
