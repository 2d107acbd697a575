import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../../functions/api/messages/delivery.ts';
import { messageKeys } from '../../../functions/api/messages/keys.ts';
import { openMailbox } from '../../../functions/api/messages/mailbox.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import {
  emptyMailbox,
  listed,
  look,
  mailboxOf,
  newReader,
  newReaders,
  newWriter,
  notificationsOf,
  remove,
  sent,
  sentQueued,
  unreadCount,
} from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { instead } from '../../support/service/interruption.ts';
import {
  queuedJobs,
  runJobs,
  runMinute,
  useJobs,
  withoutQueue,
} from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts a user's pending deliveries, delivered messages and notifications. */
const partitionOf = async ({ id }: { readonly id: number }) => {
  const sortKeys = (await itemsOf(`USER#${id}`)).map(({ sk }) => String(sk));
  const count = (prefix: string) => sortKeys.filter((sk) => sk.startsWith(prefix)).length;
  return {
    waiting: count('UPDATES#DELIVERY#'),
    arrived: count('UNREAD#'),
    notifications: count('NOTIFICATION#'),
  };
};

const oneArrived = { waiting: 0, arrived: 1, notifications: 1 };

const newPair = async () => ({ ann: await newWriter(), bob: await newReader('Bob') });

describe('a message to few users', () => {
  it('is in their inboxes at once, without a job', async () => {
    const { ann, bob } = await newPair();
    const cid = await newReader('Cid');
    const id = await sent(ann, [bob, cid]);
    for (const one of [bob, cid]) {
      expect(await partitionOf(one)).toEqual(oneArrived);
      expect(await mailboxOf(one)).toMatchObject({ inbox: [id], totals: [1, 0, 1, 1, 1] });
      expect(await notificationsOf(one)).toHaveLength(1);
    }
    expect((await queuedJobs()).filter((job) => job.includes('deliver-message'))).toEqual([]);
    expect(await itemsOf('OUTBOX')).toEqual([]);
  });

  it('counts without a notification for users who turned it off', async () => {
    const { ann, bob } = await newPair();
    const notificationSettings = { messages: { bell: false } };
    await call('PUT /api/users/me', { token: bob.token, body: { notificationSettings } });
    await sent(ann, [bob]);
    expect(await partitionOf(bob)).toEqual({ ...oneArrived, notifications: 0 });
    expect(await unreadCount(bob)).toBe(1);
    await sentQueued(ann, [bob]);
    expect(await unreadCount(bob)).toBe(2);
  });

  it('is left with them if their items change meanwhile', async () => {
    const { ann, bob } = await newPair();
    instead(documentClient(), TransactWriteCommand, async (go) => {
      vi.restoreAllMocks();
      await sent(await newWriter(), [bob]);
      return go();
    });
    await sent(ann, [bob]);
    expect(await partitionOf(bob)).toEqual({ waiting: 1, arrived: 1, notifications: 1 });
    await runJobs();
    expect(await partitionOf(bob)).toEqual({ waiting: 0, arrived: 2, notifications: 2 });
  });

  it('is left with them if there are too many for one transaction', async () => {
    const ann = await newWriter();
    const many = await newReaders(20);
    await sent(ann, many);
    const [bob] = many;
    if (!bob) throw new Error('20 were made');
    expect(await partitionOf(bob)).toEqual({ waiting: 1, arrived: 0, notifications: 0 });
    await runJobs();
    for (const one of many) expect(await partitionOf(one)).toEqual(oneArrived);
  });
});

