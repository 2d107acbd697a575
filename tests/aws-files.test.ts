import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '../shared/table.ts';
import {
  answerReads,
  broken,
  busy,
  canceled,
  mockTable,
  passingErrors,
  sent,
  signedIn,
  told,
} from './support/aws-errors.ts';
import { type CallOptions, call } from './support/call.ts';
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
import { formOf, multipartType } from './support/files.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const s3 = mockClient(S3Client);
const queue = mockClient(SQSClient);
const TableName = 'handbill-test';
const Bucket = 'handbill-files';
const aText = expect.any(String);
const quota = 1024 ** 3;
const fileKey = expect.stringMatching(/^files\/[\w-]{22}$/);
const uploadKey = expect.stringMatching(/^uploads\/[\w-]{22}$/);
const base64 = 'GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  table.reset();
  s3.reset();
  queue.reset();
  for (const command of [TransactWriteCommand, PutCommand, DeleteCommand]) {
    table.on(command as typeof PutCommand).resolves({});
  }
  s3.on(PutObjectCommand).resolves({});
  s3.on(DeleteObjectCommand).resolves({});
  s3.on(HeadObjectCommand).resolves({ ContentLength: 5, ETag: '"etag"' });
  s3.on(CopyObjectCommand).resolves({ CopyObjectResult: { ChecksumSHA256: base64 } });
  s3.on(GetObjectCommand).callsFake(async () => ({
    Body: { transformToByteArray: async () => Buffer.from('Hello') },
  }));
});
afterEach(() => void vi.useRealTimers());

/** Ann calls; the table holds her and these items. */
const asAnn = async (
  endpoint: string,
  items: readonly Record<string, unknown>[] = [],
  options: CallOptions = {},
) => {
  const extraPermissions = ['files:create', 'files:update', 'files:delete'];
  const ann = await signedIn({ extraPermissions });
  answerReads(table, [...ann.items, ...items]);
  return call(endpoint, { token: ann.token, params: { id: String(id) }, ...options });
};

const upload = (items?: readonly Record<string, unknown>[]) =>
  asAnn('POST /api/files/upload', items, {
    headers: multipartType,
    body: formOf({ name: 'file', fileName: 'notes', content: 'Hello' }),
  });

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];
const asked = (): unknown[] =>
  s3.calls().map(({ args }) => [args[0].constructor.name, args[0].input]);
const audit = [expect.anything(), expect.anything()];

/** What S3 throws, as the SDK does. */
const s3Error = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode, attempts: 1 } });

