import type { IncomingHttpHeaders } from 'node:http';

/** The services behind the project's functions that faults are put in front of. */
export const services = ['dynamodb', 's3', 'sqs', 'ses'] as const;
export type Service = (typeof services)[number];

/** What a request asks of a service. */
export interface Asked {
  readonly service: Service;
  /** As AWS names it, such as `TransactWriteItems`, `PutObject`, `SendMessage`. */
  readonly operation: string;
  /** The table, the bucket or the queue; of a batch or a transaction that of its first item. */
  readonly resource: string | undefined;
}

/** A request as it reached a proxy. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What DynamoDB is asked, as far as faults look at it. */
export interface DynamoDbInput {
  readonly TableName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
}

export const inputOf = ({ body }: Received): DynamoDbInput => JSON.parse(body.toString());

const tableOf = ({ TableName, RequestItems = {}, TransactItems = [] }: DynamoDbInput) =>
  TableName ?? Object.keys(RequestItems)[0] ?? Object.values(TransactItems[0] ?? {})[0]?.TableName;

/** Of objects; what else S3 is asked goes by its method. */
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

/** Of SES only mails are asked for; its API has paths and methods in place of names. */
const askedOfSes = ({ method, url }: Received): Asked => {
  const isMail = method === 'POST' && url.endsWith('/outbound-emails');
  return { service: 'ses', operation: isMail ? 'SendEmail' : method, resource: undefined };
};

/** What a request asks of a service. */
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
