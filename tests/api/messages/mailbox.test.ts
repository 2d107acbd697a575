import { describe, expect, it } from 'vitest';
import {
  emptyMailbox,
  listConversation,
  listed,
  look,
  mailboxOf,
  newReader,
  newWriter,
  read,
  remove,
  sent,
  sentNext,
  unreadCount,
} from '../../support/messages/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newUserOf, setUser } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { ann, bob } = usePeople({ ann: newWriter, bob: () => newReader('Bob Reader') });

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

describe('GET, PUT and DELETE /api/messages/{id}', () => {
  it('return 404 for a foreign message and omit it from lists', async () => {
    const cid = await newUserOf('super_admin');
    const id = await sent(ann, [bob]);
    expect(await look(cid, id)).toMatchObject(missing);
    expect(await read(cid, id)).toMatchObject(missing);
    expect(await read(cid, id, { read: false })).toMatchObject(missing);
    expect(await remove(cid, id)).toMatchObject(missing);
    expect(await listConversation(cid, id)).toMatchObject(missing);
    expect(await mailboxOf(cid)).toEqual(emptyMailbox);
    expect((await look(bob, id)).body.data.read).toBe(false);
  });

  it.each(['0', '-1', 'x', '9007199254740993', '244212480008192'])(
    'return 404 for the id %j',
    async (id) => {
      const options = { token: (await newUserOf('admin')).token, params: { id } };
      for (const endpoint of [
        'GET /api/messages/{id}',
        'PUT /api/messages/{id}/read',
        'DELETE /api/messages/{id}',
        'GET /api/messages/conversations/{id}',
      ]) {
        expect(await call(endpoint, options)).toMatchObject({ status: 404 });
      }
    },
  );
});

describe('PUT /api/messages/{id}/read', () => {
  it('marks a message as read once and as unread again', async () => {
    const cid = await newReader();
    const id = await sent(ann, [cid]);
    const first = await read(cid, id);
    expect(first).toMatchObject({
      status: 200,
      body: { message: 'Marked as read', data: { id, read: true, readAt: time } },
    });
    expect((await read(cid, id, { read: true })).body).toEqual(first.body);
    expect((await read(cid, id, {})).body).toEqual(first.body);
    expect(await unreadCount(cid)).toBe(0);
    for (const _ of [1, 2]) {
      const again = await read(cid, id, { read: false });
      expect(again).toMatchObject({
        status: 200,
        body: { message: 'Marked as unread', data: { read: false, readAt: null } },
      });
      expect(await unreadCount(cid)).toBe(1);
    }
    expect(await listed(cid, { unread: 'true' })).toEqual({ ids: [id], total: 1 });
    expect((await look(ann, id)).body.data.read).toBe(true);
    expect((await read(cid, id, { read: 'yes' })).body.error.details).toEqual([
      { field: 'read', message: 'must be true or false' },
    ]);
  });

  it('keeps sent messages read', async () => {
    const id = await sent(ann, [bob]);
    const response = await read(ann, id);
    expect(response).toMatchObject({ status: 200, body: { data: { read: true } } });
    expect((await read(ann, id, { read: false })).body.error.details).toMatchObject([
      { field: 'read' },
    ]);
    expect((await look(bob, id)).body.data.read).toBe(false);
  });
});

describe('DELETE /api/messages/{id}', () => {
  it("deletes the caller's copy, and the message with the last copy", async () => {
    const [cid, dan] = [await newWriter(), await newWriter()];
    const id = await sent(cid, [dan, bob], { content: 'x'.repeat(2_000) });
    expect((await itemsOf(`MESSAGE#${id}`)).length).toBe(3);
    expect((await remove(cid, id)).body).toEqual({
      success: true,
      data: { id },
      message: 'Deleted',
    });
    expect(await mailboxOf(cid)).toEqual(emptyMailbox);
    expect(await remove(cid, id)).toMatchObject(missing);
    expect((await look(dan, id)).body.data).toMatchObject({ read: false });
    await read(dan, id);
    expect((await remove(dan, id)).status).toBe(200);
    expect(await mailboxOf(dan)).toEqual(emptyMailbox);
    expect(await remove(bob, id)).toMatchObject({ status: 403 });
    expect((await look(bob, id)).body.data.content).toHaveLength(2_000);
    await setUser(bob.id, { role: 'admin' });
    expect((await remove(bob, id)).status).toBe(200);
    expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
  });

  it('updates the last message of the conversation and deletes an empty conversation', async () => {
    const [cid, dan] = [await newWriter(), await newWriter()];
    const first = await sent(cid, [dan]);
    const second = await sentNext(dan, [], { replyTo: first, recipients: undefined });
    const third = await sentNext(cid, [], { replyTo: second, recipients: undefined });
    const conversation = async () => (await mailboxOf(dan)).conversations;
    const of = (last: number, messageCount: number, unreadCount: number) => [
      { id: first, last, messageCount, unreadCount },
    ];
    expect(await conversation()).toEqual(of(third, 3, 2));
    await remove(dan, second);
    expect(await conversation()).toEqual(of(third, 2, 2));
    await remove(dan, third);
    expect(await conversation()).toEqual(of(first, 1, 1));
    await remove(dan, first);
    expect(await mailboxOf(dan)).toEqual(emptyMailbox);
    expect(await listConversation(dan, first)).toMatchObject(missing);
    expect((await mailboxOf(cid)).conversations).toEqual(of(third, 3, 1));
  });
});
