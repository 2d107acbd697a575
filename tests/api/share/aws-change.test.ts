import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { storageKeys } from '../../../shared/storage/keys.ts';
import { withoutAudit } from '../../support/aws/change-writes.ts';
import {
  accessDenied,
  answerReads,
  broken,
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
import { shareId as id, shareItems, shownShare } from '../../support/shares/items.ts';
import {
  anId,
  inAnHour,
  incremented,
  incrementedTotal,
  large,
  now,
  scheduledDeletion,
} from '../../support/shares/writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = useMockedTable(now);
const bucket = useMockedBucket();
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];
const canceledAt = (at: number, code: string, length: number) =>
  canceled(...Array(length).fill('None').with(at, code));
/** An audit entry of Ann’s change. */
const entry = { subject: `share:${id}`, actorId: 7 };

/** Calls as Ann, user 7, whose items are in the table with these. */
const asAnn = async (
  endpoint: string,
  items: readonly Record<string, unknown>[],
  body?: unknown,
) => {
  const ann = await signedIn();
  answerReads(table, [...ann.items, ...items]);
  return call(endpoint, { token: ann.token, params: { id }, ...(body !== undefined && { body }) });
};

describe('PUT /api/share/{id}', () => {
  const change = (fields: Record<string, unknown>, items = shareItems({ viewLimit: 3 })) =>
    asAnn('PUT /api/share/{id}', items, fields);
  const shareUpdate = () => writes()[0]?.Update;
  const gateUpdate = () => writes()[1]?.Update;

  it('writes share, access item and audit entry if the share is unchanged and has not ended', async () => {
    const { status, body } = await change({ title: 'New', viewLimit: 9, expiresIn: 3_600 });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...shownShare({
          title: 'New',
          viewLimit: 9,
          viewsLeft: 9,
          expiresAt: inAnHour,
          version: 2,
        }),
        updatedAt: now,
        message: 'Saved',
      },
    });
    const gsi1sk = `${inAnHour}#${id}`;
    expect(writes().slice(2)).toEqual([
      {
        Put: {
          TableName,
          Item: { ...shareKeys.end.at({ id }), gsi1pk: 'SHARES#ENDS', gsi1sk },
        },
      },
      ...auditWrites({
        ...entry,
        action: 'share.update',
        before: { title: null, viewLimit: 3, expiresAt: null },
        after: { title: 'New', viewLimit: 9, expiresAt: inAnHour },
      }),
    ]);
    expect(shareUpdate()).toMatchObject({
      TableName,
      Key: shareKeys.record.at({ id }),
      ConditionExpression: 'attribute_exists(pk) AND version = :seenVersion',
      ExpressionAttributeValues: {
        ':seenVersion': 1,
        ':version': 2,
        ':title': 'New',
        ':viewLimit': 9,
        ':expiresAt': inAnHour,
        ':updatedAt': now,
      },
    });
    expect(gateUpdate()).toEqual({
      TableName,
      Key: shareKeys.access.at({ id }),
      UpdateExpression:
        'SET #viewsBeforeLast = :viewsBeforeLast, #expiresAt = :expiresAt REMOVE #passwordId',
      ConditionExpression:
        'attribute_exists(pk) AND attribute_not_exists(endedAt) AND #views < :limit',
      ExpressionAttributeNames: expect.objectContaining({ '#views': 'views' }),
      ExpressionAttributeValues: {
        ':limit': 9,
        ':viewsBeforeLast': 8,
        ':expiresAt': inAnHour,
      },
    });
  });

  it('writes nothing for a limit that the views have reached', async () => {
    const response = await change({ viewLimit: 2 }, shareItems({ viewLimit: 3 }, { views: 2 }));
    expect(response.status).toBe(400);
    expect(writes()).toEqual([]);
  });

  it('overwrites small content and stores large content separately', async () => {
    await change({ content: 'another' });
    expect(withoutAudit(writes()).slice(2)).toEqual([
      {
        Put: {
          TableName,
          Item: { ...shareKeys.content.at({ id }), id: anId, packed: expect.any(Buffer) },
        },
      },
    ]);
    table.resetHistory();
    await change({ content: large });
    expect(withoutAudit(writes()).slice(2)).toEqual([
      {
        Delete: { TableName, Key: scheduledDeletion, ConditionExpression: 'attribute_exists(pk)' },
      },
      { Delete: { TableName, Key: shareKeys.content.at({ id }) } },
    ]);
  });

  it.each([0, 1])('reads and tries again if write %i fails its condition', async (at) => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceledAt(at, 'ConditionalCheckFailed', 4))
      .resolves({});
    expect((await change({ title: 'New' })).status).toBe(200);
    const [first, second] = transactions();
    expect(first?.ClientRequestToken).not.toBe(second?.ClientRequestToken);
  });

  it('returns 503 after six attempts', async () => {
    table.on(TransactWriteCommand).rejects(canceledAt(1, 'ConditionalCheckFailed', 4));
    expect((await change({ title: 'New' })).status).toBe(503);
    expect(transactions()).toHaveLength(6);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await change({ title: 'New' }))).toEqual(busy(aText));
  });
});

describe('DELETE /api/share/{id}', () => {
  const remove = (items = shareItems()) => asAnn('DELETE /api/share/{id}', items);

  it('deletes all items in one transaction if the share is unchanged', async () => {
    expect(await remove()).toMatchObject({ status: 200, body: { id, message: 'Deleted' } });
    expect(writes()).toEqual([
      {
        Delete: {
          TableName,
          Key: shareKeys.record.at({ id }),
          ConditionExpression: 'attribute_exists(pk) AND version = :seen',
          ExpressionAttributeValues: { ':seen': 1 },
        },
      },
      { Delete: { TableName, Key: shareKeys.access.at({ id }) } },
      {
        Delete: {
          TableName,
          Key: shareKeys.byOwner.at({ ownerId: 7, createdAt: '2026-11-21T11:00:00.000Z', id }),
        },
      },
      incremented(shareKeys.ownCount.at({ ownerId: 7 }), -1),
      incrementedTotal(-1),
      { Delete: { TableName, Key: shareKeys.content.at({ id }) } },
      ...auditWrites({
        ...entry,
        action: 'share.delete',
        before: { ownerId: 7, language: 'html' },
      }),
    ]);
  });

  it('schedules the deletion of the object instead of deleting it', async () => {
    const texts = { id: 'first-texts', place: 'bucket', parts: [] } as const;
    await remove(shareItems({ texts }));
    const key = `texts/SHARE/${id}/first-texts`;
    expect(withoutAudit(writes()).slice(5)).toEqual([
      { Put: { TableName, Item: { ...storageKeys.deletion.at({ at: now, key }), key } } },
    ]);
    expect(bucket.commandCalls(DeleteObjectCommand)).toEqual([]);
  });

  it('reads and tries again up to four times after a concurrent update', async () => {
    table.on(TransactWriteCommand).rejects(canceledAt(0, 'ConditionalCheckFailed', 8));
    expect((await remove()).status).toBe(503);
    expect(transactions()).toHaveLength(4);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await remove())).toEqual(busy(aText));
  });

  it('returns 500 if an IAM permission is missing', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await remove())).toEqual(broken(aText));
    table.resetHistory();
    expect((await remove(shareItems({ ownerId: 8 }))).status).toBe(404);
    expect([...transactions(), ...sent(table, UpdateCommand)]).toEqual([]);
  });
});
