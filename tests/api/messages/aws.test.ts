import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';

import { messageKeys } from '../../../functions/api/messages/keys.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { limitKeys } from '../../../shared/http/keys.ts';
import {
  accessDenied,
  broken,
  busy,
  canceled,
  passingErrors,
  sent,
  told,
} from '../../support/aws/errors.ts';
import { total } from '../../support/documents/items.ts';
import {
  add,
  bob,
  bobsItem,
  conversationItem,
  copyItem,
  earlier,
  gone,
  id,
  me,
  messageItem,
  now,
  ofVersion,
  useMockedMessages,
} from '../../support/messages/items.ts';
import { auditWrites } from '../../support/service/audit.ts';
import { putNew } from '../../support/users/auth-writes.ts';

// Skips the delays between retries.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const { table, queue, transactions, writes, asAnn } = useMockedMessages();
const TableName = 'handbill-test';
const errors = passingErrors();
const aText = expect.any(String);

describe('POST /api/messages', () => {
  const send = (items: readonly Record<string, unknown>[] = [bobsItem], fields: object = {}) =>
    asAnn('POST /api/messages', items, { to: [bob.id], content: 'At noon?', ...fields });

  it("writes the message, the sender's copy, a delivery, the job and the audit entry in one transaction", async () => {
    const { status, body } = await send();
    expect(status).toBe(201);
    const newId = body.data.id;
    const copy = { id: newId, conversationId: newId, senderId: me, boxes: ['sent'] };
    expect(transactions()).toEqual([
      {
        ClientRequestToken: expect.stringMatching(/^[\da-f-]{36}$/),
        TransactItems: [
          putNew({
            ...messageKeys.record.at({ id: newId }),
            id: newId,
            conversationId: newId,
            senderId: me,
            recipients: [{ id: bob.id, name: 'Bob' }],
            type: 'text',
            excerpt: 'At noon?',
            createdAt: now,
          }),
          putNew({ ...messageKeys.copyCount.at({ id: newId }), copies: 2 }),
          total('messages', 1),
          putNew({ ...messageKeys.sent.at({ userId: me, id: newId }), ...copy }),
          putNew({
            ...messageKeys.copy.at({ userId: me, conversationId: newId, id: newId }),
            ...copy,
          }),
          putNew({
            ...messageKeys.conversation.at({ userId: me, id: newId }),
            id: newId,
            latestId: newId,
            messages: 1,
            unread: 0,
            version: 1,
          }),
          putNew({ ...messageKeys.byLatest.at({ userId: me, latestId: newId }), ...copy }),
          add(messageKeys.mailbox.at({ userId: me }), { sent: 1, conversations: 1 }),
          putNew({ ...messageKeys.delivery.at({ userId: bob.id, id: newId }), id: newId }),
          putNew({
            pk: 'OUTBOX',
            sk: expect.stringMatching(/^2026-11-21T12:01:00.000Z#/),
            message: expect.stringContaining(
              `"kind":"deliver-message","data":{"id":${newId},"userIds":[8]}`,
            ),
            ttl: expect.any(Number),
          }),
          ...auditWrites({
            action: 'message.send',
            subject: `message:${newId}`,
            actorId: me,
            after: { conversationId: newId, recipients: [bob.id], type: 'text' },
          }),
        ],
      },
    ]);
    const [job] = queue.commandCalls(SendMessageCommand).map(({ args }) => args[0].input);
    expect(JSON.parse(job?.MessageBody ?? '')).toMatchObject({
      kind: 'deliver-message',
      data: { id: newId, userIds: [bob.id] },
    });
  });

  it('needs no delivery or job for a message to the sender', async () => {
    const { body } = await send([], { to: [me] });
    const newId = body.data.id;
    const kinds = writes().map(({ Put, Update }) => String((Put?.Item ?? Update?.Key)?.['sk']));
    const sortKey = String(newId).padStart(16, '0');
    expect(kinds.slice(3, 6)).toEqual([`INBOX#${sortKey}`, `SENT#${sortKey}`, `UNREAD#${sortKey}`]);
    expect(kinds.filter((sk) => sk.startsWith('DELIVERY#'))).toEqual([]);
    expect(writes().find(({ Update }) => Update?.Key?.['sk'] === 'MAILBOX')).toEqual(
      add(messageKeys.mailbox.at({ userId: me }), {
        inbox: 1,
        sent: 1,
        both: 1,
        unread: 1,
        conversations: 1,
      }),
    );
    expect(queue.commandCalls(SendMessageCommand)).toEqual([]);
  });

  it('reads the recipients in one batch and checks both limits', async () => {
    await send();
    const wanted = sent(table, BatchGetCommand).flatMap(
      ({ RequestItems }) => RequestItems?.[TableName] ?? [],
    );
    expect(wanted[1]).toEqual({ Keys: [userKeys.record.at({ id: bob.id })], ConsistentRead: true });
    expect(sent(table, UpdateCommand).map(({ Key }) => Key)).toEqual([
      limitKeys.bucket.at({ limit: 'message', who: '7' }),
      limitKeys.bucket.at({ limit: 'message-to', who: '7 8' }),
    ]);
  });

  it('retries with another id if one is taken, up to eight attempts', async () => {
    const taken = canceled('ConditionalCheckFailed', ...Array(11).fill('None'));
    table.on(TransactWriteCommand).rejectsOnce(taken).resolves({});
    const { status, body } = await send();
    expect([status, transactions().length]).toEqual([201, 2]);
    expect(transactions()[1]?.TransactItems?.[0]?.Put?.Item?.['id']).toBe(body.data.id);
    table.resetHistory();
    table.on(TransactWriteCommand).rejects(taken);
    expect((await send()).body.error.message).toBe('The mailbox is being modified. Try again.');
    expect(transactions()).toHaveLength(8);
  });

  it('writes the expected version of the conversation and retries after concurrent writes', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(
        canceled(...Array(5).fill('None'), 'ConditionalCheckFailed', ...Array(8).fill('None')),
      );
    const answered = { ...copyItem, readAt: now };
    const items = [bobsItem, messageItem, answered, conversationItem({ latestId: id })];
    const { status, body } = await send(items, { to: null, replyTo: id });
    expect([status, transactions().length]).toEqual([201, 2]);
    const newId = body.data.id;
    const copy = { id: newId, conversationId: earlier, senderId: me, boxes: ['sent'] };
    expect(transactions()[1]?.TransactItems?.slice(4, 9)).toEqual([
      putNew({
        ...messageKeys.copy.at({ userId: me, conversationId: earlier, id: newId }),
        ...copy,
      }),
      {
        Put: {
          ...ofVersion,
          Item: conversationItem({ latestId: newId, messages: 2, version: 5 }),
        },
      },
      gone(messageKeys.byLatest.at({ userId: me, latestId: id })),
      putNew({ ...messageKeys.byLatest.at({ userId: me, latestId: newId }), ...copy }),
      add(messageKeys.mailbox.at({ userId: me }), { sent: 1 }),
    ]);
  });

  it('sends the message if the queue is unavailable', async () => {
    queue.on(SendMessageCommand).rejects(new Error('Away'));
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect((await send()).status).toBe(201);
  });

  it.each(errors)('returns 503 after %s', async (_, error) => {
    table.on(TransactWriteCommand).rejects(error);
    expect(told(await send())).toEqual(busy(aText));
    expect(queue.commandCalls(SendMessageCommand)).toEqual([]);
  });

  it('returns 500 without permission to write', async () => {
    table.on(TransactWriteCommand).rejects(accessDenied());
    expect(told(await send())).toEqual(broken(aText));
  });
});
