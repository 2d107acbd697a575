import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, vi } from 'vitest';
import { answerReads, mockTable, sent, signedIn } from '../aws/errors.ts';
import { type CallOptions, call } from '../service/call.ts';
import { id, now } from './items.ts';

type Item = Readonly<Record<string, unknown>>;

/** The SHA-256 of what lies in the mocked bucket. */
export const checksum = 'GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=';

/** What S3 throws, as the SDK does. */
export const s3Error = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode, attempts: 1 } });

/** The table, the bucket and the queue, mocked: before each test the clock stands, and they take whatever they are sent. */
export const useMockedFiles = () => {
  const table = mockTable();
  const s3 = mockClient(S3Client);
  const queue = mockClient(SQSClient);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    for (const service of [table, s3, queue]) service.reset();
    for (const command of [TransactWriteCommand, PutCommand, UpdateCommand, DeleteCommand]) {
      table.on(command as typeof PutCommand).resolves({});
    }
    s3.on(PutObjectCommand).resolves({});
    s3.on(DeleteObjectCommand).resolves({});
    s3.on(HeadObjectCommand).resolves({ ContentLength: 5, ETag: '"etag"' });
    s3.on(CopyObjectCommand).resolves({ CopyObjectResult: { ChecksumSHA256: checksum } });
    s3.on(GetObjectCommand).callsFake(async () => ({
      Body: { transformToByteArray: async () => Buffer.from('Hello') },
    }));
  });
  afterEach(() => void vi.useRealTimers());

  const transactions = (): TransactWriteCommandInput[] => sent(table, TransactWriteCommand);
  return {
    table,
    s3,
    queue,
    transactions,
    /** Those of the first transaction. */
    writes: () => transactions()[0]?.TransactItems ?? [],
    /** What the bucket was asked. */
    asked: (): unknown[] => s3.calls().map(({ args }) => [args[0].constructor.name, args[0].input]),
    /** Ann calls; the table holds her and these items. */
    asAnn: async (endpoint: string, items: readonly Item[] = [], options: CallOptions = {}) => {
      const extraPermissions = ['files:create', 'files:update', 'files:delete'];
      const ann = await signedIn({ extraPermissions });
      answerReads(table, [...ann.items, ...items]);
      return call(endpoint, { token: ann.token, params: { id: String(id) }, ...options });
    },
  };
};
