import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deleteTombstones,
  purgeEndedShare,
  purgeEndedShares,
} from '../../../functions/api/share/ending/expiry.ts';
import { notifyModerators } from '../../../functions/api/share/ending/notify.ts';

import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { storageKeys } from '../../../shared/storage/keys.ts';
import { runScheduledDeletions } from '../../../shared/storage/scheduled-deletions.ts';
import { withoutAudit } from '../../support/aws/change-writes.ts';
import {
  answerReads,
  busy,
  canceled,
  mockTable,
  passingErrors,
  sent,
  signedIn,
  told,
} from '../../support/aws/errors.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { shareId as id, ownerItem, shareItems } from '../../support/shares/items.ts';
import { now } from '../../support/shares/writes.ts';
import { putNew } from '../../support/users/auth-writes.ts';

// Skips the pauses between attempts.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const table = mockTable();
const bucket = mockClient(S3Client);
const queue = mockClient(SQSClient);
const TableName = 'handbill-test';
const aText = expect.any(String);
const errors = passingErrors();
const twoMinutesAgo = '2026-11-21T11:58:00.000Z';
const inNinetyDays = '2027-02-19T11:58:00.000Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  table.reset();
  bucket.reset();
  queue.reset();
  queue.on(SendMessageCommand).resolves({});
  table.on(TransactWriteCommand).resolves({});
});
afterEach(() => void vi.useRealTimers());

const transactions = () => sent(table, TransactWriteCommand);
const writes = () => transactions()[0]?.TransactItems ?? [];
const jobs = () =>
  queue
    .commandCalls(SendMessageCommand)
    .map(({ args }) => JSON.parse(args[0].input.MessageBody ?? ''));

/** A share with two views that ended with its last view at this time. */
const ended = (endedAt = twoMinutesAgo) =>
  shareItems({ viewLimit: 2, description: 'More' }, { views: 2, endedAt });

