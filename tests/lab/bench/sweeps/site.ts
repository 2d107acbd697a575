import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { useQueues } from '../../../../infra/local/jobs/jobs.ts';
import { ensureTable } from '../../../../infra/local/table.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { JobQueue } from '../../../../shared/jobs/job-queue.ts';
import { setEnvironment } from '../scale/site.ts';
import { stopClock } from './clock.ts';

interface Addresses {
  readonly table: string;
  readonly bucket: string;
  readonly queue: string;
  readonly urls: Readonly<Record<JobQueue, string>>;
}

/** The engines of a run, whose clock stands still. */
export interface Site {
  /** Moves the clock of the functions and the engines. */
  pass(ms: number): Promise<void>;
  close(): void;
}

/** Starts empty engines in another process and sets the functions' environment. */
export const startSite = async (): Promise<Site> => {
  setEnvironment();
  const child = fork(join(import.meta.dirname, 'engines.ts'));
  const [{ table, bucket, queue, urls }] = (await once(child, 'message')) as [Addresses];
  const setTime = stopClock();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: table,
    AWS_ENDPOINT_URL_S3: bucket,
    AWS_ENDPOINT_URL_SQS: queue,
    MAIL_FROM: 'handbill@example.com',
    MAIL_RATE: '14',
  });
  useQueues(urls);
  await ensureTable(tableName());
  const client = new S3Client({ forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: process.env['FILES_BUCKET'] }));
  client.destroy();
  return {
    async pass(ms) {
      const now = Date.now() + ms;
      const isSet = once(child, 'message');
      child.send({ now });
      await isSet;
      setTime(now);
    },
    close: () => child.disconnect(),
  };
};