describe('delivery of a message', () => {
  it('reaches the inbox through the job without a read', async () => {
    const { ann, bob } = await newPair();
    await sentQueued(ann, [bob]);
    expect(await partitionOf(bob)).toEqual({ waiting: 1, arrived: 0, notifications: 0 });
    await runJobs();
    expect(await partitionOf(bob)).toEqual(oneArrived);
  });

  it('happens once by the scheduled run if the queue is unavailable', async () => {
    const { ann, bob } = await newPair();
    await withoutQueue(() => sentQueued(ann, [bob]));
    expect(await partitionOf(bob)).toMatchObject({ waiting: 1 });
    expect((await queuedJobs()).filter((job) => job.includes('deliver-message'))).toEqual([]);
    pass(61_000);
    await runMinute();
    await runJobs();
    expect(await partitionOf(bob)).toEqual(oneArrived);
    expect(await unreadCount(bob)).toBe(1);
  });

  it('happens once for repeated jobs and concurrent reads', async () => {
    const { ann, bob } = await newPair();
    const id = await sentQueued(ann, [bob, ann]);
    const job = () => deliver({ id, userIds: [bob.id] });
    await Promise.all([job(), job(), openMailbox(bob.id), mailboxOf(bob), job(), unreadCount(bob)]);
    await runJobs();
    await job();
    expect(await partitionOf(bob)).toEqual(oneArrived);
    expect(await mailboxOf(bob)).toMatchObject({
      inbox: [id],
      unreadCount: 1,
      totals: [1, 0, 1, 1, 1],
    });
    expect(await notificationsOf(bob)).toHaveLength(1);
  });

  it('does not restore a deleted message', async () => {
    const { ann } = await newPair();
    const cid = await newWriter();
    const id = await sentQueued(ann, [cid]);
    await remove(cid, id);
    await runJobs();
    await deliver({ id, userIds: [cid.id] });
    expect(await mailboxOf(cid)).toEqual(emptyMailbox);
    expect((await look(ann, id)).status).toBe(200);
  });

  it.each([
    ['GET /api/messages', (body: { data: { total: number } }) => body.data.total],
    ['GET /api/messages/unread-count', (body: { data: { count: number } }) => body.data.count],
    ['GET /api/messages/conversations', (body: { data: { total: number } }) => body.data.total],
    ['GET /api/notifications', (body: { data: { total: number } }) => body.data.total],
    ['GET /api/notifications/unread-count', (body: { data: { count: number } }) => body.data.count],
  ])('precedes the first %s', async (endpoint, count) => {
    const { ann, bob } = await newPair();
    await sentQueued(ann, [bob]);
    await sentQueued(ann, [bob]);
    expect(count((await call(endpoint, { token: bob.token })).body)).toBe(2);
  });

  it.each([
    ['GET /api/messages/{id}', 1],
    ['GET /api/messages/conversations/{id}', 1],
    ['PUT /api/messages/{id}/read', 0],
    ['DELETE /api/messages/{id}', 0],
  ])('precedes the first %s of the message', async (endpoint, unread) => {
    const ann = await newWriter();
    const bob = await newWriter();
    const params = { id: String(await sentQueued(ann, [bob])) };
    expect((await call(endpoint, { token: bob.token, params })).status).toBe(200);
    expect(await unreadCount(bob)).toBe(unread);
  });

  it('precedes PUT /api/notifications/read-all', async () => {
    const { ann, bob } = await newPair();
    await sentQueued(ann, [bob]);
    await call('PUT /api/notifications/read-all', { token: bob.token });
    const { body } = await call('GET /api/notifications', { token: bob.token });
    expect(body.data.items).toMatchObject([{ read: true }]);
  });

  it('precedes HEAD as it does GET', async () => {
    const { ann, bob } = await newPair();
    await sentQueued(ann, [bob]);
    const head = await call('HEAD /api/messages', { token: bob.token });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(await mailboxOf(bob)).toMatchObject({ unreadCount: 1, totals: [1, 0, 1, 1, 1] });
  });

  it('delivers 30 pending messages on the first read', async () => {
    const [bob, ...many] = await Promise.all(Array.from({ length: 7 }, () => newWriter()));
    if (!bob) throw new Error('Seven were made');
    const ids: number[] = [];
    for (let at = 0; at < 30; at++) {
      pass(1);
      ids.unshift(await sentQueued(many[at % 6] ?? bob, [bob]));
    }
    expect(await listed(bob)).toEqual({ ids, total: 30 });
    expect(await unreadCount(bob)).toBe(30);
    expect((await notificationsOf(bob)).length).toBe(30);
  });
});

describe('removal of a recipient', () => {
  const minuteLater = async () => {
    pass(121_000);
    await runMinute();
    await runJobs();
  };

  it("deletes the user's data and keeps messages until the others delete them", async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter(), await newWriter()];
    const id = await sentQueued(ann, [bob, cid]);
    const waiting = await sentQueued(cid, [bob, ann]);
    await listed(bob);
    const late = await sentQueued(ann, [bob]);
    await removeUser(await newUserOf('admin'), bob.id);
    await runJobs();
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
    expect((await look(cid, id)).body.data.recipients).toContain(bob.id);
    for (const one of [id, waiting]) for (const who of [ann, cid]) await remove(who, one);
    await remove(ann, late);
    for (const one of [id, waiting, late]) expect(await itemsOf(`MESSAGE#${one}`)).toEqual([]);
    await minuteLater();
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
  });

  it('deletes messages that no one else has', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const [id, own] = [
      await sentQueued(ann, [bob]),
      await sentQueued(bob, [bob], { content: 'x'.repeat(3_000) }),
    ];
    await remove(ann, id);
    await removeUser(await newUserOf('admin'), bob.id);
    for (const one of [id, own]) expect(await itemsOf(`MESSAGE#${one}`)).toEqual([]);
  });

  it('deletes a concurrently sent message in a later scheduled run', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    // Removes the user between the recipient check and the write of the message.
    instead(documentClient(), TransactWriteCommand, async (go) => {
      await removeUser(await newUserOf('admin'), bob.id);
      return go();
    });
    const id = await sent(ann, [bob]);
    expect(await partitionOf(bob)).toEqual(oneArrived);
    await minuteLater();
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
    expect(await itemsOf(`MESSAGE#${id}`)).not.toEqual([]);
    await remove(ann, id);
    expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
  });

  it('deletes a delivery added during the removal in a later scheduled run', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    // The removal deletes 25 items at a time.
    for (let at = 0; at < 26; at++) await sentQueued(ann, [bob]);
    await listed(bob);
    const id = await sentQueued(ann, [bob]);
    const Item = { ...messageKeys.delivery.at({ userId: bob.id, id }), id };
    const client = documentClient();
    await client.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: messageKeys.delivery.at({ userId: bob.id, id }),
      }),
    );
    instead(client, BatchWriteCommand, async (go) => {
      await client.send(new PutCommand({ TableName: tableName(), Item }));
      return go();
    });
    await removeUser(await newUserOf('admin'), bob.id);
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([Item]);
    await minuteLater();
    expect(await itemsOf(`USER#${bob.id}`)).toEqual([]);
    await remove(ann, id);
    expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
  });

  it('lets the job cancel the delivery if it runs first', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const id = await sentQueued(ann, [bob]);
    await documentClient().send(
      new DeleteCommand({ TableName: tableName(), Key: userKeys.record.at({ id: bob.id }) }),
    );
    await runJobs();
    expect(await partitionOf(bob)).toEqual({ waiting: 0, arrived: 0, notifications: 0 });
    await remove(ann, id);
    expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
  });
});
