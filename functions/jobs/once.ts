import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { Context } from 'aws-lambda';
import { dynamoDbClient, tableName } from '../../shared/db/dynamodb.ts';
import { schema } from '../../shared/db/key.ts';
import { jobKeys } from '../../shared/jobs/keys.ts';

/** Longer than messages stay in the queue and the dead-letter queue. */
const retentionSeconds = 19 * 86_400;

/**
 * Runs the work of a message once, however often the message is delivered. Work that throws or times out runs again with
 * the next delivery.
 * @throws the error of the work; IdempotencyAlreadyInProgressError if another delivery is being processed
 */
export const once = async (
  messageId: string,
  work: () => Promise<void>,
  context: Context,
): Promise<void> => {
  const config = new IdempotencyConfig({
    expiresAfterSeconds: retentionSeconds,
    throwOnNoIdempotencyKey: true,
    lambdaContext: context,
  });
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName: tableName(),
    keyAttr: schema.partitionKey,
    sortKeyAttr: schema.sortKey,
    staticPkValue: jobKeys.execution.partition({ messageId }).pk,
    expiryAttr: schema.ttl,
    awsSdkV3Client: dynamoDbClient(),
  });
  const runOnce = makeIdempotent(async (_: string) => work(), {
    persistenceStore,
    config,
    // The default is the name of the function, which another deployment can change.
    keyPrefix: 'job',
  });
  await runOnce(messageId);
};
