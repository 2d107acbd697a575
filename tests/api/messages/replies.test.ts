import { describe, expect, it } from 'vitest';
import { openMailbox } from '../../../functions/api/messages/mailbox.ts';
import { addPeople } from '../../../functions/api/messages/people.ts';
import {
  emptyMailbox,
  listConversation,
  listConversations,
  listed,
  mailboxOf,
  newReader,
  newWriter,
  read,
  remove,
  send,
  sent,
  sentNext,
  unreadCount,
} from '../../support/messages/messages.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { runJobs, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person, setUser } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

/** Returns the ids on the first page of a conversation and its total. */
const thread = async (client: Person, id: number) => {
  const { body } = await listConversation(client, id, { pageSize: '100' });
  return { ids: body.data.items.map((one: { id: number }) => one.id), total: body.data.total };
};

describe('reply', () => {
  it('continues the conversation with the sender and subject of the original message', async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter('Bob'), await newWriter()];
    const first = await sent(ann, [bob, cid], { subject: 'Lunch' });
    pass(1);
    const { status, body } = await send(bob, { replyTo: first, content: 'Yes' });
    expect([status, body.data]).toMatchObject([
      201,
      {
        conversationId: first,
        replyTo: first,
        recipients: [ann.id],
        to: [{ id: ann.id, name: 'Ann Writer', avatar: null }],
        subject: 'Lunch',
      },
    ]);
    const reply = body.data.id;
    expect(await thread(ann, first)).toEqual({ ids: [reply, first], total: 2 });
    expect(await thread(bob, first)).toEqual({ ids: [reply, first], total: 2 });
    expect(await thread(cid, first)).toEqual({ ids: [first], total: 1 });
    const more = await send(ann, { replyTo: first, content: 'More', subject: 'Dinner' });
    expect(more.body.data.recipients).toEqual([bob.id, cid.id]);
    expect(more.body.data.subject).toBe('Dinner');
    const named = await send(cid, { replyTo: more.body.data.id, to: bob.id });
    expect(named.body.data).toMatchObject({ recipients: [bob.id], conversationId: first });
  });

  it('is sent to everyone of the conversation if only conversationId is set, also after one to some', async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter(), await newWriter()];
    const first = await sent(ann, [bob, cid]);
    const toAll = async (client: Person) => {
      const { data } = (await send(client, { conversationId: first })).body;
      expect(data).toMatchObject({ conversationId: first, replyTo: null });
      return data.recipients.toSorted();
    };
    expect(await toAll(cid)).toEqual([ann.id, bob.id].toSorted());
    expect((await send(bob, { replyTo: first })).body.data.recipients).toEqual([ann.id]);
    expect(await toAll(ann)).toEqual([bob.id, cid.id].toSorted());
    expect(await toAll(bob)).toEqual([ann.id, cid.id].toSorted());
    const alone = await sent(ann, [ann]);
    expect((await send(ann, { conversationId: alone })).body.data.recipients).toEqual([ann.id]);
  });

  it('is rejected for messages that the sender does not have', async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter(), await newWriter()];
    const [first, other] = [await sent(ann, [bob]), await sent(ann, [bob])];
    const refused = async (client: Person, body: object) =>
      (await send(client, body)).body.error.details;
    const noMessage = [{ field: 'replyTo', message: 'must be the id of one of your messages' }];
    expect(await refused(cid, { replyTo: first, to: bob.id })).toEqual(noMessage);
    expect(await refused(cid, { replyTo: 5 })).toEqual(noMessage);
    expect(await refused(cid, { conversationId: first, to: bob.id })).toEqual([
      { field: 'conversationId', message: 'must be the id of one of your conversations' },
    ]);
    expect(await refused(bob, { replyTo: first, conversationId: other })).toEqual([
      { field: 'conversationId', message: 'must be the conversation of the message in replyTo' },
    ]);
    expect((await send(bob, { replyTo: first, conversationId: first })).status).toBe(201);
    await remove(bob, first);
    expect(await refused(bob, { replyTo: first })).toEqual(noMessage);
    await setUser(ann.id, { status: 'suspended' });
    expect(await refused(bob, { replyTo: other })).toEqual([
      { field: 'replyTo', message: `contains inactive users: ${ann.id}` },
    ]);
  });
});

const shutOut = ({ id }: Person) => setUser(id, { status: 'suspended' });

