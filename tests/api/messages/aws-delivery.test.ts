import { QueryCommand, type QueryCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { keys } from '../../../shared/db/table.ts';
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

// A pause between two tries is over at once.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, transactions, writes, asAnn } = useMockedMessages();
const TableName = 'handbill-test';
const errors = passingErrors();
const aText = expect.any(String);

describe('a message that waits', () => {
  const isOfDeliveries = ({ ExpressionAttributeValues }: QueryCommandInput) =>
    ExpressionAttributeValues?.[':prefix'] === 'DELIVERY#';
  const look = (items: readonly Record<string, unknown>[], waiting = 1) => {
    const waits = { ...keys.delivery(me, id), id };
    table
      .on(QueryCommand)
      .callsFake(async (input) =>
        isOfDeliveries(input) ? { Items: Array(waiting).fill(waits) } : {},
      );
    return asAnn('GET /api/messages/unread-count', items);
  };
  const held = [messageItem, bobsItem, conversationItem()];

  it('is looked for strongly consistent, 25 at a time', async () => {
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

  it('is taken out of there, and put into the inbox, its lists and counts, and told, at once', async () => {
    expect((await look(held)).status).toBe(200);
    expect(writes().slice(0, 8)).toEqual([
      goneIfThere(keys.delivery(me, id)),
      putNew(copyItem),
      putNew({ ...keys.unreadMessage(me, id), ...place }),
      putNew({ ...keys.messageInConversation(me, earlier, id), ...place }),
      {
        Put: {
          ...ofVersion,
          Item: conversationItem({ latestId: id, messages: 2, unread: 1, version: 5 }),
        },
      },
      gone(keys.conversationByLatest(me, earlier)),
      putNew({ ...keys.conversationByLatest(me, id), ...place }),
      add(keys.mailbox(me), { inbox: 1, unread: 1 }),
    ]);
    expect(
      writes()
        .slice(8)
        .map(({ Put }) => Put?.Item),
    ).toMatchObject([
      { type: 'message', content: 'Lunch', link: `/api/messages/${id}`, senderId: bob.id },
      { ...keys.notificationCounters(me) },
    ]);
  });

  it('is behind a newer one of its conversation without moving that', async () => {
    await look([messageItem, conversationItem({ latestId: 13 })]);
    const kinds = writes().map(({ Put, Delete }) => String((Put?.Item ?? Delete?.Key)?.['sk']));
    expect(kinds.filter((sk) => sk.startsWith('LATEST#'))).toEqual([]);
  });

  it('is done where another request was faster, and tried again where only the rest has changed', async () => {
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

  it('is too much for one request where it takes longer than 5 s, and the next goes on', async () => {
    table.on(TransactWriteCommand).callsFake(async () => {
      vi.setSystemTime(Date.now() + 2_000);
    });
    const response = await look(held, 25);
    expect(transactions()).toHaveLength(3);
    expect([response.status, response.headers['retry-after'], response.body.error.message]).toEqual(
      [503, '1', 'Deliveries are in progress. Try again.'],
    );
  });

  it('is not looked for without end', async () => {
    const response = await look([], 25);
    expect([response.status, sent(table, QueryCommand).length]).toEqual([503, 40]);
  });

  it.each(errors)('has who looks try again after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await look(held))).toEqual(busy(aText));
  });

  it.each(errors)('is not overlooked after %s', async (_, error) => {
    table.on(QueryCommand).rejects(error);
    expect(told(await asAnn('GET /api/messages/unread-count'))).toEqual(busy(aText));
  });
});
