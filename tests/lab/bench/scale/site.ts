import { join } from 'node:path';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { type DynamoDbEngine, startDynamoDb } from '../../../../infra/local/aws/dynamodb/engine.ts';
import { openFiles } from '../../../../infra/local/files/files.ts';
import { openLocalQueues } from '../../../../infra/local/jobs/jobs.ts';
import { ensureTable } from '../../../../infra/local/table.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';

const bucket = 'handbill-bench';

/**
 * Sets the functions' environment except the endpoints, so that no setting of the caller's leads to a table of theirs.
 */
export const setEnvironment = (): void => {
  Object.assign(process.env, {
    TABLE_NAME: 'handbill-bench-scale',
    FILES_BUCKET: bucket,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:1',
    JWT_SECRET: 'a secret of the benchmark, long enough to sign with',
    JWT_ACCESS_EXPIRES: '1d',
    PASSWORD_COST: '4',
    RATE_LIMIT_FACTOR: '100000',
    PUBLIC_URL: 'https://handbill.test',
    SNIPPETS_URL: 'https://snippets.test',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
  });
};

/** The engines of a run. One table after another, each in a separate folder, uses the same address. */
export interface Engines {
  /** Starts the table's engine in a folder. Stop the previous one first. */
  startTable(folder: string): Promise<void>;
  stopTable(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the other engines, with files in `folder`. */
export const startEngines = async (folder: string): Promise<Engines> => {
  const queue = openLocalQueues(':memory:');
  const files = await openFiles(undefined, join(folder, 's3'), 0);
  process.env['AWS_ENDPOINT_URL_S3'] = files.endpoint;
  await files.prepareBucket(bucket, []);
  let table: DynamoDbEngine | undefined;
  // Clients keep their first endpoint.
  let port = 0;
  const stopTable = async () => {
    await table?.close();
    table = undefined;
  };
  return {
    async startTable(folder) {
      table = await startDynamoDb({ path: join(folder, 'dynamodb.db'), port });
      process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.endpoint;
      port = Number(new URL(table.endpoint).port);
      await ensureTable(tableName());
    },
    stopTable,
    async close() {
      await Promise.all([stopTable(), files.close()]);
      queue.close();
    },
  };
};

/** Returns the keys of all objects in the bucket. They are few, because copies of a file share its object. */
export const objectKeys = async (): Promise<string[]> => {
  const client = new S3Client({ forcePathStyle: true });
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  client.destroy();
  return Contents.map(({ Key = '' }) => Key);
};
