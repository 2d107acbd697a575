/** An error that the engine returns as a response. */
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
export const hasType = ({ body }: ServiceError, type: string): boolean =>
  body.__type.endsWith(`#${type}`);

/** Creates an error of DynamoDB itself, e.g. `ResourceNotFoundException`. */
export const dynamoDbError = (type: string, message: string): ServiceError =>
  serviceError(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message });

export const validationError = (message: string): ServiceError =>
  serviceError(400, { __type: 'com.amazon.coral.validate#ValidationException', message });

export const invalidParameter = (message: string): ServiceError =>
  validationError(`One or more parameter values were invalid: ${message}`);

/** Creates an error of the layer that parses requests. */
export const requestError = (statusCode: number, type: string, message: string): ServiceError =>
  serviceError(statusCode, { __type: `com.amazon.coral.service#${type}`, message });

/** Creates the error for a missing table. Operations on tables name it, those on items don't. */
export const tableNotFound = (table?: string): ServiceError =>
  dynamoDbError(
    'ResourceNotFoundException',
    `Requested resource not found${table === undefined ? '' : `: Table: ${table} not found`}`,
  );

/** Creates the error of a condition that isn't fulfilled; `item` is returned to the caller. */
export const conditionFailed = (item?: object): ServiceError => {
  const error = dynamoDbError('ConditionalCheckFailedException', 'The conditional request failed');
  if (item) error.body['Item'] = item;
  return error;
};

/**
 * Creates the error of a canceled transaction: one reason per item, in the order of the request.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const transactionCanceled = (
  reasons: readonly { readonly Code: string }[],
): ServiceError => {
  const codes = reasons.map((reason) => reason.Code).join(', ');
  return serviceError(400, {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons: reasons,
  });
};
