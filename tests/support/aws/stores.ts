import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, vi } from 'vitest';
import { type MockedTable, mockTable } from './errors.ts';

/** The table, mocked: before each test the clock stands at this time again, and it takes whatever is written. */
export const useMockedTable = (now: string): MockedTable => {
  const table = mockTable();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    table.reset();
    table.on(TransactWriteCommand).resolves({});
    table.on(PutCommand).resolves({});
  });
  afterEach(() => void vi.useRealTimers());
  return table;
};

/** The bucket, mocked: before each test it takes whatever is put into it. */
export const useMockedBucket = () => {
  const bucket = mockClient(S3Client);
  beforeEach(() => {
    bucket.reset();
    bucket.on(PutObjectCommand).resolves({});
  });
  return bucket;
};
