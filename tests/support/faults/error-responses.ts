import type { Asked, Service } from './aws-request.ts';
import type { FaultKind } from './fault.ts';

/** An error response of a service. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Resembles AWS messages, which must not reach a caller. */
const message = 'User: arn:aws:sts::123456789012:assumed-role/api on table/handbill-test';

const ofDynamoDb = (status: number, type: string): Refusal => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message,
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

const throttled: Readonly<Record<Service, () => Refusal>> = {
  dynamodb: () => ofDynamoDb(400, 'ProvisionedThroughputExceededException'),
  s3: () => ofS3(503, 'SlowDown'),
  sqs: () => ofSqs(400, 'RequestThrottled'),
  ses: () => ofSes(429, 'TooManyRequestsException'),
};

/** Returns the error response of a fault; `undefined` if the fault sends none. */
export const refusalOf = (kind: FaultKind, { service }: Asked): Refusal | undefined =>
  kind === 'throttle' ? throttled[service]() : undefined;
