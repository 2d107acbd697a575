import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach } from 'vitest';
import { messageKeys } from '../../../functions/api/messages/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { answerReads, sent, signedIn } from '../aws/errors.ts';
import { useMockedTable } from '../aws/stores.ts';
import { call } from '../service/call.ts';

const TableName = 'handbill-test';

type Item = Readonly<Record<string, unknown>>;

export const now = '2026-11-21T12:00:00.000Z';
/** Ann, who receives a message from Bob. */
export const me = 7;
export const bob = { id: 8, name: 'Bob', role: 'user', status: 'active' };
export const id = 12;
/** The first message of the conversation. */
export const earlier = 11;

export const place = { id, conversationId: earlier, senderId: bob.id, boxes: ['inbox'] };
export const bobsItem: Item = { ...userKeys.record.at({ id: bob.id }), ...bob };
export const messageItem: Item = {
  ...messageKeys.record.at({ id }),
  id,
  conversationId: earlier,
  senderId: bob.id,
  recipients: [{ id: me, name: 'Ann Example' }],
  subject: 'Lunch',
  type: 'text',
  excerpt: 'At noon?',
  createdAt: now,
};
export const copyItem: Item = { ...messageKeys.inbox.at({ userId: me, id }), ...place };
export const countItem = (copies: number): Item => ({
  ...messageKeys.copyCount.at({ id }),
  copies,
});
export const conversationItem = (fields: object = {}): Item => ({
  ...messageKeys.conversation.at({ userId: me, id: earlier }),
  id: earlier,
  latestId: earlier,
  messages: 1,
  unread: 0,
  version: 4,
  ...fields,
});

/** Returns the write that increments counters of an item. */
export const add = (Key: object, deltas: Readonly<Record<string, number>>) => {
  const names = Object.keys(deltas);
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        names.map((name) => [`:${name}`, deltas[name]]),
      ),
    },
  };
};
export const gone = (Key: object) => ({ Delete: { TableName, Key } });
export const goneIfThere = (Key: object) => ({
  Delete: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' },
});
/** Matches the condition on the expected version of the conversation. */
export const ofVersion = {
  TableName,
  ConditionExpression: 'attribute_exists(pk) AND version = :seen',
  ExpressionAttributeValues: { ':seen': 4 },
};

/** Mocks a table and a queue that accept every write and have no pending messages. */
export const useMockedMessages = () => {
  const table = useMockedTable(now);
  const queue = mockClient(SQSClient);
  beforeEach(() => {
    queue.reset();
    queue.on(SendMessageCommand).resolves({});
    table.on(UpdateCommand).resolves({ Attributes: { refilledAt: Date.now(), claim: 'x' } });
    table.on(QueryCommand).resolves({});
  });
  const transactions = () => sent(table, TransactWriteCommand);
  return {
    table,
    queue,
    transactions,
    /** Returns the writes of the first transaction. */
    writes: () => transactions()[0]?.TransactItems ?? [],
    /** Calls an endpoint as Ann with her and these items in the table. */
    asAnn: async (endpoint: string, items: readonly Item[] = [], body?: unknown) => {
      const ann = await signedIn({ extraPermissions: ['messages:create', 'messages:delete'] });
      answerReads(table, [...ann.items, ...items]);
      const params = { id: String(id) };
      return call(endpoint, { token: ann.token, params, ...(body !== undefined && { body }) });
    },
  };
};
