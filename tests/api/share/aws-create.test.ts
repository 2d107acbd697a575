import { brotliDecompressSync } from 'node:zlib';
import { PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import {
  answerReads,
  busy,
  canceled,
  passingErrors,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { useMockedBucket, useMockedTable } from '../../support/aws/stores.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { content } from '../../support/shares/items.ts';
import {
  anId,
  inAnHour,
  incremented,
  incrementedTotal,
  large,
  now,
  scheduledDeletion,
} from '../../support/shares/writes.ts';
import { putNew, retriedCodes } from '../../support/users/auth-writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable(now);
const bucket = useMockedBucket();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];
const canceledAt = (at: number, code: string) => canceled(...Array(9).fill('None').with(at, code));

describe('POST /api/share', () => {
  const share = async (fields: Record<string, unknown> = {}) => {
    const ann = await signedIn();
    answerReads(table, ann.items);
    return call('POST /api/share', { token: ann.token, body: { content, ...fields } });
  };

  it('writes share, access item, list entries, counters and content in one transaction if the owner is active', async () => {
    const { status, body } = await share({ title: 'A title', viewLimit: 3, expiresIn: 3_600 });
    expect(status).toBe(201);
    const shareId = body.id;
    const texts = {
      id: anId,
      place: 'table',
      parts: [{ name: 'source', bytes: Buffer.byteLength(content) }],
    };
    expect(transactions()).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          {
            ConditionCheck: {
              TableName,
              Key: userKeys.record.at({ id: 7 }),
              ConditionExpression: 'attribute_exists(pk) AND #status = :status',
              ExpressionAttributeNames: { '#status': 'status' },
              ExpressionAttributeValues: { ':status': 'active' },
            },
          },
          putNew({
            ...shareKeys.record.at({ id: shareId }),
            id: shareId,
            ownerId: 7,
            language: 'html',
            title: 'A title',
            viewLimit: 3,
            expiresAt: inAnHour,
            createdAt: now,
            updatedAt: now,
            version: 1,
            texts,
          }),
          putNew({
            ...shareKeys.access.at({ id: shareId }),
            views: 0,
            recentViewIds: Array(40).fill('-'),
            viewsBeforeLast: 2,
            expiresAt: inAnHour,
          }),
          // Not in the access item, where each view would also write the index.
          {
            Put: {
              TableName,
              Item: {
                ...shareKeys.end.at({ id: shareId }),
                gsi1pk: 'SHARES#ENDS',
                gsi1sk: `${inAnHour}#${shareId}`,
              },
            },
          },
          putNew({
            ...shareKeys.byOwner.at({ ownerId: 7, createdAt: now, id: shareId }),
            id: shareId,
            gsi1pk: 'SHARES',
            gsi1sk: `${now}#${shareId}`,
          }),
          incremented(shareKeys.ownCount.at({ ownerId: 7 }), 1),
          incrementedTotal(1),
          {
            Put: {
              TableName,
              Item: {
                ...shareKeys.content.at({ id: shareId }),
                id: anId,
                packed: expect.any(Buffer),
              },
            },
          },
          ...auditWrites({
            action: 'share.create',
            subject: `share:${shareId}`,
            actorId: 7,
            after: {
              ownerId: 7,
              language: 'html',
              title: 'A title',
              viewLimit: 3,
              expiresAt: inAnHour,
              password: 'none',
            },
          }),
        ],
      },
    ]);
    const stored = writes()[7]?.Put?.Item;
    expect(brotliDecompressSync(stored?.['packed']).toString()).toBe(content);
    expect(writes()[1]?.Put?.Item?.['texts'].id).toBe(stored?.['id']);
    expect(bucket.calls()).toEqual([]);
  });

  it('stores salt and hash of a password, and its id in the access item', async () => {
    const { body } = await share({ useRandomPassword: true });
    expect(body.password).toMatch(/^[A-Za-z0-9]{6}$/);
    const password = {
      id: expect.stringMatching(/^[\w-]{8}$/),
      salt: expect.any(Buffer),
      hash: expect.any(Buffer),
      cost: 16_384,
    };
    expect(writes()[1]?.Put?.Item?.['password']).toEqual(password);
    expect(writes()[2]?.Put?.Item?.['passwordId']).toBe(writes()[1]?.Put?.Item?.['password'].id);
    expect(JSON.stringify(transactions())).not.toContain(body.password);
  });

  it('schedules the deletion of uploads and cancels it with the share', async () => {
    const { body } = await share({ content: large });
    const [deletion] = sent(table, PutCommand);
    const [object] = bucket.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
    const Key = expect.stringMatching(new RegExp(`^texts/SHARE/${body.id}/[\\w-]{22}$`));
    expect(deletion).toEqual({
      TableName,
      Item: { ...scheduledDeletion, key: Key },
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    expect(object).toEqual({ Bucket: process.env['FILES_BUCKET'], Key, Body: expect.any(Buffer) });
    const uploaded = (object as PutObjectCommandInput).Body as Buffer;
    expect(brotliDecompressSync(uploaded).toString()).toBe(large);
    expect(writes()[6]).toEqual({
      Delete: {
        TableName,
        Key: { pk: 'DELETIONS', sk: `${inAnHour}#${object?.Key}` },
        ConditionExpression: 'attribute_exists(pk)',
      },
    });
    expect(writes()[1]?.Put?.Item?.['texts']).toMatchObject({
      place: 'bucket',
      parts: [{ name: 'source', bytes: large.length }],
    });
  });

  it('uploads nothing without a scheduled deletion and stores nothing without its upload', async () => {
    table.on(PutCommand).rejects(errors[0]?.[1]);
    expect(told(await share({ content: large }))).toEqual(busy(aText));
    expect(bucket.calls()).toEqual([]);
    table.on(PutCommand).resolves({});
    bucket.on(PutObjectCommand).rejects(errors[5]?.[1]);
    expect(told(await share({ content: large }))).toEqual(busy(aText));
    expect(transactions()).toEqual([]);
  });

  it('returns 401 if the owner was removed or suspended concurrently', async () => {
    table.on(TransactWriteCommand).rejects(canceledAt(0, 'ConditionalCheckFailed'));
    expect(await share()).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } });
  });

  it.each(retriedCodes)('retries the same transaction after %s', async (code) => {
    const error = canceledAt(5, code);
    table.on(TransactWriteCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
    expect((await share()).status).toBe(201);
    const [first, ...others] = transactions();
    expect(others).toEqual([first, first]);
  });

  it('returns 503 if the conflicts continue', async () => {
    table.on(TransactWriteCommand).rejects(canceledAt(5, 'TransactionConflict'));
    expect(told(await share())).toEqual(busy(aText));
    expect(transactions().length).toBeLessThanOrEqual(8);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await share())).toEqual(busy(aText));
  });
});
