import { accountId, region } from './intrinsics.ts';

/** A permission that a request to AWS requires. */
export interface AwsCall {
  readonly action: string;
  readonly resource: string;
  /** Values for the conditions of a policy. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

/** A request to AWS, as received by a proxy. */
export interface AwsRequest {
  /** The service name in the scope of the signature. */
  readonly service: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

type Input = Readonly<Record<string, unknown>>;

const tableArn = (name: unknown): string => `arn:aws:dynamodb:${region}:${accountId}:table/${name}`;

/** The action that each transaction item requires. */
const transactActions = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
} as const;

/** Returns the IAM leading keys of a request: its partitions of the table or index. */
export const leadingKeys = 'dynamodb:LeadingKeys';

type Item = Readonly<Record<string, { readonly S?: string }>>;

interface Keyed {
  readonly Key?: Item;
  readonly Item?: Item;
  readonly Keys?: readonly Item[];
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly PutRequest?: Keyed;
  readonly DeleteRequest?: Keyed;
}

const partitionsOf = (input: Keyed): string[] => {
  const { Key, Item, Keys = [], KeyConditionExpression = '', ExpressionAttributeValues } = input;
  const [, queried = ''] = KeyConditionExpression.match(/^\S*pk = (:\w+)/) ?? [];
  return [
    ...[Key, Item, ...Keys].flatMap((one) => one?.['pk']?.S ?? []),
    ...[ExpressionAttributeValues?.[queried]?.S ?? []].flat(),
    ...[input.PutRequest, input.DeleteRequest].flatMap((one) => (one ? partitionsOf(one) : [])),
  ];
};

/** Omits the context key if the request names no partition. */
const keysContext = (partitions: readonly string[]): Pick<AwsCall, 'context'> =>
  partitions.length === 0 ? {} : { context: { [leadingKeys]: [...new Set(partitions)] } };

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html */
const dynamoDbCalls = (operation: string, input: Input): AwsCall[] => {
  const { TableName, IndexName, RequestItems, TransactItems } = input;
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    return (TransactItems as Readonly<Record<string, Input>>[]).flatMap((item) =>
      Object.entries(item).map(([kind, part]) => ({
        action: `dynamodb:${transactActions[kind as keyof typeof transactActions]}`,
        resource: tableArn(part['TableName']),
        ...keysContext(partitionsOf(part)),
      })),
    );
  }
  const action = `dynamodb:${operation}`;
  if (RequestItems) {
    return Object.entries(RequestItems).map(([name, part]) => ({
      action,
      resource: tableArn(name),
      ...keysContext([part].flat().flatMap(partitionsOf)),
    }));
  }
  const index = IndexName === undefined ? '' : `/index/${IndexName}`;
  return [
    { action, resource: `${tableArn(TableName)}${index}`, ...keysContext(partitionsOf(input)) },
  ];
};

const queueCalls = (operation: string, { QueueUrl }: Input): AwsCall[] => [
  {
    action: `sqs:${operation.replace(/Batch$/, '')}`,
    resource: `arn:aws:sqs:${region}:${accountId}:${String(QueueUrl).split('/').at(-1)}`,
  },
];

const formField = (form: string, name: string): string | undefined =>
  form.match(new RegExp(`name="${name}"\\r\\n(?:[^\\r]+\\r\\n)*\\r\\n([^\\r]*)`, 'i'))?.[1];

/** Returns the object key in the form of a presigned POST. */
const uploadedKey = (body: Buffer): string => {
  const form = body.toString('latin1');
  const [, fileName = ''] = form.match(/name="file"; filename="([^"]*)"/i) ?? [];
  return (formField(form, 'key') ?? '').replace(/\$\{filename\}/, fileName);
};

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
const objectCalls = ({ method, url, headers, body }: AwsRequest): AwsCall[] => {
  const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const bucketArn = `arn:aws:s3:::${bucket}`;
  const call = (action: string, of = key): AwsCall => ({
    action: `s3:${action}`,
    resource: `${bucketArn}/${of}`,
  });
  if (key === '' && method === 'POST' && url.searchParams.has('delete')) {
    const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)];
    return keys.map(([, each]) => call('DeleteObject', each));
  }
  if (key === '' && method === 'POST') return [call('PutObject', uploadedKey(body))];
  if (key === '') return [{ action: 's3:ListBucket', resource: bucketArn }];
  const source = headers['x-amz-copy-source'];
  const copied =
    typeof source === 'string'
      ? [
          {
            action: 's3:GetObject',
            resource: `arn:aws:s3:::${decodeURIComponent(source).replace(/^\//, '')}`,
          },
        ]
      : [];
  const tagged = headers['x-amz-tagging'] === undefined ? [] : [call('PutObjectTagging')];
  const isOfParts = url.searchParams.has('uploadId') || url.searchParams.has('uploads');
  const actions: Readonly<Record<string, string>> = {
    GET: 'GetObject',
    HEAD: 'GetObject',
    PUT: 'PutObject',
    ...(isOfParts && { POST: 'PutObject' }),
    DELETE: isOfParts ? 'AbortMultipartUpload' : 'DeleteObject',
  };
  return [call(actions[method] ?? method), ...copied, ...tagged];
};

/** https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const functionCalls = ({ url }: AwsRequest): AwsCall[] => {
  const [, name = ''] = url.pathname.match(/^\/2015-03-31\/functions\/([^/]+)\/invocations$/) ?? [];
  const resource = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
  return [{ action: 'lambda:InvokeFunction', resource }];
};

/** Returns the address of `Name <address>`; a separate condition checks the name. */
const addressOf = (from: string): string => from.match(/<([^>]+)>$/)?.[1] ?? from;

/**
 * Returns what SES checks: the identities of the sender and, in the sandbox, of the recipients, and the configuration set.
 * https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
 */
const mailCalls = (input: Input): AwsCall[] => {
  const { FromEmailAddress, Destination, Content, ConfigurationSetName } = input;
  const { ToAddresses = [] } = Destination as { readonly ToAddresses?: readonly string[] };
  const from = addressOf(String(FromEmailAddress));
  const action = `ses:${'Raw' in (Content as Input) ? 'SendRawEmail' : 'SendEmail'}`;
  const identities = [from, ...ToAddresses].map((address) => `identity/${address}`);
  return [...identities, `configuration-set/${ConfigurationSetName}`].map((resource) => ({
    action,
    resource: `arn:aws:ses:${region}:${accountId}:${resource}`,
    context: { 'ses:FromAddress': from },
  }));
};

/** Returns the permissions that a request requires. @throws Error for an unknown service */
export const callsOf = (request: AwsRequest): AwsCall[] => {
  const { service, headers, body, url } = request;
  if (service === 's3') return objectCalls(request);
  if (service === 'lambda') return functionCalls(request);
  const input: Input = body.length > 0 ? JSON.parse(body.toString()) : {};
  const operation =
    String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? '';
  if (service === 'dynamodb') return dynamoDbCalls(operation, input);
  if (service === 'sqs') return queueCalls(operation, input);
  if (service === 'secretsmanager') {
    return [{ action: `secretsmanager:${operation}`, resource: String(input['SecretId']) }];
  }
  if (service === 'ses' && url.pathname === '/v2/email/outbound-emails') return mailCalls(input);
  throw new Error(`Nobody knows what ${service} ${url.pathname} has to be allowed to do`);
};
