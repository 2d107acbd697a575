import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type DynamoDbEngine, startDynamoDb } from '../../../infra/local/dynamodb/engine.ts';

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
