import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { backOff } from '../runtime/backoff.ts';
import { createRequestHandler } from '../runtime/request-handler.ts';
import { getSetting } from '../runtime/settings.ts';
import type { Key } from './key.ts';

let client: DynamoDBClient | undefined;
let ofDocuments: DynamoDBDocumentClient | undefined;

/** Returns the DynamoDB client. An attempt takes up to two seconds; there are three, with jitter between them. */
export const dynamoDbClient = (): DynamoDBClient => {
  client ??= new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: createRequestHandler(2_000),
  });
  // It formats each input and output, even without a logger.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/** Returns the client for items as plain objects. */
export const documentClient = (): DynamoDBDocumentClient => {
  ofDocuments ??= DynamoDBDocumentClient.from(dynamoDbClient(), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return ofDocuments;
};

export const tableName = (): string => getSetting('TABLE_NAME');

/**
 * Maximum number of keys in a batch.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
const batchLimit = 100;
const batchRounds = 6;

type Item = Record<string, unknown>;

const getOneBatch = async (batch: readonly Key[], ConsistentRead: boolean): Promise<Item[]> => {
  const found: Item[] = [];
  const table = tableName();
  let RequestItems: NonNullable<BatchGetCommandInput['RequestItems']> = {
    [table]: { Keys: batch.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead },
  };
  for (let round = 1; round <= batchRounds; round++) {
    const response: BatchGetCommandOutput = await documentClient().send(
      new BatchGetCommand({ RequestItems }),
    );
    found.push(...(response.Responses?.[table] ?? []));
    RequestItems = response.UnprocessedKeys ?? {};
    if (Object.keys(RequestItems).length === 0) return found;
    // A throttled table returns unprocessed keys:
    // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
    if (round < batchRounds) await backOff(round);
  }
  throw new UnprocessedKeysError();
};

/** The table is throttled and kept returning unprocessed keys. */
export class UnprocessedKeysError extends Error {
  override readonly name = 'UnprocessedKeysError';
}

/** Converts a key to text. */
const getName = ({ pk, sk }: Item | Key): string => `${pk}\n${sk}`;

/**
 * Reads items by key, strongly consistent, in the order of the keys, with `undefined` for missing items. Up to 100 keys
 * take one round trip; more are read in parallel. `isEventual` reads at half the cost, and may miss changes of the last
 * moment.
 */
export const batchGet = async (
  wanted: readonly Key[],
  { isEventual }: { readonly isEventual?: true } = {},
): Promise<(Item | undefined)[]> => {
  const names = wanted.map(getName);
  // DynamoDB rejects duplicate keys in a batch.
  const once = [...new Map(wanted.map((key, at) => [names[at], key])).values()];
  const batches: Key[][] = [];
  for (let at = 0; at < once.length; at += batchLimit) {
    batches.push(once.slice(at, at + batchLimit));
  }
  const items = await Promise.all(batches.map((batch) => getOneBatch(batch, !isEventual)));
  const byName = new Map(items.flat().map((item) => [getName(item), item]));
  return names.map((name) => byName.get(name));
};
