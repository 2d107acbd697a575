import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { Context } from 'aws-lambda';
import { dynamoDbClient, tableName } from '../../shared/db/dynamodb.ts';
import { keys, schema } from '../../shared/db/table.ts';

/** Longer than a message lives in the queue and among the dead letters. */
const rememberSeconds = 19 * 86_400;

/**
 * Does the work of a message once, however often the message is delivered. Work that throws is done again at the next
 * delivery, and work that broke off when the time of its call is over.
 * @throws what the work throws; IdempotencyAlreadyInProgressError while another delivery is at it
 */
export const once = async (
  messageId: string,
  work: () => Promise<void>,
  context: Context,
): Promise<void> => {
  const config = new IdempotencyConfig({
    expiresAfterSeconds: rememberSeconds,
    throwOnNoIdempotencyKey: true,
    lambdaContext: context,
  });
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName: tableName(),
    keyAttr: schema.partitionKey,
    sortKeyAttr: schema.sortKey,
    staticPkValue: keys.jobExecution(messageId),
    expiryAttr: schema.ttl,
    awsSdkV3Client: dynamoDbClient(),
  });
  const remembered = makeIdempotent(async (_: string) => work(), {
    persistenceStore,
    config,
    // In place of the function's name, so that another function remembers too.
    keyPrefix: 'job',
  });
  await remembered(messageId);
};