describe('purgeEndedShare', () => {
  it('deletes the content and keeps a tombstone for 90 days', async () => {
    answerReads(table, ended());
    await purgeEndedShare(id);
    expect(writes()).toEqual([
      {
        Update: {
          TableName,
          Key: shareKeys.record.at({ id }),
          UpdateExpression: expect.stringMatching(
            /^SET #endedAt = :endedAt, #version = :version REMOVE .*#texts/,
          ),
          ConditionExpression: 'attribute_exists(pk) AND version = :seenVersion',
          ExpressionAttributeNames: expect.objectContaining({
            '#texts': 'texts',
            '#description': 'description',
            '#password': 'password',
          }),
          ExpressionAttributeValues: {
            ':seenVersion': 1,
            ':version': 2,
            ':endedAt': twoMinutesAgo,
          },
        },
      },
      {
        Update: {
          TableName,
          Key: shareKeys.access.at({ id }),
          UpdateExpression: 'SET #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk REMOVE #passwordId',
          ConditionExpression: 'attribute_exists(pk) AND #views = :expectedViews',
          ExpressionAttributeNames: expect.objectContaining({ '#views': 'views' }),
          ExpressionAttributeValues: {
            ':expectedViews': 2,
            ':gsi1pk': 'SHARES#TOMBSTONES',
            ':gsi1sk': `${inNinetyDays}#${id}`,
          },
        },
      },
      { Delete: { TableName, Key: shareKeys.content.at({ id }) } },
    ]);
  });

  it.each([
    ['that ended less than 120 s ago', ended('2026-11-21T11:58:00.001Z')],
    ['that is open', shareItems({ viewLimit: 2 }, { views: 1 })],
    ['whose time is to come', shareItems({ expiresAt: '2026-11-21T12:00:00.001Z' })],
    [
      'whose content is deleted',
      shareItems({ endedAt: twoMinutesAgo, viewLimit: 1 }, { views: 1 }),
    ],
    ['that is gone', []],
  ])('leaves a share alone %s', async (_, items) => {
    answerReads(table, items);
    await purgeEndedShare(id);
    expect(transactions()).toEqual([]);
  });

  it.each([0, 1])('skips a share that changed since it was read: write %i', async (at) => {
    answerReads(table, ended());
    const reasons = ['None', 'None', 'None'].with(at, 'ConditionalCheckFailed');
    table.on(TransactWriteCommand).rejects(canceled(...reasons));
    await purgeEndedShare(id);
    expect(transactions()).toHaveLength(1);
  });

  it.each(errors)('throws after %s, so that the job is retried', async (_, error) => {
    answerReads(table, ended());
    table.on(TransactWriteCommand).rejects(error);
    await expect(purgeEndedShare(id)).rejects.toBe(error);
  });

  const withOwner = async (items = ended()) => {
    const owner = await signedIn();
    const box = {
      ...notificationKeys.counters.at({ userId: 7 }),
      newestId: 5,
      newestAt: twoMinutesAgo,
      kept: {},
      unread: {},
    };
    answerReads(table, [...owner.items, ...items, box]);
  };

  it.each([
    ['views', ended(), 'Your share reached its view limit.'],
    ['time', shareItems({ expiresAt: twoMinutesAgo, title: 'Hi' }), '“Hi” expired.'],
  ])('notifies the owner immediately of the end by %s', async (_, items, content) => {
    await withOwner(items);
    await purgeEndedShare(id);
    expect(writes().slice(-2)).toMatchObject([
      {
        Put: {
          Item: { type: 'system', title: 'Your share has ended', content, link: '/shares' },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      { Update: { Key: notificationKeys.counters.at({ userId: 7 }) } },
    ]);
  });

  it('retries after a concurrent notification of the owner', async () => {
    await withOwner();
    const box = [...Array(4).fill('None'), 'ConditionalCheckFailed'];
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled(...box))
      .resolves({});
    await purgeEndedShare(id);
    expect(transactions()).toHaveLength(2);
    expect(transactions()[1]?.TransactItems).toHaveLength(5);
  });

  it('leaves the share to the next run if notifications continue', async () => {
    await withOwner();
    table
      .on(TransactWriteCommand)
      .rejects(canceled(...Array(4).fill('None'), 'ConditionalCheckFailed'));
    await expect(purgeEndedShare(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(transactions()).toHaveLength(4);
  });

  it('queries the index for shares that ended 120 s ago', async () => {
    answerReads(table, ended());
    table.on(QueryCommand).resolves({ Items: [{ gsi1sk: `${twoMinutesAgo}#${id}` }] });
    await purgeEndedShares();
    expect(sent(table, QueryCommand)).toEqual([
      {
        TableName,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
        ExpressionAttributeValues: { ':pk': 'SHARES#ENDS', ':before': twoMinutesAgo },
        Limit: 25,
      },
    ]);
    expect(transactions()).toHaveLength(1);
  });

  it('deletes tombstones after 90 days and ignores stale index entries', async () => {
    answerReads(table, ended());
    table.on(QueryCommand).resolves({
      Items: [{ gsi1sk: `${twoMinutesAgo}#long-gone` }, { gsi1sk: `${twoMinutesAgo}#${id}` }],
    });
    await deleteTombstones();
    expect(sent(table, QueryCommand)[0]?.ExpressionAttributeValues).toEqual({
      ':pk': 'SHARES#TOMBSTONES',
      ':before': now,
    });
    expect(writes()[0]?.Delete?.Key).toEqual(shareKeys.record.at({ id }));
  });

  it.each(errors)(
    'keeps a scheduled deletion if S3 does not delete the object: %s',
    async (_, error) => {
      const scheduled = {
        ...storageKeys.deletion.at({ at: twoMinutesAgo, key: 'a/key' }),
        key: 'a/key',
      };
      table.on(QueryCommand).resolves({ Items: [scheduled] });
      bucket.on(DeleteObjectCommand).rejectsOnce(error).resolves({});
      await expect(runScheduledDeletions()).rejects.toBe(error);
      expect(sent(table, DeleteCommand)).toEqual([]);
      await runScheduledDeletions();
      expect(sent(table, DeleteCommand)).toEqual([
        { TableName, Key: storageKeys.deletion.at({ at: twoMinutesAgo, key: 'a/key' }) },
      ]);
    },
  );
});

describe('POST /api/share/{id}/report', () => {
  const reason = 'It asks for a password of another site';
  const report = (items = shareItems()) => {
    answerReads(table, [...items, ownerItem]);
    return call('POST /api/share/{id}/report', { params: { id }, body: { reason } });
  };

  it('stores and counts the report in one transaction and enqueues the notification', async () => {
    expect((await report()).status).toBe(201);
    expect(writes()).toEqual([
      putNew({
        pk: `SHARE#${id}`,
        sk: expect.stringMatching(new RegExp(`^REPORT#${now}#[\\w-]{12}$`)),
        id: expect.stringMatching(/^[\w-]{12}$/),
        reason,
        createdAt: now,
        ttl: Date.parse(now) / 1_000 + 365 * 86_400,
      }),
      {
        Update: {
          TableName,
          Key: shareKeys.record.at({ id }),
          UpdateExpression:
            'SET reports = if_not_exists(reports, :none) + :one, totalReports = if_not_exists(totalReports, :none) + :one, reportedAt = if_not_exists(reportedAt, :now), gsi1pk = if_not_exists(gsi1pk, :pk), gsi1sk = if_not_exists(gsi1sk, :sk)',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: {
            ':none': 0,
            ':one': 1,
            ':now': now,
            ':pk': 'SHARES#REPORTED',
            ':sk': `${now}#${id}`,
          },
        },
      },
      putNew({
        pk: 'OUTBOX',
        sk: expect.stringMatching(new RegExp(`^${now}#`)),
        message: expect.stringContaining(`"kind":"share-reported","data":{"id":"${id}"}`),
        ttl: Date.parse(now) / 1_000 + 4 * 86_400,
      }),
      ...auditWrites({
        action: 'share.report',
        subject: `share:${id}`,
        after: { report: writes()[0]?.Put?.Item?.['id'] },
      }),
    ]);
    // The outbox sends the job within a minute: report and job are written atomically.
    expect(jobs()).toEqual([]);
  });

  it('enqueues no second notification before a decision', async () => {
    await report(shareItems({ reports: 1, reportedAt: twoMinutesAgo }));
    expect(transactions()).toHaveLength(1);
    expect(JSON.stringify(writes())).not.toContain('OUTBOX');
  });

  it('returns 404 if the share was deleted after it was read', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('None', 'ConditionalCheckFailed', 'None', 'None'));
    expect((await report()).status).toBe(404);
    expect(jobs()).toEqual([]);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await report())).toEqual(busy(aText));
    expect(jobs()).toEqual([]);
  });

  it('notifies users with shares:manage once per decision', async () => {
    const root = await signedIn({ role: 'super_admin' });
    answerReads(table, [...root.items, ...shareItems({ reports: 3, reportedAt: twoMinutesAgo })]);
    table.on(QueryCommand).resolves({ Items: [{ id: 7 }, { id: 8 }] });
    await notifyModerators(id);
    expect(sent(table, QueryCommand)).toEqual([
      {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': 'USERS#PERMISSION#shares:manage' },
        ConsistentRead: true,
        Limit: 100,
      },
    ]);
    expect(writes()).toMatchObject([
      {
        Put: {
          Item: {
            ...notificationKeys.receipt.at({
              userId: 7,
              event: `share-reported#${id}#${twoMinutesAgo}`,
            }),
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      { Put: { Item: { type: 'alert', link: `/moderation?id=${id}` } } },
      { Put: { Item: notificationKeys.counters.at({ userId: 7 }) } },
    ]);
    expect(transactions()).toHaveLength(1);
    answerReads(table, [...root.items, ...shareItems()]);
    await notifyModerators(id);
    expect(transactions()).toHaveLength(1);
  });
});

describe('PUT /api/shares/{id}/decision', () => {
  const decide = async (decision: string, items = shareItems()) => {
    const root = await signedIn({ role: 'super_admin' });
    answerReads(table, [...root.items, ...items]);
    return call('PUT /api/shares/{id}/decision', {
      token: root.token,
      params: { id },
      body: { decision },
    });
  };

  it.each([
    ['take-down', 'SET #takenDown = :takenDown', { ':takenDown': true }, { ':takenDownAt': now }],
    ['keep', 'REMOVE #takenDown', undefined, {}],
  ])(
    'closes the reports and updates the access item in one transaction: %s',
    async (decision, access, values, share) => {
      expect((await decide(decision)).status).toBe(200);
      expect(withoutAudit(writes())).toMatchObject([
        {
          Update: {
            Key: shareKeys.record.at({ id }),
            UpdateExpression: expect.stringMatching(
              / REMOVE .*#reports, #reportedAt, #gsi1pk, #gsi1sk/,
            ),
          },
        },
        {
          Update: {
            Key: shareKeys.access.at({ id }),
            UpdateExpression: access,
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
      ]);
      expect(writes()[0]?.Update?.ExpressionAttributeValues).toMatchObject({
        ':seenVersion': 1,
        ':version': 2,
        ...share,
      });
      expect(writes()[1]?.Update?.ExpressionAttributeValues).toEqual(values);
    },
  );

  it('audits the closed reports', async () => {
    await decide('take-down', shareItems({ reports: 3, reportedAt: twoMinutesAgo }));
    expect(writes().slice(2)).toEqual(
      auditWrites({
        action: 'share.moderate',
        subject: `share:${id}`,
        actorId: 7,
        before: { takenDownAt: null, reports: 3 },
        after: { takenDownAt: now, reports: null },
      }),
    );
  });

  it('reads and tries again up to six times after a concurrent update', async () => {
    table
      .on(TransactWriteCommand)
      .rejects(canceled('ConditionalCheckFailed', 'None', 'None', 'None'));
    expect((await decide('keep')).status).toBe(503);
    expect(transactions()).toHaveLength(6);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await decide('take-down'))).toEqual(busy(aText));
  });
});
