import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type S3Engine, startS3 } from '../../../infra/local/aws/s3/engine.ts';
import { ensureBucket } from '../../../infra/local/files/bucket.ts';
import { bucketName, credentials } from './local-s3.ts';

/** Starts an S3 with an empty bucket for this test file. It keeps its objects while stopped. */
export const useStoppableBucket = () => {
  let folder: string;
  let s3: S3Engine;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-'));
    s3 = await startS3({ path: folder, credentials });
    process.env['AWS_ENDPOINT_URL_S3'] = s3.endpoint;
    await ensureBucket(bucketName(), []);
  });
  afterAll(async () => {
    await s3.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    /** Runs an action while S3 is stopped. */
    async withoutS3<Result>(act: () => Promise<Result>): Promise<Result> {
      await s3.close();
      try {
        return await act();
      } finally {
        s3 = await startS3({ path: folder, port: Number(new URL(s3.endpoint).port), credentials });
      }
    },
  };
};
