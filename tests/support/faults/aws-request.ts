import type { IncomingHttpHeaders } from 'node:http';

/** The AWS services with injected faults. */
export const services = ['dynamodb', 's3', 'sqs', 'ses'] as const;
export type Service = (typeof services)[number];

/** The operation of a request. */
export interface Asked {
  readonly service: Service;
  /** AWS operation name, such as `TransactWriteItems`, `PutObject`, `SendMessage`. */
  readonly operation: string;
  /** The table, bucket or queue; for a batch or transaction, that of its first item. */
  readonly resource: string | undefined;
}

/** A request as received by a proxy. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The parts of a DynamoDB request that faults use. */
export interface DynamoDbInput {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
}

export const inputOf = ({ body }: Received): DynamoDbInput => JSON.parse(body.toString());

const tableOf = ({ TableName, RequestItems = {}, TransactItems = [] }: DynamoDbInput) =>
  TableName ?? Object.keys(RequestItems)[0] ?? Object.values(TransactItems[0] ?? {})[0]?.TableName;

/** Object operations by method. Other S3 operations are named by their method. */
const objectOperations: Readonly<Record<string, string>> = {
  GET: 'GetObject',
  PUT: 'PutObject',
  HEAD: 'HeadObject',
  DELETE: 'DeleteObject',
};

const askedOfS3 = ({ method, url, headers }: Received): Asked => {
  const { pathname, searchParams } = new URL(url, 'http://s3.test');
  const [, bucket, ...key] = pathname.split('/');
  const isList = key.join('/') === '' && searchParams.has('list-type');
  const operation = isList ? 'ListObjectsV2' : (objectOperations[method] ?? method);
  const isCopy = headers['x-amz-copy-source'] !== undefined;
  return { service: 's3', operation: isCopy ? 'CopyObject' : operation, resource: bucket };
};

/** The only SES operation in use. The SES API has paths and methods instead of names. */
const askedOfSes = ({ method, url }: Received): Asked => {
  const isMail = method === 'POST' && url.endsWith('/outbound-emails');
  return { service: 'ses', operation: isMail ? 'SendEmail' : method, resource: undefined };
};

/** The operation of a request. */
export const askedOf = (service: Service, received: Received): Asked => {
  if (service === 's3') return askedOfS3(received);
  if (service === 'ses') return askedOfSes(received);
  const operation = String(received.headers['x-amz-target']).split('.')[1] ?? '';
  const resource =
    service === 'dynamodb'
      ? tableOf(inputOf(received))
      : (JSON.parse(received.body.toString()) as { QueueUrl?: string }).QueueUrl?.split('/').at(-1);
  return { service, operation, resource };
};
