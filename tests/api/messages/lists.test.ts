import { beforeAll, describe, expect, it } from 'vitest';
import {
  list,
  listConversation,
  listConversations,
  listed,
  look,
  mailboxOf,
  newReader,
  newWriter,
  read,
  send,
  sent,
  sentNext,
  walk,
} from '../../support/messages/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { readIds } from '../../support/service/pages.ts';
import { useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

describe('GET /api/messages', () => {
  const { ann, bob } = usePeople({ ann: newWriter, bob: newWriter });
  const received: number[] = [];
  const own: number[] = [];
  const toSelf: number[] = [];
  beforeAll(async () => {
    for (let at = 0; at < 12; at++) {
      received.unshift(await sentNext(bob, [ann], { content: `No. ${at}` }));
      if (at % 3 === 0) own.unshift(await sentNext(ann, [bob]));
      if (at % 4 === 0) toSelf.unshift(await sentNext(ann, [ann]));
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

describe('GET /api/messages/conversations', () => {
  it('lists conversations by newest message, with the unread count of each', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const [one, two] = [await sent(ann, [bob]), await sentNext(bob, [ann], { subject: 'Two' })];
    expect((await mailboxOf(ann)).conversations).toEqual([
      { id: two, last: two, messageCount: 1, unreadCount: 1 },
      { id: one, last: one, messageCount: 1, unreadCount: 0 },
    ]);
    const reply = await sentNext(bob, [ann], { replyTo: one });
    const { status, body } = await listConversations(ann);
    expect([status, body.data.total]).toEqual([200, 2]);
    expect(body.data.items).toEqual([
      {
        id: one,
        subject: null,
        participants: [{ id: bob.id, name: 'Ann Writer', avatar: null }],
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
    for (let at = 0; at < 5; at++) ids.unshift(await sentNext(ann, [bob]));
    const [conversationId = 0] = ids;
    const replies = [conversationId];
    for (let at = 0; at < 4; at++) replies.unshift(await sentNext(bob, [ann], { conversationId }));
    const pageSize = '2';
    expect(await readIds((at) => listConversations(bob, { pageSize, ...at }))).toEqual(ids);
    expect(
      await readIds((at) => listConversation(bob, conversationId, { pageSize, ...at })),
    ).toEqual(replies);
    const other = (await listConversation(bob, conversationId, { pageSize: '2' })).body.data;
    const foreign = await listConversation(bob, ids[1] ?? 0, { cursor: other.nextCursor });
    expect(foreign.body.error.details[0].field).toBe('cursor');
  });

  it('returns the current names of recipients, as all responses do', async () => {
    const [ann, bob] = [await newWriter(), await newReader()];
    const id = await sent(ann, [bob]);
    const fields = { name: 'Robert', avatar: 'https://example.com/bob.png' };
    await call('PUT /api/users/me', { token: bob.token, body: fields });
    const to = [{ id: bob.id, ...fields }];
    expect((await listConversations(ann)).body.data.items[0].lastMessage.to).toEqual(to);
    expect((await list(ann, { box: 'sent' })).body.data.items[0].to).toEqual(to);
    expect((await look(ann, id)).body.data.to).toEqual(to);
    expect((await send(ann, { to: bob.id })).body.data.to).toEqual(to);
  });

  it('returns the former name of a removed sender, and finds by it', async () => {
    const [ann, bob] = [await newWriter(), await newWriter()];
    const name = 'Annegret Sender';
    const fields = { name, avatar: 'https://example.com/ann.png' };
    await call('PUT /api/users/me', { token: ann.token, body: fields });
    const id = await sent(ann, [bob]);
    expect((await look(bob, id)).body.data.sender).toEqual({ id: ann.id, ...fields });
    await removeUser(await newUserOf('admin'), ann.id);
    const sender = { id: ann.id, name, avatar: null };
    expect((await look(bob, id)).body.data).toMatchObject({ sender, content: 'Hello' });
    expect((await list(bob)).body.data.items[0].sender).toEqual(sender);
    for (const query of [{}, { search: name }]) {
      const { items } = (await listConversations(bob, query)).body.data;
      expect(items[0].lastMessage.sender).toEqual(sender);
    }
    expect((await send(bob, { replyTo: id })).body.error.details).toMatchObject([
      { field: 'replyTo', message: `contains unknown users: ${ann.id}` },
    ]);
  });
});

describe('GET /api/messages/conversations with a search', () => {
  const { ann, bob, zoe } = usePeople({
    ann: () => newWriter('Ann Writer'),
    bob: () => newWriter('Bob Bäcker'),
    zoe: () => newWriter('Zoë Quill'),
  });
  beforeAll(async () => {
    await sent(bob, [ann], { subject: 'Summer fair' });
    await sentNext(ann, [zoe], { subject: 'Paper and ink' });
    await sentNext(zoe, [ann, bob], { subject: 'Fair prices' });
    await sentNext(ann, [bob]);
  });

  const subjects = async (search: string, query = {}) => {
    const { status, body } = await listConversations(ann, { search, ...query });
    expect(status).toBe(200);
    return body.data.items.map((item: { subject: string | null }) => item.subject);
  };

  it('finds words of the subject and of the people, the most recent first', async () => {
    expect(await subjects('fair')).toEqual(['Fair prices', 'Summer fair']);
    expect(await subjects('FAI summ')).toEqual(['Summer fair']);
    expect(await subjects('zoe')).toEqual(['Fair prices', 'Paper and ink']);
    expect(await subjects('backer')).toEqual([null, 'Fair prices', 'Summer fair']);
    expect(await subjects('bob fair')).toEqual(['Fair prices', 'Summer fair']);
    expect(await subjects('air')).toEqual([]);
    expect(await subjects('')).toHaveLength(4);
    expect(await subjects('fair', { sort: '-updatedAt' })).toEqual(['Summer fair', 'Fair prices']);
  });

  it('goes on by its cursor, which is bound to the words', async () => {
    const { body } = await listConversations(ann, { search: 'fair', pageSize: '1' });
    const { items, nextCursor: cursor, totalIsExact } = body.data;
    expect(items).toHaveLength(1);
    expect(totalIsExact).toBe(false);
    expect(await subjects('fair', { pageSize: '1', cursor })).toEqual(['Summer fair']);
    expect((await listConversations(ann, { search: 'zoe', cursor })).status).toBe(400);
  });
});
