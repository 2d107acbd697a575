import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { messageKeys } from '../../../functions/api/messages/keys.ts';
import { type Recount, recount } from '../../../functions/jobs/recount/recount.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import {
  listConversations,
  mailboxOf,
  newWriter,
  read,
  remove,
  sent,
} from '../../support/messages/messages.ts';
import {
  listed,
  markAllRead,
  markRead,
  tell,
  unreadCount,
} from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { instead } from '../../support/service/interruption.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
afterEach(() => {
  vi.restoreAllMocks();
});

const dayMs = 86_400_000;
const nothing: Recount = { differences: [], unstable: [], repaired: [] };

/** Sets an incorrect number in a record. */
const plant = async (key: Key, path: readonly string[], value: number): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: key,
      UpdateExpression: `SET ${path.map((_, at) => `#part${at}`).join('.')} = :value`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(path.map((part, at) => [`#part${at}`, part])),
      ExpressionAttributeValues: { ':value': value },
    }),
  );
};

const { ann, bob } = usePeople({ ann: newWriter, bob: newWriter });
/** Bob's conversation of four messages, two of them unread. */
let thread: number;
beforeAll(async () => {
  thread = await sent(ann, [bob]);
  const replies: number[] = [];
  for (let at = 0; at < 3; at++) {
    pass(1);
    replies.push(await sent(ann, [bob], { conversationId: thread }));
  }
  const own = await sent(bob, [ann], { conversationId: thread });
  await sent(ann, [bob]);
  await mailboxOf(bob);
  await read(bob, thread);
  await remove(bob, own);
  await read(bob, replies[1] ?? 0);
  await tell(bob);
  await markAllRead(bob);
  await tell(bob);
  await tell(bob);
  const [newest] = (await listed(bob)).items;
  await markRead(bob, Number(newest?.['id']));
});

const day = () => String(Math.floor(Date.now() / dayMs));
const ofThread = () => `conversation ${thread} of user ${bob.id}`;
const ofBox = () => `notifications of user ${bob.id}`;
const plantAll = async () => {
  await plant(messageKeys.conversation.at({ userId: bob.id, id: thread }), ['messages'], 9);
  await plant(messageKeys.conversation.at({ userId: bob.id, id: thread }), ['unread'], 0);
  await plant(notificationKeys.counters.at({ userId: bob.id }), ['bell', 'kept', day()], 2);
  await plant(notificationKeys.counters.at({ userId: bob.id }), ['bell', 'unread', day()], 40);
};
const planted = () => [
  { name: ofThread(), attribute: 'messages', stored: 9n, actual: 4n },
  { name: ofThread(), attribute: 'unread', stored: 0n, actual: 2n },
  { name: ofBox(), attribute: 'kept of 2026-11-21', stored: 2n, actual: 8n },
  { name: ofBox(), attribute: 'unread of 2026-11-21', stored: 40n, actual: 1n },
];
const shown = async () => ({
  mailbox: await mailboxOf(bob),
  conversations: (await listConversations(bob)).body.data,
  notifications: await listed(bob),
  unread: await unreadCount(bob),
});

describe('recounting the records of a user', () => {
  it('finds nothing if conversations and notifications are correct', async () => {
    expect(await recount({ apply: true })).toEqual(nothing);
  });

  it('finds and repairs each incorrect counter', async () => {
    const before = await shown();
    await plantAll();
    expect(await recount()).toEqual({ ...nothing, differences: planted() });
    expect((await shown()).unread).toBe(40);
    expect(await recount({ apply: true })).toEqual({
      ...nothing,
      differences: planted(),
      repaired: planted(),
    });
    expect(await recount()).toEqual(nothing);
    expect(await shown()).toEqual(before);
  });

  it('finds an uncounted day and a day without records', async () => {
    const her = await newUserOf('user');
    await tell(her);
    const [today, yesterday] = [day(), String(Number(day()) - 1)];
    await plant(notificationKeys.counters.at({ userId: her.id }), ['bell', 'kept', yesterday], 3);
    await plant(notificationKeys.counters.at({ userId: her.id }), ['bell', 'unread'], {} as never);
    const name = `notifications of user ${her.id}`;
    expect((await recount({ apply: true })).repaired).toEqual([
      { name, attribute: 'kept of 2026-11-20', stored: 3n, actual: 0n },
      { name, attribute: 'unread of 2026-11-21', stored: 0n, actual: 1n },
    ]);
    expect([await unreadCount(her), (await listed(her)).total, today]).toEqual([1, 1, day()]);
  });

  it('repairs all notification counters, one for each retained day', async () => {
    const her = await newUserOf('user');
    await tell(her);
    const box = notificationKeys.counters.at({ userId: her.id });
    for (let ago = 1; ago <= 90; ago++) {
      await plant(box, ['bell', 'kept', String(Number(day()) - ago)], 5);
      await plant(box, ['bell', 'unread', String(Number(day()) - ago)], 4);
    }
    const { differences, repaired } = await recount({ apply: true });
    expect([differences.length, repaired]).toEqual([180, differences]);
    expect([await unreadCount(her), (await listed(her)).total]).toEqual([1, 1]);
    expect(await recount()).toEqual(nothing);
  });

  it('ignores expired days', async () => {
    const her = await newUserOf('user');
    await tell(her);
    await plant(
      notificationKeys.counters.at({ userId: her.id }),
      ['bell', 'kept', String(Number(day()) - 91)],
      3,
    );
    expect(await recount({ apply: true })).toEqual(nothing);
  });

  it('ignores counters of a deleted user', async () => {
    const key = messageKeys.conversation.at({ userId: 1, id: 7 });
    await documentClient().send(
      new UpdateCommand({
        TableName: tableName(),
        Key: key,
        UpdateExpression: 'SET messages = :one, id = :id',
        ExpressionAttributeValues: { ':one': 1, ':id': 7 },
      }),
    );
    expect(await recount({ apply: true })).toEqual(nothing);
    expect(await itemsOf('USER#1')).toMatchObject([{ messages: 1 }]);
  });

  it('does not repair what changes just before the write, but repairs it in the next run', async () => {
    await plantAll();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      vi.restoreAllMocks();
      await sent(ann, [bob], { conversationId: thread });
      await mailboxOf(bob);
      return go();
    });
    const found = await recount({ apply: true });
    expect(found.differences).toEqual(planted());
    // The notification counters change before their repair too.
    expect([found.repaired, found.unstable]).toEqual([[], [ofThread(), ofBox()].toSorted()]);
    expect((await recount({ apply: true })).repaired).toMatchObject([
      { attribute: 'messages', stored: 10n, actual: 5n },
      { attribute: 'unread', stored: 1n, actual: 3n },
      { attribute: 'kept of 2026-11-21', stored: 3n, actual: 9n },
      { attribute: 'unread of 2026-11-21', stored: 41n, actual: 2n },
    ]);
    expect(await recount()).toEqual(nothing);
  });

  it('counts on from the repaired values', async () => {
    await plant(messageKeys.conversation.at({ userId: bob.id, id: thread }), ['messages'], 9);
    await recount({ apply: true });
    await sent(ann, [bob], { conversationId: thread });
    pass(1);
    expect((await mailboxOf(bob)).conversations).toContainEqual(
      expect.objectContaining({ id: thread, messageCount: 6, unreadCount: 4 }),
    );
    expect(await recount()).toEqual(nothing);
  });
});
