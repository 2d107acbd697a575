import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { messageKeys } from '../../../functions/api/messages/keys.ts';
import {
  answerReads,
  busy,
  canceled,
  passingErrors,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { total } from '../../support/documents/items.ts';
import {
  add,
  conversationItem,
  copyItem,
  countItem,
  earlier,
  gone,
  goneIfThere,
  id,
  me,
  messageItem,
  now,
  ofVersion,
  place,
  useMockedMessages,
} from '../../support/messages/items.ts';
import { putNew } from '../../support/users/auth-writes.ts';

// Skips the delays between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, transactions, writes, asAnn } = useMockedMessages();
const TableName = 'handbill-test';
const errors = passingErrors();
const aText = expect.any(String);

const unreadAsSeen = {
  TableName,
  ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(readAt)',
};

describe('PUT /api/messages/{id}/read', () => {
  const mark = (items = [messageItem, copyItem], body?: unknown) =>
    asAnn('PUT /api/messages/{id}/read', items, body);
  const moveUnread = (unread: number) => ({
    Update: {
      TableName,
      Key: messageKeys.conversation.at({ userId: me, id: earlier }),
      UpdateExpression: 'ADD unread :unread, version :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':unread': unread, ':one': 1 },
    },
  });

  it('updates the expected version of the copy and the counts', async () => {
    expect((await mark()).status).toBe(200);
    expect(writes()).toEqual([
      { Put: { ...unreadAsSeen, Item: { ...copyItem, readAt: now } } },
      gone(messageKeys.unread.at({ userId: me, id })),
      putNew({ ...messageKeys.read.at({ userId: me, id }), ...place }),
      moveUnread(-1),
      add(messageKeys.mailbox.at({ userId: me }), { unread: -1 }),
    ]);
  });

  it('marks the copy as unread and restores the counts', async () => {
    const readItem = { ...copyItem, readAt: now };
    expect((await mark([messageItem, readItem], { read: false })).status).toBe(200);
    expect(writes()).toEqual([
      {
        Put: {
          TableName,
          ConditionExpression: 'attribute_exists(pk) AND readAt = :seen',
          ExpressionAttributeValues: { ':seen': now },
          Item: copyItem,
        },
      },
      putNew({ ...messageKeys.unread.at({ userId: me, id }), ...place }),
      gone(messageKeys.read.at({ userId: me, id })),
      moveUnread(1),
      add(messageKeys.mailbox.at({ userId: me }), { unread: 1 }),
    ]);
  });

  it('writes nothing if the state is already set, even concurrently', async () => {
    expect((await mark([messageItem, { ...copyItem, readAt: now }])).status).toBe(200);
    expect(transactions()).toEqual([]);
    table.on(TransactWriteCommand).callsFakeOnce(async () => {
      answerReads(table, [messageItem, { ...copyItem, readAt: now }]);
      throw canceled('ConditionalCheckFailed', 'None', 'None', 'None');
    });
    expect((await mark()).status).toBe(200);
    expect(transactions()).toHaveLength(1);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await mark())).toEqual(busy(aText));
  });
});

describe('DELETE /api/messages/{id}', () => {
  const remove = (copies: number, fields: object = {}) =>
    asAnn('DELETE /api/messages/{id}', [
      messageItem,
      copyItem,
      countItem(copies),
      conversationItem({ latestId: id, messages: 1, unread: 1, ...fields }),
    ]);
  const copyGone = [
    { Delete: { ...unreadAsSeen, Key: messageKeys.inbox.at({ userId: me, id }) } },
    gone(messageKeys.unread.at({ userId: me, id })),
    goneIfThere(messageKeys.copy.at({ userId: me, conversationId: earlier, id })),
  ];
  const ofCopies = (expression: string) => ({
    TableName,
    Key: messageKeys.copyCount.at({ id }),
    ConditionExpression: expression,
    ExpressionAttributeNames: { '#copies': 'copies' },
  });

  it('deletes the copy and its conversation and keeps the message for others', async () => {
    expect((await remove(2)).status).toBe(200);
    expect(writes()).toEqual([
      ...copyGone,
      { Delete: { ...ofVersion, Key: messageKeys.conversation.at({ userId: me, id: earlier }) } },
      gone(messageKeys.byLatest.at({ userId: me, latestId: id })),
      add(messageKeys.mailbox.at({ userId: me }), { inbox: -1, unread: -1, conversations: -1 }),
      {
        Update: {
          ...ofCopies('#copies > :one'),
          UpdateExpression: 'ADD #copies :minusOne',
          ExpressionAttributeValues: { ':one': 1, ':minusOne': -1 },
        },
      },
    ]);
  });

  it('deletes the message with the last copy', async () => {
    await remove(1);
    expect(writes().slice(-3)).toEqual([
      { Delete: { ...ofCopies('#copies = :one'), ExpressionAttributeValues: { ':one': 1 } } },
      gone(messageKeys.record.at({ id })),
      total('messages', -1),
    ]);
  });

  it('makes the previous copy the last of the conversation', async () => {
    const before = {
      ...place,
      id: earlier,
      ...messageKeys.copy.at({ userId: me, conversationId: earlier, id: earlier }),
    };
    table
      .on(QueryCommand)
      .callsFake(async ({ ExpressionAttributeValues: values }) =>
        values[':prefix'] === 'DELIVERY#' ? {} : { Items: [{ ...before, id, sk: 'x' }, before] },
      );
    await remove(2, { messages: 2 });
    expect(sent(table, QueryCommand)[1]).toMatchObject({
      ExpressionAttributeValues: { ':prefix': 'COPY#0000000000000011#' },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 2,
    });
    expect(writes().slice(3, 6)).toEqual([
      {
        Put: { ...ofVersion, Item: conversationItem({ messages: 1, unread: 0, version: 5 }) },
      },
      gone(messageKeys.byLatest.at({ userId: me, latestId: id })),
      putNew({
        ...place,
        id: earlier,
        ...messageKeys.byLatest.at({ userId: me, latestId: earlier }),
      }),
    ]);
  });

  it('retries after concurrent writes, up to 8 attempts', async () => {
    table.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed'));
    const response = await remove(2);
    expect([response.status, response.body.error.message]).toEqual([
      503,
      'The mailbox is being modified. Try again.',
    ]);
    expect(transactions()).toHaveLength(8);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await remove(2))).toEqual(busy(aText));
  });
});
