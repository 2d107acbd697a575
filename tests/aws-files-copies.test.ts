import { CopyObjectCommand, DeleteObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { keys } from '../shared/table.ts';
import { answerReads, canceled, sent } from './support/aws-errors.ts';
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
} from './support/file-items.ts';
import { s3Error, useMockedFiles } from './support/mocked-files.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, s3, queue, transactions, writes, asked, asAnn } = useMockedFiles();
const TableName = 'handbill-test';
const Bucket = 'handbill-files';
const audit = [expect.anything(), expect.anything()];

describe('POST /api/files/{id}/complete', () => {
  const complete = (stored = uploading) => asAnn('POST /api/files/{id}/complete', [itemOf(stored)]);

  it('copies what was found, reads the copy, and records that', async () => {
    const { status, body } = await complete();
    expect([status, body.data]).toMatchObject([200, { mimeType: 'text/plain', version: 4 }]);
    const [doom] = sent(table, PutCommand);
    const Key = doom?.Item?.['key'];
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
    const record = { ...keys.file(id), ...file, object: Key, version: 4 };
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
  ])('is a conflict where S3 answers HEAD with %s', async (name, status) => {
    s3.on(HeadObjectCommand).rejects(s3Error(name, status));
    const answer = await complete();
    expect([answer.status, transactions()]).toEqual([409, []]);
  });

  it.each(['PreconditionFailed', 'NoSuchKey', 'AccessDenied'])(
    'is a conflict where the copy is refused with %s',
    async (name) => {
      s3.on(CopyObjectCommand).rejects(s3Error(name, 412));
      const answer = await complete();
      expect([answer.status, transactions()]).toEqual([409, []]);
    },
  );

  it.each(['AbortError', 'TimeoutError'])(
    'is busy where the copy ends in %s, does not try it twice by itself, and leaves it to a job',
    async (name) => {
      s3.on(CopyObjectCommand).rejects(
        Object.assign(new Error('aborted'), { name, $metadata: { attempts: 1 } }),
      );
      queue.on(SendMessageCommand).resolves({});
      const answer = await complete();
      expect([answer.status, answer.headers['retry-after'], answer.body.error.message]).toEqual([
        503,
        '1',
        'It is still being put in its place: send the request again',
      ]);
      expect(s3.commandCalls(CopyObjectCommand)).toHaveLength(1);
      const [message, ...others] = queue.commandCalls(SendMessageCommand);
      expect(JSON.parse(message?.args[0].input.MessageBody ?? '')).toMatchObject({
        kind: 'complete-upload',
        data: { id },
      });
      expect(others).toEqual([]);
    },
  );

  it('deletes the copy of what is not as it was announced', async () => {
    s3.on(CopyObjectCommand).resolves({ CopyObjectResult: { ChecksumSHA256: 'AAAA' } });
    expect((await complete()).status).toBe(409);
    const [doom] = sent(table, PutCommand);
    expect(s3.commandCalls(DeleteObjectCommand)[0]?.args[0].input.Key).toBe(doom?.Item?.['key']);
  });

  it('answers the file that another request has completed, and deletes the own copy', async () => {
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, [itemOf({ ...file, version: 4 })]);
      throw canceled('ConditionalCheckFailed', ...Array(14).fill('None'));
    });
    const { status, body } = await complete();
    expect([status, body.data.version, transactions().length]).toEqual([200, 4, 1]);
    const [doom] = sent(table, PutCommand);
    expect(s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input.Key)).toEqual([
      doom?.Item?.['key'],
    ]);
  });

  it('is a 404 past its time, and asks S3 nothing', async () => {
    const answer = await complete({ ...uploading, completeBy: now });
    expect([answer.status, asked()]).toEqual([404, []]);
  });
});
