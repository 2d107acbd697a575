import {
  DynamoDBClient,
  GetItemCommand,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DynamoDbEngine, startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { openMail } from '../../../infra/local/mail.ts';
import { type Fault, type Plan, planOf } from '../../support/faults/fault.ts';
import { type FaultProxy, observerOf, startProxy } from '../../support/faults/proxy.ts';
import { bucketName, clientOf, textOf, useBucket } from '../../support/s3/local-s3.ts';
import { clientsOf, createTable, itemsOf, TableName } from '../../support/table/local-dynamodb.ts';

useBucket();

/** Returns the emails that the local SES received. */
interface Store {
  readonly emails: readonly unknown[];
}

let engine: DynamoDbEngine;
let table: FaultProxy;
let bucket: FaultProxy;
let plan: Plan | undefined;
let asked: string[] = [];
let doc: DynamoDBDocumentClient;
let items: ReturnType<typeof itemsOf>;

const fault = (kind: Fault['kind'], more: Partial<Fault> = {}): void => {
  plan = planOf([{ kind, service: 'dynamodb', ...more }]);
};

beforeAll(async () => {
  const observer = observerOf(
    () => plan,
    ({ operation, resource }) => asked.push(`${operation} ${resource}`),
  );
  engine = await startDynamoDb({});
  table = await startProxy('dynamodb', engine.endpoint, observer);
  bucket = await startProxy('s3', process.env['AWS_ENDPOINT_URL_S3'] ?? '', observer);
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.endpoint;
  const { client, doc: documents } = clientsOf(table.endpoint);
  doc = documents;
  items = itemsOf(doc);
  await createTable(client);
  for (const sk of ['1', '2', '3']) await items.put({ pk: 'list', sk });
  return () => client.destroy();
});
afterAll(async () => {
  await Promise.all([table.close(), bucket.close()]);
  await engine.close();
});
beforeEach(async () => {
  plan = undefined;
  asked = [];
  await table.restore();
});

const add = () =>
  doc.send(
    new UpdateCommand({
      TableName,
      Key: { pk: 'counter', sk: '1' },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
const counted = async () => (await items.get('counter'))?.['n'] ?? 0;
const query = () =>
  doc.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'list' },
    }),
  );
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('should have failed'),
    (error: Error) => error,
  );

describe('a fault', () => {
  it('affects only the nth matching request', async () => {
    fault('throttle', { operation: 'UpdateItem', resource: TableName, nth: 2 });
    await query();
    await add();
    expect(await failure(add())).toBeInstanceOf(ProvisionedThroughputExceededException);
    await add();
    expect(plan?.met()).toEqual([1]);
    expect(asked).toEqual(['Query things', ...Array(3).fill('UpdateItem things')]);
  });

  it('does not affect other requests', async () => {
    fault('throttle', { operation: 'UpdateItem', resource: 'others' });
    await add();
    expect(plan?.met()).toEqual([0]);
  });

  it.each([
    ['throttle', 'ProvisionedThroughputExceededException', 0],
    ['drop-answer', 'TimeoutError', 1],
    ['cut-answer', 'Error', 1],
    ['refuse', 'TimeoutError', 0],
  ] as const)('of kind %s throws %s in the client', async (kind, name, done) => {
    const before = Number(await counted());
    fault(kind);
    expect((await failure(add())).name).toBe(name);
    plan = undefined;
    await table.restore();
    expect(Number(await counted()) - before).toBe(done);
  });

  it('of kind hang ends at the timeout of the client', async () => {
    const patient = new DynamoDBClient({
      endpoint: table.endpoint,
      region: 'eu-west-1',
      maxAttempts: 2,
      requestHandler: new NodeHttpHandler({ requestTimeout: 50, throwOnRequestTimeout: true }),
    });
    fault('hang', { times: 2 });
    const read = patient.send(new GetItemCommand({ TableName, Key: { pk: { S: 'a' } } }));
    expect((await failure(read)).name).toBe('TimeoutError');
    expect(plan?.met()).toEqual([2]);
    patient.destroy();
  });

  it('rejects connections until it is lifted', async () => {
    fault('refuse');
    await failure(add());
    expect(await failure(add())).toMatchObject({ code: 'ECONNREFUSED' });
    await table.restore();
    await add();
  });

  it('cuts a query to pages of one item', async () => {
    fault('one-item-pages');
    expect(await query()).toMatchObject({
      Items: [{ sk: '1' }],
      LastEvaluatedKey: { pk: 'list', sk: '1' },
    });
  });

  it.each([
    ['half-unprocessed', 2, 1],
    ['all-unprocessed', 0, 3],
  ] as const)('of kind %s leaves keys of a batch unprocessed', async (kind, done, left) => {
    fault(kind);
    const Keys = ['1', '2', '3'].map((sk) => ({ pk: 'list', sk }));
    const { Responses, UnprocessedKeys } = await doc.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } }),
    );
    expect(Responses?.[TableName] ?? []).toHaveLength(done);
    expect(UnprocessedKeys?.[TableName]?.Keys).toEqual(Keys.slice(3 - left));
  });

  it('runs an action before or after the request', async () => {
    const before = Number(await counted());
    const seen: number[] = [];
    const act = async () => {
      const direct = itemsOf(clientsOf(engine.endpoint).doc);
      seen.push(Number((await direct.get('counter'))?.['n'] ?? 0) - before);
    };
    for (const kind of ['act-before', 'act-after'] as const) {
      fault(kind, { operation: 'UpdateItem', act });
      await failure(add());
    }
    expect(seen).toEqual([0, 1]);
  });

  it('affects S3, and keeps the signatures of other requests', async () => {
    plan = planOf([{ kind: 'throttle', service: 's3', operation: 'PutObject' }]);
    const put = () =>
      clientOf().send(new PutObjectCommand({ Bucket: bucketName(), Key: 'a/b', Body: 'text' }));
    expect(await failure(put())).toMatchObject({
      name: 'SlowDown',
      $metadata: { httpStatusCode: 503 },
    });
    await put();
    expect(await textOf('a/b')).toBe('text');
    expect(asked).toEqual([
      ...Array(2).fill(`PutObject ${bucketName()}`),
      `GetObject ${bucketName()}`,
    ]);
  });

  it.each([
    ['throttle', 'TooManyRequestsException', 0],
    ['cut-answer', 'Error', 1],
  ] as const)('of SES of kind %s throws %s in the client', async (kind, name, sent) => {
    const engine = await openMail(undefined, 0);
    const observer = observerOf(
      () => plan,
      ({ operation }) => asked.push(operation),
    );
    const proxy = await startProxy('ses', engine.endpoint, observer);
    const client = new SESv2Client({ endpoint: proxy.endpoint, maxAttempts: 1 });
    plan = planOf([{ kind, service: 'ses', operation: 'SendEmail' }]);
    const Simple = { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hello' } } };
    const mail = new SendEmailCommand({
      FromEmailAddress: 'handbill@example.com',
      Destination: { ToAddresses: ['ann@example.com'] },
      Content: { Simple },
    });
    expect((await failure(client.send(mail))).name).toBe(name);
    expect(asked).toEqual(['SendEmail']);
    const { emails } = (await (await fetch(`${engine.endpoint}/store`)).json()) as Store;
    expect(emails).toHaveLength(sent);
    client.destroy();
    await proxy.close();
    await engine.close();
  });
});
