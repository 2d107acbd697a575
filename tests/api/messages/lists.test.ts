import { beforeAll, describe, expect, it } from 'vitest';
import {
  list,
  listConversation,
  listConversations,
  listed,
  look,
  mailboxOf,
  newWriter,
  read,
  remove,
  send,
  sent,
  walk,
} from '../../support/messages/messages.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person, setUser } from '../../support/users/test-users.ts';

useTable();
useJobs();

/** Returns the ids on the first page of a conversation and its total. */
const thread = async (client: Person, id: number) => {
  const { body } = await listConversation(client, id, { pageSize: '100' });
  return { ids: body.data.items.map((one: { id: number }) => one.id), total: body.data.total };
};

describe('GET /api/messages', () => {
  let ann: Person;
  let bob: Person;
  const received: number[] = [];
  const own: number[] = [];
  const toSelf: number[] = [];
  beforeAll(async () => {
    [ann, bob] = [await newWriter(), await newWriter()];
    for (let at = 0; at < 12; at++) {
      received.unshift(await sent(bob, [ann], { content: `No. ${at}` }));
      if (at % 3 === 0) own.unshift(await sent(ann, [bob]));
      if (at % 4 === 0) toSelf.unshift(await sent(ann, [ann]));
    }
  });
  const newestFirst = (...ids: number[]) => ids.toSorted((a, b) => b - a);

  it('lists the inbox, sent messages or both, newest first, with exact totals', async () => {
    const inbox = newestFirst(...received, ...toSelf);
    const both = newestFirst(...inbox, ...own);
    expect(await listed(ann)).toEqual({ ids: inbox, total: 15 });
    expect(await listed(ann, { box: 'inbox', sort: 'createdAt' })).toEqual({
      ids: inbox,
      total: 15,
    });
    expect(await listed(ann, { box: '', unread: '' })).toEqual({ ids: inbox, total: 15 });
    expect(await listed(ann, { box: 'sent' })).toEqual({
      ids: newestFirst(...own, ...toSelf),
      total: 7,
    });
    expect(await listed(ann, { box: 'all' })).toEqual({ ids: both, total: 19 });
  });

  it('paginates each box by number and by cursor', async () => {
    for (const query of [{}, { box: 'sent' }, { box: 'all' }, { unread: 'true' }]) {
      const { ids } = await listed(ann, query);
      for (const pageSize of ['1', '4', '5']) {
        expect(await walk(ann, { ...query, pageSize }, 'page')).toEqual(ids);
        expect(await walk(ann, { ...query, pageSize }, 'cursor')).toEqual(ids);
      }
    }
  });

  it('defaults to ten messages and returns the number of pages', async () => {
    const { items, ...page } = (await list(ann)).body.data;
    expect(items).toHaveLength(10);
    expect(page).toEqual({
      total: 15,
      totalIsExact: true,
      page: 1,
      pageSize: 10,
      totalPages: 2,
      nextCursor: expect.any(String),
    });
  });

  it('rejects a cursor of another list or user', async () => {
    const cursorOf = async (query: Record<string, string>) =>
      (await list(ann, { pageSize: '2', ...query })).body.data.nextCursor as string;
    const cursor = await cursorOf({ box: 'all' });
    for (const [who, query] of [
      [ann, { cursor }],
      [ann, { cursor, box: 'sent' }],
      [ann, { cursor: await cursorOf({}), unread: 'true' }],
      [bob, { cursor, box: 'all' }],
    ] as const) {
      const { status, body } = await list(who, query);
      expect([status, body.error.details[0].field]).toEqual([400, 'cursor']);
    }
  });

  it('filters unread messages and continues after some are read', async () => {
    const [newest = 0, next = 0] = received;
    await read(ann, next);
    const unread = newestFirst(...received, ...toSelf).filter((id) => id !== next);
    expect(await listed(ann, { unread: 'true' })).toEqual({ ids: unread, total: 14 });
    expect(await listed(ann, { unread: 'true', box: 'all' })).toEqual({ ids: unread, total: 14 });
    expect(await listed(ann, { unread: 'false' })).toEqual({ ids: [next], total: 1 });
    const sentToOthers = (await listed(ann, { box: 'sent' })).ids.filter(
      (id) => !toSelf.includes(id),
    );
    const ids = newestFirst(next, ...sentToOthers);
    const readOfAll = { unread: 'false', box: 'all' };
    expect(await listed(ann, readOfAll)).toEqual({ ids, total: ids.length });
    const reversed = { ids: ids.toReversed(), total: ids.length };
    expect(await listed(ann, { ...readOfAll, sort: '-createdAt' })).toEqual(reversed);
    const page = (await list(ann, { unread: 'true', pageSize: '2' })).body.data;
    expect(page.items[0].id).toBe(newest);
    for (const { id } of page.items) await read(ann, id);
    const query = { unread: 'true', pageSize: '100', cursor: page.nextCursor };
    const rest = await list(ann, query);
    expect(rest.body.data.items.map(({ id }: { id: number }) => id)).toEqual(unread.slice(2));
    for (const id of [next, ...unread.slice(0, 2)]) await read(ann, id, { read: false });
  });

  it.each([
    [{ box: 'outbox' }, 'box', 'must be one of inbox, sent, all'],
    [{ unread: 'yes' }, 'unread', 'must be true or false'],
    [{ unread: 'true', box: 'sent' }, 'unread', 'cannot be combined with box=sent'],
    [{ unread: 'false', box: 'sent' }, 'unread', 'cannot be combined with box=sent'],
    [{ sort: 'subject' }, 'sort', 'must be createdAt; - reverses the order'],
    [{ page: '0' }, 'page', 'must be a positive integer'],
    [{ page: '101', pageSize: '100' }, 'page', expect.stringContaining('cursor')],
  ])('rejects %j', async (query, field, message) => {
    const { status, body } = await list(ann, query);
    expect([status, body.error.details]).toEqual([400, [{ field, message }]]);
  });
});

