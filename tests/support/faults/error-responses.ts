import type { Asked, DynamoDbInput, Service } from './aws-request.ts';
import type { FaultKind } from './fault.ts';

/** An error response of a service. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Resembles AWS messages, which must not reach a caller. */
const message = 'User: arn:aws:sts::123456789012:assumed-role/api on table/handbill-test';

const ofDynamoDb = (status: number, type: string, fields: object = {}): Refusal => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message,
    ...fields,
  }),
});

const ofS3 = (status: number, code: string): Refusal => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

const ofSqs = (status: number, type: string): Refusal => ({
  status,
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-query-error': `${type};${status < 500 ? 'Sender' : 'Receiver'}`,
  },
  body: JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message }),
});

const ofSes = (status: number, type: string): Refusal => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
  body: JSON.stringify({ message }),
});

const refusals: Readonly<
  Record<Service, Readonly<Record<'throttle' | 'server-error', () => Refusal>>>
> = {
  dynamodb: {
    throttle: () => ofDynamoDb(400, 'ProvisionedThroughputExceededException'),
    'server-error': () => ofDynamoDb(500, 'InternalServerError'),
  },
  s3: {
    throttle: () => ofS3(503, 'SlowDown'),
    'server-error': () => ofS3(500, 'InternalError'),
  },
  sqs: {
    throttle: () => ofSqs(400, 'RequestThrottled'),
    'server-error': () => ofSqs(500, 'InternalFailure'),
  },
  ses: {
    throttle: () => ofSes(429, 'TooManyRequestsException'),
    'server-error': () => ofSes(500, 'InternalServiceErrorException'),
  },
};

/** A transaction canceled because of its first item. */
const cancelled = ({ TransactItems = [] }: DynamoDbInput, Code: string): Refusal =>
  ofDynamoDb(400, 'TransactionCanceledException', {
    Message: `${message} [${Code}]`,
    CancellationReasons: TransactItems.map((_, at) => ({ Code: at === 0 ? Code : 'None' })),
  });

/** Returns the error response of a fault; `undefined` if the fault sends none. */
export const refusalOf = (
  kind: FaultKind,
  { service, operation }: Asked,
  input: () => DynamoDbInput,
): Refusal | undefined => {
  switch (kind) {
    case 'throttle':
    case 'server-error':
      return refusals[service][kind]();
    case 'conflict':
      return operation === 'TransactWriteItems'
        ? cancelled(input(), 'TransactionConflict')
        : ofDynamoDb(400, 'TransactionConflictException');
    case 'item-throttle':
      return cancelled(input(), 'ThrottlingError');
    case 'in-progress':
      return ofDynamoDb(400, 'TransactionInProgressException');
    default:
      return undefined;
  }
};
