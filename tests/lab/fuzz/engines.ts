import { type DynamoDbEngine, startDynamoDb } from '../../../infra/local/aws/dynamodb/engine.ts';
import { startS3 } from '../../../infra/local/aws/s3/engine.ts';
import { ensureBucket } from '../../../infra/local/files/bucket.ts';
import { openLocalQueues } from '../../../infra/local/jobs/jobs.ts';
import { ensureTable } from '../../../infra/local/table.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';

const credentials = async () => ({ accessKeyId: 'test', secretAccessKey: 'test' });

/** The secret that signs tokens; no response and no log may contain it. */
export const signingSecret = 'a secret of the fuzzing, long enough to sign with';

/** Sets the environment of a run, so that no setting of the caller's leads to another machine. */
const configure = (): void => {
  Object.assign(process.env, {
    TABLE_NAME: 'handbill-fuzz',
    JWT_SECRET: signingSecret,
    PASSWORD_COST: '4',
    RATE_LIMIT_FACTOR: '999999',
    PUBLIC_URL: 'https://handbill.test',
    SNIPPETS_URL: 'https://snippets.test',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:1',
    MAIL_FROM: '',
    FILES_BUCKET: 'handbill-fuzz-files',
    POWERTOOLS_LOG_LEVEL: 'INFO',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
};

/** Starts empty engines in this process. */
export const startEngines = async (): Promise<{ close(): Promise<void> }> => {
  configure();
  const dynamoDb: DynamoDbEngine = await startDynamoDb({});
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = dynamoDb.endpoint;
  await ensureTable(tableName());
  const s3 = await startS3({ credentials });
  process.env['AWS_ENDPOINT_URL_S3'] = s3.endpoint;
  await ensureBucket('handbill-fuzz-files', ['https://handbill.test']);
  const queues = openLocalQueues(':memory:');
  return {
    async close() {
      await Promise.all([dynamoDb.close(), s3.close()]);
      queues.close();
    },
  };
};
