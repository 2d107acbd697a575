import { CopyObjectCommand, DeleteObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import type { StoredFile } from '../../../functions/api/files/record/file.ts';
import { fileKeys } from '../../../functions/api/files/record/keys.ts';
import { completeInBackground } from '../../../functions/api/files/uploads/direct-upload.ts';
import {
  answerReads,
  canceled,
  conditionFailed,
  passingErrors,
  sent,
} from '../../support/aws/errors.ts';
import {
  asSeen,
  count,
  file,
  gone,
  id,
  itemOf,
  keyOf,
  now,
  places,
  put,
  total,
  uploading,
  uploadPlace,
  usage,
} from '../../support/files/items.ts';
import { s3Error, useMockedFiles } from '../../support/files/mocked.ts';

// Pauses between attempts end immediately.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, s3, queue, transactions, writes, asked, asAnn } = useMockedFiles();
const TableName = 'handbill-test';
const Bucket = 'handbill-files';
const nowMs = Date.parse(now);
const audit = [expect.anything(), expect.anything()];
const stillCopied = 'The upload is being processed. Repeat the request.';

const complete = (stored = uploading) => asAnn('POST /api/files/{id}/complete', [itemOf(stored)]);

const after = (ms: number): string => new Date(nowMs + ms).toISOString();

/** The same upload with a copy lease of the given ms. */
const claimedFor = (ms: number, copyKey = 'files/of-another'): StoredFile => ({
  ...uploading,
  copyKey,
  copyLeaseUntil: after(ms),
});

/** Returns the key of the copy, from its scheduled deletion. */
const copyKey = () => sent(table, PutCommand)[0]?.Item?.['key'];

/** The write that leases the copy for the given ms. */
const claim = (ms: number, former = copyKey()) => ({
  TableName,
  Key: fileKeys.record.at({ id }),
  UpdateExpression: 'SET copyKey = :to, copyLeaseUntil = :until',
  ConditionExpression:
    'version = :seen AND (attribute_not_exists(copyKey) OR copyKey IN (:to, :former) OR copyLeaseUntil <= :now)',
  ExpressionAttributeValues: {
    ':to': copyKey(),
    ':until': after(ms),
    ':seen': 3,
    ':former': former,
    ':now': now,
  },
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});

/** The write that ends the lease in the given ms. */
const end = (ms: number) => ({
  TableName,
  Key: fileKeys.record.at({ id }),
  UpdateExpression: 'SET copyLeaseUntil = :until',
  ConditionExpression: 'copyKey = :to',
  ExpressionAttributeValues: { ':to': copyKey(), ':until': after(ms) },
  ReturnValues: 'ALL_NEW',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});

const copies = () => s3.commandCalls(CopyObjectCommand);
const jobs = () =>
  queue
    .commandCalls(SendMessageCommand)
    .map(({ args }) => JSON.parse(args[0].input.MessageBody ?? ''));

const lateCopy = (name = 'AbortError') =>
  Object.assign(new Error('aborted'), { name, $metadata: { attempts: 1 } });

describe('POST /api/files/{id}/complete', () => {
  it('leases the copy, makes and reads it, and records the file', async () => {
    const { status, body } = await complete();
    expect([status, body.data]).toMatchObject([200, { mimeType: 'text/plain', version: 4 }]);
    const Key = copyKey();
    expect(sent(table, UpdateCommand)).toEqual([claim(16_000)]);
    expect(asked()).toEqual([
      ['HeadObjectCommand', { Bucket, Key: 'uploads/first-object' }],
      [
        'CopyObjectCommand',
        {
          Bucket,
          Key,
          CopySource: `${Bucket}/uploads/first-object`,
          CopySourceIfMatch: '"etag"',
          ChecksumAlgorithm: 'SHA256',
          MetadataDirective: 'REPLACE',
          ContentType: 'application/octet-stream',
        },
      ],
      ['GetObjectCommand', { Bucket, Key, Range: 'bytes=0-65535' }],
      ['DeleteObjectCommand', { Bucket, Key: 'uploads/first-object' }],
    ]);
    const record = { ...fileKeys.record.at({ id }), ...file, object: Key, version: 4 };
    expect(writes()).toEqual([
      { Put: { ...asSeen, Item: record } },
      expect.objectContaining({ Delete: expect.objectContaining({ TableName }) }),
      gone(keyOf(uploadPlace())),
      ...places().map(put),
      total(1),
      count(1),
      usage(0, 1),
      ...audit,
    ]);
  });

  it.each([
    ['NotFound', 404],
    ['Forbidden', 403],
    ['403', 403],
  ])('returns 409 if S3 responds to HEAD with %s', async (name, status) => {
    s3.on(HeadObjectCommand).rejects(s3Error(name, status));
    const response = await complete();
    expect([response.status, transactions(), sent(table, UpdateCommand)]).toEqual([409, [], []]);
  });

  it.each(['PreconditionFailed', 'NoSuchKey', 'AccessDenied'])(
    'is a conflict where the copy is refused with %s',
    async (name) => {
      s3.on(CopyObjectCommand).rejects(s3Error(name, 412));
      const response = await complete();
      expect([response.status, transactions()]).toEqual([409, []]);
      // So that the next request need not wait.
      expect(sent(table, UpdateCommand)).toEqual([claim(16_000), end(0)]);
    },
  );

  it.each(['AbortError', 'TimeoutError'])(
    'is busy where the copy ends in %s, does not try it twice by itself, and leaves it and the claim to a job',
    async (name) => {
      s3.on(CopyObjectCommand).rejects(lateCopy(name));
      queue.on(SendMessageCommand).resolves({});
      const response = await complete();
      expect([
        response.status,
        response.headers['retry-after'],
        response.body.error.message,
      ]).toEqual([503, '1', stillCopied]);
      expect(copies()).toHaveLength(1);
      expect(jobs()).toEqual([
        {
          id: expect.any(String),
          kind: 'complete-upload',
          data: { id, copyKey: copyKey() },
        },
      ]);
      expect(sent(table, UpdateCommand)).toEqual([claim(16_000), end(120_000)]);
    },
  );

  it('makes no second copy while one is leased', async () => {
    for (const stored of [claimedFor(1), claimedFor(120_000)]) {
      const response = await complete(stored);
      expect([
        response.status,
        response.headers['retry-after'],
        response.body.error.message,
      ]).toEqual([503, '1', stillCopied]);
    }
    expect([asked(), jobs(), sent(table, UpdateCommand), sent(table, PutCommand)]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('takes over an expired lease after a crash', async () => {
    expect((await complete(claimedFor(0))).status).toBe(200);
    expect(sent(table, UpdateCommand)).toEqual([claim(16_000)]);
    const [record] = writes();
    expect(record?.Put?.Item).toEqual({
      ...fileKeys.record.at({ id }),
      ...file,
      object: copyKey(),
      version: 4,
    });
  });

  it('returns the file of a concurrent request that got the lease', async () => {
    table.on(UpdateCommand).callsFakeOnce(() => {
      answerReads(table, [itemOf({ ...file, version: 4 })]);
      throw conditionFailed(itemOf(claimedFor(16_000)));
    });
    const { status, body } = await complete();
    expect([status, body.data.version, copies(), transactions()]).toEqual([200, 4, [], []]);
  });

  it.each(passingErrors())('copies nothing if leasing fails with %s', async (_, error) => {
    const { UpdateExpression } = claim(16_000);
    table.on(UpdateCommand, { UpdateExpression }).rejects(error);
    const response = await complete();
    expect([response.status, copies(), transactions()]).toEqual([503, [], []]);
    // It may have been written nevertheless.
    expect(sent(table, UpdateCommand).at(-1)).toEqual(end(0));
  });

  it('copies nothing and releases the lease if scheduling the deletion fails', async () => {
    table.on(PutCommand).rejects(lateCopy('TimeoutError'));
    const response = await complete();
    expect([response.status, copies(), transactions()]).toEqual([503, [], []]);
    expect(sent(table, UpdateCommand)).toEqual([claim(16_000), end(0)]);
  });

  it('deletes a copy with the wrong checksum', async () => {
    s3.on(CopyObjectCommand).resolves({ CopyObjectResult: { ChecksumSHA256: 'AAAA' } });
    expect((await complete()).status).toBe(409);
    expect(s3.commandCalls(DeleteObjectCommand)[0]?.args[0].input.Key).toBe(copyKey());
    expect(sent(table, UpdateCommand)).toEqual([claim(16_000), end(0)]);
  });

  it('returns the file that another request completed and deletes its own copy', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, [itemOf({ ...file, version: 4 })]);
      throw canceled('ConditionalCheckFailed', ...Array(14).fill('None'));
    });
    const { status, body } = await complete();
    expect([status, body.data.version, transactions().length]).toEqual([200, 4, 1]);
    expect(s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input.Key)).toEqual([
      copyKey(),
    ]);
  });

  it('returns 404 for an expired upload without a request to S3', async () => {
    const response = await complete({ ...uploading, completeBy: now });
    expect([response.status, asked()]).toEqual([404, []]);
  });
});

