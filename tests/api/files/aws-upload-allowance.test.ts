import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { keys } from '../../../shared/db/table.ts';
import {
  answerReads,
  busy,
  canceled,
  passingErrors,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { file, now, put, uploading, uploadPlace, usage } from '../../support/files/items.ts';
import { useMockedFiles } from '../../support/files/mocked.ts';

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, transactions, writes, asked, asAnn } = useMockedFiles();
const TableName = 'handbill-test';
const quota = 1024 ** 3;
const nowMs = Date.parse(now);
const refillMs = 7 * 3_600_000;
const bucketKey = keys.rateLimit('form-bytes', '7');
const audit = [expect.anything(), expect.anything()];

const presign = (items: readonly Record<string, unknown>[] = [], size = 5) =>
  asAnn('POST /api/files/presign', items, {
    body: { name: 'notes', size, type: 'text/html', checksum: file.checksum },
  });

/** A bucket that will be full again in so many ms. */
const bucketIn = (ms: number) => ({ ...bucketKey, refilledAt: nowMs + ms });

/** The write that takes the bytes of a form, which the bucket gains in so many ms. */
const taking = (gain: number, from: ':now' | 'refilledAt') => ({
  Update: {
    TableName,
    Key: bucketKey,
    UpdateExpression: `SET refilledAt = ${from} + :gain, #ttl = :ttl`,
    ConditionExpression:
      from === ':now' ? 'attribute_not_exists(pk) OR refilledAt <= :now' : 'refilledAt <= :latest',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':gain': gain,
      ':ttl': (nowMs + 2 * refillMs) / 1_000,
      ...(from === ':now' ? { ':now': nowMs } : { ':latest': nowMs + 2 * refillMs - gain }),
    },
  },
});

describe('POST /api/files/presign', () => {
  it('reserves room, takes the bytes that the form may bring, and dooms the object for when it can bring none', async () => {
    const { status, body } = await presign();
    expect(status).toBe(201);
    const record = {
      ...keys.file(body.data.id),
      ...uploading,
      id: body.data.id,
      object: expect.stringMatching(/^uploads\/[\w-]{22}$/),
      version: 1,
    };
    expect(writes()).toEqual([
      { Put: { TableName, Item: record, ConditionExpression: 'attribute_not_exists(pk)' } },
      put({
        pk: 'DELETIONS',
        sk: expect.stringMatching(/^2026-11-21T19:00:00.000Z#uploads\//),
        key: body.data.fields.key,
      }),
      taking(1, ':now'),
      put(uploadPlace(body.data.id)),
      usage(5, 0, quota - 5),
      ...audit,
    ]);
    expect(asked()).toEqual([]);
  });

  it('takes the bytes of a large file for as long as its part of the quota says', async () => {
    await presign([], quota / 4);
    expect(writes()[2]).toEqual(taking(refillMs / 4, ':now'));
  });

  it('takes bytes from what is left in a bucket, and from one that is full again anew', async () => {
    await presign([bucketIn(60_000)]);
    expect(writes()[2]).toEqual(taking(1, 'refilledAt'));
    table.resetHistory();
    await presign([bucketIn(0)]);
    expect(writes()[2]).toEqual(taking(1, ':now'));
  });

  it('takes none for a file without bytes', async () => {
    expect((await presign([bucketIn(2 * refillMs)], 0)).status).toBe(201);
    expect(writes()).toHaveLength(5);
  });

  it('refuses without a write what the bucket does not hold, and says when it will', async () => {
    const response = await presign([bucketIn(2 * refillMs)], quota / 2);
    expect([response.status, response.headers['retry-after']]).toEqual([429, '12600']);
    expect(transactions()).toEqual([]);
  });

  it('reads the bucket again where other forms have taken from it meanwhile', async () => {
    const { items } = await signedIn({ extraPermissions: ['files:create'] });
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        answerReads(table, [...items, bucketIn(60_000)]);
        throw canceled('None', 'None', 'ConditionalCheckFailed', 'None', 'None', 'None', 'None');
      })
      .resolves({});
    expect((await presign()).status).toBe(201);
    expect(transactions().map(({ TransactItems }) => TransactItems?.[2])).toEqual([
      taking(1, ':now'),
      taking(1, 'refilledAt'),
    ]);
  });

  it('refuses what others have left nothing for meanwhile', async () => {
    const { items } = await signedIn({ extraPermissions: ['files:create'] });
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, [...items, bucketIn(2 * refillMs)]);
      throw canceled('None', 'None', 'ConditionalCheckFailed', 'None', 'None', 'None', 'None');
    });
    const response = await presign();
    expect([response.status, response.headers['retry-after']]).toEqual([429, '1']);
    expect(transactions()).toHaveLength(1);
  });

  it.each(passingErrors())('is busy where the table fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await presign())).toEqual(busy(expect.any(String)));
  });
});