describe('POST /api/files/upload', () => {
  it('dooms the object, stores it with its checksum, and saves it with the record, its places and the usage', async () => {
    const { status, body } = await upload();
    expect(status).toBe(201);
    const record = {
      ...keys.file(body.data.id),
      ...file,
      id: body.data.id,
      object: fileKey,
      version: 1,
    };
    expect(transactions()).toEqual([
      {
        ClientRequestToken: aText,
        TransactItems: [
          { Put: { TableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' } },
          {
            Delete: {
              TableName,
              Key: { pk: 'DOOMED', sk: expect.stringMatching(/^2026-11-21T13:00:00.000Z#files\//) },
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
          ...places(body.data.id).map(put),
          total(1),
          count(1),
          usage(5, 1, quota - 5),
          ...audit,
        ],
      },
    ]);
    const [doom] = sent(table, PutCommand);
    expect(asked()).toEqual([
      [
        'PutObjectCommand',
        {
          Bucket,
          Key: doom?.Item?.['key'],
          Body: Buffer.from('Hello'),
          ChecksumSHA256: base64,
        },
      ],
    ]);
  });

  it('takes another id where the first is taken', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('ConditionalCheckFailed', ...Array(13).fill('None')))
      .resolves({});
    const { status, body } = await upload();
    expect([status, transactions().length]).toEqual([201, 2]);
    expect(transactions()[1]?.TransactItems?.[0]?.Put?.Item?.['id']).toBe(body.data.id);
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(1);
  });

  it('stores nothing of what has no room, and says so too where the room went meanwhile', async () => {
    const full = { ...keys.fileUsage(7), used: quota - 4, files: 1 };
    const first = await upload([full]);
    expect([first.status, first.body.error.message, asked()]).toEqual([
      413,
      'The file is 5 bytes, and 4 bytes of your 1 GB are free: delete some first',
      [],
    ]);
    const failed = canceled(...Array(11).fill('None'), 'ConditionalCheckFailed', 'None', 'None');
    Object.assign(failed.CancellationReasons?.[11] ?? {}, { Item: marshall(full) });
    table.on(TransactWriteCommand).rejects(failed);
    const second = await upload();
    expect([second.status, second.body.error.message]).toEqual([413, first.body.error.message]);
  });

  it.each(passingErrors())('is busy where the table fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await upload())).toEqual(busy(aText));
  });

  it.each([
    ['SlowDown', 503],
    ['InternalError', 500],
  ])('is busy where S3 fails with %s', async (name, status) => {
    s3.on(PutObjectCommand).rejects(s3Error(name, status));
    expect([told(await upload()), transactions()]).toEqual([busy(aText), []]);
  });

  it('is broken, and says no more, where S3 refuses it', async () => {
    s3.on(PutObjectCommand).rejects(s3Error('AccessDenied', 403));
    expect(told(await upload())).toEqual(broken(aText));
  });
});

describe('POST /api/files/presign', () => {
  const presign = () =>
    asAnn('POST /api/files/presign', [], {
      body: { name: 'notes', size: 5, type: 'text/html', checksum: file.checksum },
    });

  it('reserves room, and dooms the object for when no form can bring it any more', async () => {
    const { status, body } = await presign();
    expect(status).toBe(201);
    const record = {
      ...keys.file(body.data.id),
      ...uploading,
      id: body.data.id,
      object: uploadKey,
      version: 1,
    };
    const at = '2026-11-21T19:00:00.000Z';
    expect(writes()).toEqual([
      { Put: { TableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' } },
      put({
        pk: 'DOOMED',
        sk: expect.stringMatching(new RegExp(`^${at}#uploads/`)),
        key: body.data.fields.key,
      }),
      put(uploadPlace(body.data.id)),
      usage(5, 0, quota - 5),
      ...audit,
    ]);
    expect(asked()).toEqual([]);
  });
});

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

describe('DELETE /api/files/{id}', () => {
  const remove = (stored = file) => asAnn('DELETE /api/files/{id}', [itemOf(stored)]);

  it('hides the file and dooms its object, deletes that, then forgets the file', async () => {
    expect((await remove()).status).toBe(200);
    const hidden = { ...keys.file(id), ...file, status: 'removed', version: 4, ttl: 1_795_348_800 };
    expect(writes()).toEqual([
      { Put: { ...asSeen, Item: hidden } },
      put({ pk: 'DOOMED', sk: `${now}#${file.object}`, key: file.object }),
      ...places().map(keyOf).map(gone),
      total(-1),
      count(-1),
      usage(-5, -1),
      ...audit,
    ]);
    expect(asked()).toEqual([['DeleteObjectCommand', { Bucket, Key: file.object }]]);
    expect(sent(table, DeleteCommand)).toEqual([{ TableName, Key: keys.file(id) }]);
  });

  it('deletes the bytes of what is hidden already', async () => {
    expect((await remove({ ...file, status: 'removed' })).status).toBe(200);
    expect(transactions()).toEqual([]);
    expect(s3.commandCalls(DeleteObjectCommand)).toHaveLength(1);
  });

  it.each(passingErrors())('is not done while what is left of it stays by %s', async (_, error) => {
    table.on(DeleteCommand).rejects(error);
    const answer = await remove();
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(s3.commandCalls(DeleteObjectCommand)).toHaveLength(1);
  });

  it.each([
    ['SlowDown', 503],
    ['AccessDenied', 403],
  ])('is not done where S3 answers %s', async (name, status) => {
    s3.on(DeleteObjectCommand).rejects(s3Error(name, status));
    const answer = await remove();
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(sent(table, DeleteCommand)).toEqual([]);
  });

  it('reads again where somebody else was faster, 8 times', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ConditionalCheckFailed', ...Array(13).fill('None')));
    const answer = await remove();
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      'The file keeps changing: try again',
    ]);
    expect(transactions()).toHaveLength(8);
    expect(asked()).toEqual([]);
  });
});

describe('PUT /api/files/{id}', () => {
  it('moves a folder in the tree, if that is as it was seen, and touches nothing in it', async () => {
    const { mimeType: _, object: __, checksum: ___, ...rest } = file;
    const folder = { ...rest, type: 'folder' as const, size: 0 };
    const tree = { ...keys.fileFolders(7), version: 4, folders: { [id]: { name: 'notes' } } };
    const answer = await asAnn('PUT /api/files/{id}', [itemOf(folder), tree], {
      body: { name: 'Renamed' },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(writes()[1]).toEqual({
      Put: {
        TableName,
        Item: { ...keys.fileFolders(7), version: 5, folders: { [id]: { name: 'Renamed' } } },
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': 4 },
      },
    });
    // The record, the tree, three places of the name and its word, and the audit.
    expect(writes()).toHaveLength(1 + 1 + 6 + 2);
  });
});
