import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, vi } from 'vitest';
import { type MockedTable, mockTable } from './errors.ts';

/** Mocks the table: each test starts at this time, and all writes succeed. */
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

/** Mocks the bucket: in each test, all writes succeed. */
export const useMockedBucket = () => {
  const bucket = mockClient(S3Client);
  beforeEach(() => {
    bucket.reset();
    bucket.on(PutObjectCommand).resolves({});
  });
  return bucket;
};