describe('reply', () => {
  it('continues the conversation with the sender and subject of the original message', async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter('Bob'), await newWriter()];
    const first = await sent(ann, [bob, cid], { subject: 'Lunch' });
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

  it('is sent to all others in the last message if only conversationId is set', async () => {
    const [ann, bob, cid] = [await newWriter(), await newWriter(), await newWriter()];
    const first = await sent(ann, [bob, cid]);
    const { data } = (await send(cid, { conversationId: first })).body;
    expect(data).toMatchObject({ conversationId: first, replyTo: null });
    expect(data.recipients.toSorted()).toEqual([ann.id, bob.id].toSorted());
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

describe('GET /api/messages/conversations', () => {
  it('lists conversations by newest message, with the unread count of each', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const [one, two] = [await sent(ann, [bob]), await sent(bob, [ann], { subject: 'Two' })];
    expect((await mailboxOf(ann)).conversations).toEqual([
      { id: two, last: two, messageCount: 1, unreadCount: 1 },
      { id: one, last: one, messageCount: 1, unreadCount: 0 },
    ]);
    const reply = await sent(bob, [ann], { replyTo: one });
    const { status, body } = await listConversations(ann);
    expect([status, body.data.total]).toEqual([200, 2]);
    expect(body.data.items).toEqual([
      {
        id: one,
        subject: null,
        lastMessage: (await look(ann, reply)).body.data,
        messageCount: 2,
        unreadCount: 1,
        updated_at: body.data.items[0].lastMessage.createdAt,
        updatedAt: body.data.items[0].lastMessage.createdAt,
      },
      expect.objectContaining({ id: two, subject: 'Two', unreadCount: 1 }),
    ]);
    await read(ann, reply);
    expect((await mailboxOf(ann)).conversations[0]).toMatchObject({ id: one, unreadCount: 0 });
    expect((await listConversations(ann)).body.data.items[0].lastMessage.read).toBe(true);
  });

  it('paginates conversations and their messages', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const ids: number[] = [];
    for (let at = 0; at < 5; at++) ids.unshift(await sent(ann, [bob]));
    const [conversationId = 0] = ids;
    const replies = [conversationId];
    for (let at = 0; at < 4; at++) replies.unshift(await sent(bob, [ann], { conversationId }));
    const pages = async (get: (query: Record<string, string>) => Promise<Answer>) => {
      const found: number[] = [];
      for (let query: Record<string, string> | undefined = {}; query; ) {
        const { body }: Answer = await get({ pageSize: '2', ...query });
        const { items, nextCursor } = body.data;
        found.push(...items.map(({ id }: { id: number }) => id));
        query = nextCursor === null ? undefined : { cursor: nextCursor };
      }
      return found;
    };
    expect(await pages((query) => listConversations(bob, query))).toEqual(ids);
    expect(await pages((query) => listConversation(bob, conversationId, query))).toEqual(replies);
    const other = (await listConversation(bob, conversationId, { pageSize: '2' })).body.data;
    const foreign = await listConversation(bob, ids[1] ?? 0, { cursor: other.nextCursor });
    expect(foreign.body.error.details[0].field).toBe('cursor');
  });

  it('returns no sender for a removed user', async () => {
    const [ann, bob, admin] = [await newWriter(), await newWriter(), await newUserOf('admin')];
    const id = await sent(ann, [bob]);
    await call('DELETE /api/users/{id}', { token: admin.token, params: { id: String(ann.id) } });
    expect((await look(bob, id)).body.data).toMatchObject({ sender: null, content: 'Hello' });
    expect((await list(bob)).body.data.items[0].sender).toBe(null);
    expect((await listConversations(bob)).body.data.items[0].lastMessage.sender).toBe(null);
    expect((await send(bob, { replyTo: id })).body.error.details).toMatchObject([
      { field: 'replyTo', message: `contains unknown users: ${ann.id}` },
    ]);
  });
});
