import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type DynamoDbEngine, startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';

export const TableName = 'things';

export interface Clients {
  client: DynamoDBClient;
  doc: DynamoDBDocumentClient;
}

export const clientsOf = (endpoint: string): Clients => {
  const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', maxAttempts: 1 });
  return { client, doc: DynamoDBDocumentClient.from(client) };
};

export const createTable = (client: DynamoDBClient, name = TableName) =>
  client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'gsi1',
          KeySchema: [
            { AttributeName: 'gsi1pk', KeyType: 'HASH' },
            { AttributeName: 'gsi1sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );

/** The input of a command without its table. */
type Options<Input> = Omit<Input, 'TableName'>;

/** Creates the commands on the items of the table. */
export const itemsOf = (doc: DynamoDBDocumentClient) => ({
  async get(pk: string, sk = '1') {
    return (await doc.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true })))
      .Item;
  },
  put: (item: Record<string, unknown>) =>
    doc.send(new PutCommand({ TableName, Item: { sk: '1', ...item } })),
  transact: (
    TransactItems: NonNullable<TransactWriteCommandInput['TransactItems']>,
    options: Omit<TransactWriteCommandInput, 'TransactItems'> = {},
  ) => doc.send(new TransactWriteCommand({ TransactItems, ...options })),
  write: (options: Options<PutCommandInput>) => doc.send(new PutCommand({ TableName, ...options })),
  update: (options: Options<UpdateCommandInput>) =>
    doc.send(new UpdateCommand({ TableName, ...options })),
  remove: (options: Options<DeleteCommandInput>) =>
    doc.send(new DeleteCommand({ TableName, ...options })),
  scan: (options: Options<ScanCommandInput> = {}) =>
    doc.send(new ScanCommand({ TableName, ...options })),
  query: (options: Options<QueryCommandInput>) =>
    doc.send(new QueryCommand({ TableName, ...options })),
  partition(pk: string) {
    return this.query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    });
  },
  /** Queries the items of the index whose key is `group`. */
  group(options: Options<QueryCommandInput> = {}) {
    return this.query({
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :group',
      ExpressionAttributeValues: { ':group': 'group' },
      ...options,
    });
  },
});

export const increment = (pk: string, limit?: number) => ({
  TableName,
  Key: { pk, sk: '1' },
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': 1, ...(limit !== undefined && { ':limit': limit }) },
  ...(limit !== undefined && { ConditionExpression: 'attribute_not_exists(n) OR n < :limit' }),
});

export const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)));

export const fulfilled = (results: PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length;

export const errorOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('should have been refused'),
    (error: unknown) => error,
  );

export const reasonsOf = async (promise: Promise<unknown>) => {
  const error = await errorOf(promise);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  return (error as TransactionCanceledException).CancellationReasons;
};

export interface Store extends Clients {
  engine: DynamoDbEngine;
  items: ReturnType<typeof itemsOf>;
  close(): Promise<void>;
}

export const places = ['in memory', 'on disk'] as const;

/** Creates a store with the table. A store on disk has a temporary folder. */
export const openStore = async (place: (typeof places)[number]): Promise<Store> => {
  const folder = place === 'on disk' ? await mkdtemp(join(tmpdir(), 'dynamodb-')) : undefined;
  const engine = await startDynamoDb(
    folder === undefined ? {} : { path: join(folder, 'dynamodb.db') },
  );
  const { client, doc } = clientsOf(engine.endpoint);
  await createTable(client);
  return {
    engine,
    client,
    doc,
    items: itemsOf(doc),
    async close() {
      client.destroy();
      await engine.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    },
  };
};

/** Opens a store with the table for each test of the suite, and returns the current one's parts. */
export const useStore = (place: (typeof places)[number]): Store => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore(place);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
  });
  const part = <Name extends keyof Store>(name: Name) => ({ get: (): Store[Name] => store[name] });
  return Object.defineProperties({} as Store, {
    engine: part('engine'),
    client: part('client'),
    doc: part('doc'),
    items: part('items'),
    close: part('close'),
  });
};
