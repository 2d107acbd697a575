import { afterAll, beforeAll } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useMail } from '../../support/service/mail.ts';
import { useTable } from '../../support/table/table.ts';
import { deploy, deployment } from './deployment.ts';

const endpoint = (service: string) => process.env[`AWS_ENDPOINT_URL_${service}`] ?? '';

/** Deploys the stack and engines locally for this test file. Time stands still until a test moves it. */
export const useDeployment = (): void => {
  useVirtualTime('2026-11-10T12:00:00Z');
  useTable();
  useBucket();
  useJobs();
  useMail();
  beforeAll(async () => {
    await deploy({
      dynamodb: endpoint('DYNAMODB'),
      s3: endpoint('S3'),
      sqs: endpoint('SQS'),
      ses: endpoint('SESV2'),
    });
  });
  afterAll(() => deployment().close());
};
