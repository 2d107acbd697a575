import { QueryCommand, type QueryCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { messageKeys } from '../../../functions/api/messages/keys.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { busy, canceled, passingErrors, sent, told } from '../../support/aws/errors.ts';
import {
  add,
  bob,
  bobsItem,
  conversationItem,
  copyItem,
  earlier,
  gone,
  goneIfThere,
  id,
  me,
  messageItem,
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

describe('pending message', () => {
  const isOfDeliveries = ({ ExpressionAttributeValues }: QueryCommandInput) =>
    ExpressionAttributeValues?.[':prefix'] === 'DELIVERY#';
  const look = (items: readonly Record<string, unknown>[], waiting = 1) => {
    const waits = { ...messageKeys.delivery.at({ userId: me, id }), id };
    table
      .on(QueryCommand)
      .callsFake(async (input) =>
        isOfDeliveries(input) ? { Items: Array(waiting).fill(waits) } : {},
      );
    return asAnn('GET /api/messages/unread-count', items);
  };
  const held = [messageItem, bobsItem, conversationItem()];

  it('is queried with strong consistency, 25 at a time', async () => {
    await look(held);
    expect(sent(table, QueryCommand)).toEqual([
      {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': 'USER#7', ':prefix': 'DELIVERY#' },
        ConsistentRead: true,
        Limit: 25,
      },
    ]);
  });

  it('moves to the inbox, lists, counts and notifications in one transaction', async () => {
    expect((await look(held)).status).toBe(200);
    expect(writes().slice(0, 8)).toEqual([
      goneIfThere(messageKeys.delivery.at({ userId: me, id })),
      putNew(copyItem),
      putNew({ ...messageKeys.unread.at({ userId: me, id }), ...place }),
      putNew({ ...messageKeys.copy.at({ userId: me, conversationId: earlier, id }), ...place }),
      {
        Put: {
          ...ofVersion,
          Item: conversationItem({ latestId: id, messages: 2, unread: 1, version: 5 }),
        },
      },
      gone(messageKeys.byLatest.at({ userId: me, latestId: earlier })),
      putNew({ ...messageKeys.byLatest.at({ userId: me, latestId: id }), ...place }),
      add(messageKeys.mailbox.at({ userId: me }), { inbox: 1, unread: 1 }),
    ]);
    expect(
      writes()
        .slice(8)
        .map(({ Put }) => Put?.Item),
    ).toMatchObject([
      { type: 'message', content: 'Lunch', link: `/api/messages/${id}`, senderId: bob.id },
      { ...notificationKeys.counters.at({ userId: me }) },
    ]);
  });

  it('leaves a newer last message of its conversation unchanged', async () => {
    await look([messageItem, conversationItem({ latestId: 13 })]);
    const kinds = writes().map(({ Put, Delete }) => String((Put?.Item ?? Delete?.Key)?.['sk']));
    expect(kinds.filter((sk) => sk.startsWith('LATEST#'))).toEqual([]);
  });

  it('is skipped if already delivered and retried after other concurrent writes', async () => {
    const byAnother = canceled('ConditionalCheckFailed', ...Array(9).fill('None'));
    table.on(TransactWriteCommand).rejects(byAnother);
    expect((await look(held)).status).toBe(200);
    expect(transactions()).toHaveLength(1);
    table.resetHistory();
    const changed = canceled(...Array(4).fill('None'), 'ConditionalCheckFailed');
    table.on(TransactWriteCommand).rejectsOnce(changed).rejectsOnce(changed).resolves({});
    expect((await look(held)).status).toBe(200);
    expect(transactions()).toHaveLength(3);
  });

  it('returns 503 if deliveries take longer than 5 s', async () => {
    table.on(TransactWriteCommand).callsFake(async () => {
      vi.setSystemTime(Date.now() + 2_000);
    });
    const response = await look(held, 25);
    expect(transactions()).toHaveLength(3);
    expect([response.status, response.headers['retry-after'], response.body.error.message]).toEqual(
      [503, '1', 'Deliveries are in progress. Try again.'],
    );
  });

  it('limits the number of queries', async () => {
    const response = await look([], 25);
    expect([response.status, sent(table, QueryCommand).length]).toEqual([503, 40]);
  });

  it.each(errors)('returns 503 after %s during delivery', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await look(held))).toEqual(busy(aText));
  });

  it.each(errors)('returns 503 after %s during the query', async (_, error) => {
    table.on(QueryCommand).rejects(error);
    expect(told(await asAnn('GET /api/messages/unread-count'))).toEqual(busy(aText));
  });
});
