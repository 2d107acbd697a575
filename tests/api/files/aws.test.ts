import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { fileKeys } from '../../../functions/api/files/record/keys.ts';
import { broken, busy, canceled, passingErrors, sent, told } from '../../support/aws/errors.ts';
import { formOf, multipartType } from '../../support/files/files.ts';
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
  usage,
} from '../../support/files/items.ts';
import { checksum, s3Error, useMockedFiles } from '../../support/files/mocked.ts';

// Pauses between attempts end immediately.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, s3, transactions, writes, asked, asAnn } = useMockedFiles();
const TableName = 'handbill-test';
const Bucket = 'handbill-files';
const aText = expect.any(String);
const quota = 1024 ** 3;
const fileKey = expect.stringMatching(/^files\/[\w-]{22}$/);
const audit = [expect.anything(), expect.anything()];

const upload = (items?: readonly Record<string, unknown>[]) =>
  asAnn('POST /api/files/upload', items, {
    headers: multipartType,
    body: formOf({ name: 'file', fileName: 'notes', content: 'Hello' }),
  });

describe('POST /api/files/upload', () => {
  it('schedules the deletion of the object, stores it, and writes the record in one transaction', async () => {
    const { status, body } = await upload();
    expect(status).toBe(201);
    const record = {
      ...fileKeys.record.at({ id: body.data.id }),
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
              Key: {
                pk: 'DELETIONS',
                sk: expect.stringMatching(/^2026-11-21T13:00:00.000Z#files\//),
              },
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
    const [deletion] = sent(table, PutCommand);
    expect(asked()).toEqual([
      [
        'PutObjectCommand',
        {
          Bucket,
          Key: deletion?.Item?.['key'],
          Body: Buffer.from('Hello'),
          ChecksumSHA256: checksum,
        },
      ],
    ]);
  });

  it('uses another id if the first is in use', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('ConditionalCheckFailed', ...Array(13).fill('None')))
      .resolves({});
    const { status, body } = await upload();
    expect([status, transactions().length]).toEqual([201, 2]);
    expect(transactions()[1]?.TransactItems?.[0]?.Put?.Item?.['id']).toBe(body.data.id);
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(1);
  });

  it('rejects a file beyond the quota, also after concurrent uploads', async () => {
    const full = { ...fileKeys.usage.at({ userId: 7 }), used: quota - 4, files: 1 };
    const first = await upload([full]);
    expect([first.status, first.body.error.message, asked()]).toEqual([
      413,
      'Storage quota exceeded: 4 bytes of 1 GB free.',
      [],
    ]);
    const failed = canceled(...Array(11).fill('None'), 'ConditionalCheckFailed', 'None', 'None');
    Object.assign(failed.CancellationReasons?.[11] ?? {}, { Item: marshall(full) });
    table.on(TransactWriteCommand).rejects(failed);
    const second = await upload();
    expect([second.status, second.body.error.message]).toEqual([413, first.body.error.message]);
  });

  it.each(passingErrors())('returns 503 if the table fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await upload())).toEqual(busy(aText));
  });

  it.each([
    ['SlowDown', 503],
    ['InternalError', 500],
  ])('returns 503 if S3 fails with %s', async (name, status) => {
    s3.on(PutObjectCommand).rejects(s3Error(name, status));
    expect([told(await upload()), transactions()]).toEqual([busy(aText), []]);
  });

  it('returns 500 without details if S3 denies access', async () => {
    s3.on(PutObjectCommand).rejects(s3Error('AccessDenied', 403));
    expect(told(await upload())).toEqual(broken(aText));
  });
});

describe('DELETE /api/files/{id}', () => {
  const remove = (stored = file) => asAnn('DELETE /api/files/{id}', [itemOf(stored)]);

  it('hides the file, schedules and runs the deletion of its object, then deletes the record', async () => {
    expect((await remove()).status).toBe(200);
    const hidden = {
      ...fileKeys.record.at({ id }),
      ...file,
      status: 'removed',
      version: 4,
      ttl: 1_795_348_800,
    };
    expect(writes()).toEqual([
      { Put: { ...asSeen, Item: hidden } },
      put({ pk: 'DELETIONS', sk: `${now}#${file.object}`, key: file.object }),
      ...places().map(keyOf).map(gone),
      total(-1),
      count(-1),
      usage(-5, -1),
      ...audit,
    ]);
    expect(asked()).toEqual([['DeleteObjectCommand', { Bucket, Key: file.object }]]);
    expect(sent(table, DeleteCommand)).toEqual([{ TableName, Key: fileKeys.record.at({ id }) }]);
  });

  it('deletes the object of a hidden file', async () => {
    expect((await remove({ ...file, status: 'removed' })).status).toBe(200);
    expect(transactions()).toEqual([]);
    expect(s3.commandCalls(DeleteObjectCommand)).toHaveLength(1);
  });

  it.each(passingErrors())('returns 503 if deleting the record fails with %s', async (_, error) => {
    table.on(DeleteCommand).rejects(error);
    const response = await remove();
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    expect(s3.commandCalls(DeleteObjectCommand)).toHaveLength(1);
  });

  it.each([
    ['SlowDown', 503],
    ['AccessDenied', 403],
  ])('returns an error if S3 responds with %s', async (name, status) => {
    s3.on(DeleteObjectCommand).rejects(s3Error(name, status));
    const response = await remove();
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    expect(sent(table, DeleteCommand)).toEqual([]);
  });

  it('retries 8 times after concurrent writes', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ConditionalCheckFailed', ...Array(13).fill('None')));
    const response = await remove();
    expect([response.status, response.body.error.message]).toEqual([
      503,
      'The file is being modified. Try again.',
    ]);
    expect(transactions()).toHaveLength(8);
    expect(asked()).toEqual([]);
  });
});

describe('PUT /api/files/{id}', () => {
  it('moves a folder in the expected version of the tree without writing its contents', async () => {
    const { mimeType: _, object: __, checksum: ___, ...rest } = file;
    const folder = { ...rest, type: 'folder' as const, size: 0 };
    const tree = {
      ...fileKeys.folders.at({ userId: 7 }),
      version: 4,
      folders: { [id]: { name: 'notes' } },
    };
    const response = await asAnn('PUT /api/files/{id}', [itemOf(folder), tree], {
      body: { name: 'Renamed' },
    });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    expect(writes()[1]).toEqual({
      Put: {
        TableName,
        Item: {
          ...fileKeys.folders.at({ userId: 7 }),
          version: 5,
          folders: { [id]: { name: 'Renamed' } },
        },
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': 4 },
      },
    });
    // The record, the tree, three index entries of the name and its word, and the audit.
    expect(writes()).toHaveLength(1 + 1 + 6 + 2);
  });
});
