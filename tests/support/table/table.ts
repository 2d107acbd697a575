import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { type DynamoDbEngine, startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { ensureTable } from '../../../infra/local/table.ts';
import { documentClient, dynamoDbClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { callDirectly } from '../service/direct-calls.ts';

/** Starts an in-memory DynamoDB with an empty table for this test file. */
export const useTable = (): void => {
  let engine: DynamoDbEngine;
  beforeAll(async () => {
    engine = await startDynamoDb({});
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engine.endpoint;
    callDirectly(() => engine.connect(dynamoDbClient()));
    await ensureTable(tableName());
  });
  afterAll(() => engine.close());
};

/** Returns all items with this prefix of the partition key. */
export const itemsOf = async (prefix: string): Promise<(Record<string, unknown> & Key)[]> => {
  const { Items = [] } = await documentClient().send(
    new ScanCommand({
      TableName: tableName(),
      FilterExpression: 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: { ':prefix': prefix },
    }),
  );
  return Items as (Record<string, unknown> & Key)[];
};