describe('completeInBackground', () => {
  const run = (stored: StoredFile, copyKey?: string) => {
    answerReads(table, [itemOf(stored)]);
    return completeInBackground({ id, ...(copyKey !== undefined && { copyKey }) });
  };

  it('takes over the lease of the deferring request and audits its user', async () => {
    await run(claimedFor(120_000, 'files/of-the-request'), 'files/of-the-request');
    expect(sent(table, UpdateCommand)).toEqual([claim(55_000, 'files/of-the-request')]);
    expect(copies()).toHaveLength(1);
    const entries = writes().map(({ Put }) => Put?.Item ?? {});
    expect(entries.filter(({ action }) => action === 'file.complete')).toEqual([
      expect.objectContaining({ actorId: 7, gsi1pk: 'AUDIT#ACTOR#7' }),
      expect.objectContaining({ actorId: 7 }),
    ]);
  });

  it.each([
    ['another request makes the copy', claimedFor(1)],
    ['it is complete', file],
    ['it is over', { ...uploading, completeBy: now }],
  ])('does nothing if %s', async (_, stored) => {
    await run(stored, 'files/of-the-request');
    expect([asked(), sent(table, UpdateCommand), transactions()]).toEqual([[], [], []]);
  });

  it('continues after an expired lease, and without a copy key', async () => {
    await run(claimedFor(0), 'files/of-the-request');
    await run(uploading);
    expect([copies().length, transactions().length]).toEqual([2, 2]);
  });

  it('shortens its lease and throws if the copy takes too long', async () => {
    s3.on(CopyObjectCommand).rejects(lateCopy());
    await expect(run(uploading)).rejects.toMatchObject({ name: 'CopyTimeoutError' });
    expect(sent(table, UpdateCommand)).toEqual([claim(55_000), end(0)]);
    expect(jobs()).toEqual([]);
  });

  it('finishes if the object is not as announced', async () => {
    s3.on(HeadObjectCommand).resolves({ ContentLength: 4, ETag: '"etag"' });
    await run(uploading);
    expect([copies(), transactions()]).toEqual([[], []]);
  });
});
