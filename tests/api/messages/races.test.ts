import { describe, expect, it } from 'vitest';
import { openMailbox } from '../../../functions/api/messages/mailbox.ts';
import {
  emptyMailbox,
  mailboxOf,
  newWriter,
  read,
  remove,
  sent,
  unreadCount,
} from '../../support/messages/messages.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

useTable();
useJobs();

describe('concurrent requests', () => {
  it('deliver and count every message to one user once', async () => {
    const bob = await newWriter();
    const senders = await Promise.all(Array.from({ length: 8 }, () => newWriter()));
    const ids = await Promise.all(senders.map((one) => sent(one, [bob, ...senders])));
    await Promise.all([runJobs(), mailboxOf(bob), openMailbox(bob.id), openMailbox(bob.id)]);
    const newestFirst = ids.toSorted((a, b) => b - a);
    expect(await mailboxOf(bob)).toMatchObject({
      inbox: newestFirst,
      unread: newestFirst,
      unreadCount: 8,
      totals: [8, 0, 8, 8, 8],
    });
    for (const one of senders)
      expect(await mailboxOf(one)).toMatchObject({ totals: [8, 1, 8, 8, 8] });
  });

  it('count a mark or deletion of one message once', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const [id, other] = [await sent(ann, [bob]), await sent(ann, [bob])];
    const marks = await Promise.all(Array.from({ length: 6 }, () => read(bob, id)));
    expect(marks.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await unreadCount(bob)).toBe(1);
    const both = await Promise.all([
      remove(bob, id),
      read(bob, other),
      remove(bob, id),
      read(bob, id, { read: false }),
      remove(bob, id),
    ]);
    expect(both.filter(({ body }) => body.message === 'Deleted')).toHaveLength(1);
    expect(await mailboxOf(bob)).toMatchObject({
      inbox: [other],
      unreadCount: 0,
      totals: [1, 0, 1, 0, 1],
    });
  });

  it('mark all messages of a conversation as read', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const first = await sent(ann, [bob]);
    const ids = [first];
    for (let at = 0; at < 5; at++) ids.push(await sent(ann, [bob], { conversationId: first }));
    expect(await unreadCount(bob)).toBe(6);
    const responses = await Promise.all(ids.map((id) => read(bob, id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await mailboxOf(bob)).toMatchObject({
      unreadCount: 0,
      conversations: [{ id: first, last: ids.at(-1), messageCount: 6, unreadCount: 0 }],
    });
  });

  it('delete all copies of a message, and the message once', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newWriter()));
    const [ann] = people;
    if (!ann) throw new Error('Six were made');
    const id = await sent(ann, people, { content: 'x'.repeat(5_000) });
    const responses = await Promise.all(people.map((one) => remove(one, id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
    for (const one of people) expect(await mailboxOf(one)).toEqual(emptyMailbox);
  });
});