describe.each([
  [
    'is removed',
    async ({ id }: Person) => removeUser(await newUserOf('admin'), id),
    'contains unknown users',
  ],
  ['is inactive', shutOut, 'contains inactive users'],
] as const)('reply without recipients when one user %s', (_, end, problem) => {
  it('is sent to all others in the conversation', async () => {
    const [ann, bob, cid] = [await newWriter(), await newReader(), await newWriter('Cid')];
    const first = await sent(ann, [bob, cid]);
    await end(bob);
    pass(1);
    const { status, body } = await send(ann, { conversationId: first });
    expect([status, body.data.to]).toEqual([201, [{ id: cid.id, name: 'Cid', avatar: null }]]);
    expect((await listed(cid)).ids).toEqual([body.data.id, first]);
    await end(ann);
    const alone = await send(cid, { conversationId: first });
    expect([alone.status, alone.body.error.details]).toEqual([
      400,
      [{ field: 'conversationId', message: `${problem}: ${ann.id}, ${bob.id}` }],
    ]);
  });

  it("is sent to all others of the caller's own message", async () => {
    const [ann, bob, cid] = [await newWriter(), await newReader(), await newReader()];
    const first = await sent(ann, [bob, cid]);
    await end(bob);
    expect((await send(ann, { replyTo: first })).body.data.recipients).toEqual([cid.id]);
    await end(cid);
    expect((await send(ann, { replyTo: first })).body.error.details).toEqual([
      { field: 'replyTo', message: `${problem}: ${bob.id}, ${cid.id}` },
    ]);
  });

  it('is rejected if it names that user', async () => {
    const [ann, bob, cid] = [await newWriter(), await newReader(), await newReader()];
    const first = await sent(ann, [bob, cid]);
    await end(bob);
    const response = await send(ann, { conversationId: first, to: [bob.id, cid.id] });
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [{ field: 'to', message: `${problem}: ${bob.id}` }],
    ]);
  });
});

describe('people of a conversation', () => {
  /** Returns their names in the list and in the conversation, which are the same. */
  const names = async (client: Person, id: number) => {
    const inList = (await listConversations(client)).body.data.items.find(
      (one: { id: number }) => one.id === id,
    );
    const { participants } = (await listConversation(client, id)).body.data;
    expect(inList.participants).toEqual(participants);
    return participants.map(({ name }: { name: string }) => name);
  };

  it('are everyone of the messages one has, whoever the last one went to', async () => {
    const [ann, bob, cid, dan] = [
      await newWriter('Ann'),
      await newWriter('Bob'),
      await newWriter('Cid'),
      await newWriter('Dan'),
    ];
    const id = await sent(ann, [bob, cid], { subject: 'Lunch' });
    await send(bob, { replyTo: id, content: 'Only for you' });
    expect(await names(ann, id)).toEqual(['Bob', 'Cid']);
    expect(await names(bob, id)).toEqual(['Ann', 'Cid']);
    // Someone who joins is known only to who has a message with them.
    const last = await sent(bob, [dan], { conversationId: id });
    expect(await names(bob, id)).toEqual(['Ann', 'Cid', 'Dan']);
    expect(await names(dan, id)).toEqual(['Bob']);
    expect(await names(cid, id)).toEqual(['Ann', 'Bob']);
    // Reading and deleting messages change nothing of it.
    await read(cid, id);
    await remove(bob, last);
    expect(await names(bob, id)).toEqual(['Ann', 'Cid', 'Dan']);
    const alone = await sent(ann, [ann]);
    expect(await names(ann, alone)).toEqual([]);
  });

  it('leave out who was deleted, unless a message still names them', async () => {
    const [ann, bob, cid] = [
      await newWriter('Ann'),
      await newWriter('Bob'),
      await newWriter('Cid'),
    ];
    const id = await sent(ann, [bob, cid]);
    await removeUser(await newUserOf('admin'), cid.id);
    expect(await names(ann, id)).toEqual(['Bob', 'Cid']);
  });

  it('are 50 at most: those of the last message, and the others who came last', async () => {
    const ids = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({ id: from + at, name: '' }));
    const known = ids(10, 60).map(({ id }) => id);
    const joined = addPeople(1, known, { senderId: 10, recipients: ids(60, 62) });
    expect(joined).toEqual([10, ...ids(13, 62).map(({ id }) => id)]);
  });
});

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
    for (let at = 0; at < 5; at++) ids.push(await sentNext(ann, [bob], { conversationId: first }));
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
