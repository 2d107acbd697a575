import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { fileKeys } from '../../../functions/api/files/record/keys.ts';
import { limitKeys } from '../../../shared/http/keys.ts';
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

// Pauses between attempts end immediately.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, transactions, writes, asked, asAnn } = useMockedFiles();
const TableName = 'handbill-test';
const quota = 1024 ** 3;
const nowMs = Date.parse(now);
const refillMs = 7 * 3_600_000;
const bucketKey = limitKeys.bucket.at({ limit: 'form-bytes', who: '7' });
const audit = [expect.anything(), expect.anything()];

const presign = (items: readonly Record<string, unknown>[] = [], size = 5) =>
  asAnn('POST /api/files/presign', items, {
    body: { name: 'notes', size, type: 'text/html', checksum: file.checksum },
  });

/** A token bucket that will be full again in the given ms. */
const bucketIn = (ms: number) => ({ ...bucketKey, refilledAt: nowMs + ms });

/** The write that consumes the bytes of a form, which the token bucket regains in the given ms. */
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
  it('reserves storage, consumes the allowance and schedules the deletion of the object', async () => {
    const { status, body } = await presign();
    expect(status).toBe(201);
    const record = {
      ...fileKeys.record.at({ id: body.data.id }),
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

  it('consumes the allowance of a large file in proportion to the quota', async () => {
    await presign([], quota / 4);
    expect(writes()[2]).toEqual(taking(refillMs / 4, ':now'));
  });

  it('consumes a partial allowance, and one that is full again', async () => {
    await presign([bucketIn(60_000)]);
    expect(writes()[2]).toEqual(taking(1, 'refilledAt'));
    table.resetHistory();
    await presign([bucketIn(0)]);
    expect(writes()[2]).toEqual(taking(1, ':now'));
  });

  it('consumes nothing for an empty file', async () => {
    expect((await presign([bucketIn(2 * refillMs)], 0)).status).toBe(201);
    expect(writes()).toHaveLength(5);
  });

  it('rejects what exceeds the allowance without a write and sends Retry-After', async () => {
    const response = await presign([bucketIn(2 * refillMs)], quota / 2);
    expect([response.status, response.headers['retry-after']]).toEqual([429, '12600']);
    expect(transactions()).toEqual([]);
  });

  it('reads the allowance again after concurrent forms', async () => {
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

  it('rejects a form if concurrent forms have used the allowance up', async () => {
    const { items } = await signedIn({ extraPermissions: ['files:create'] });
    table.on(TransactWriteCommand).callsFakeOnce(() => {
      answerReads(table, [...items, bucketIn(2 * refillMs)]);
      throw canceled('None', 'None', 'ConditionalCheckFailed', 'None', 'None', 'None', 'None');
    });
    const response = await presign();
    expect([response.status, response.headers['retry-after']]).toEqual([429, '1']);
    expect(transactions()).toHaveLength(1);
  });

  it.each(passingErrors())('returns 503 if the table fails with %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await presign())).toEqual(busy(expect.any(String)));
  });
});
