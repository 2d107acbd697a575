import { describe, expect, it } from 'vitest';
import { made, madeFolder, remove as removeFile } from '../../support/files/files.ts';
import {
  emptyMailbox,
  list,
  listConversation,
  listed,
  look,
  mailboxOf,
  newReader,
  newReaders,
  newWriter,
  notificationsOf,
  read,
  remove,
  send,
  sent,
  unreadCount,
} from '../../support/messages/messages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { queuedJobs, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person, setUser } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann, bob } = usePeople({ ann: newWriter, bob: () => newReader('Bob Reader') });

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
describe('POST /api/messages', () => {
  it('sends a message and returns all its fields', async () => {
    const { status, body } = await send(ann, {
      recipients: [bob.id],
      subject: ' Lunch ',
      content: 'At noon?\r\n👋 ',
      id: 7,
      sender: 7,
      read: false,
      createdAt: 'x',
    });
    const { data } = body;
    const shown = {
      id: data.id,
      conversationId: data.id,
      sender: { id: ann.id, name: 'Ann Writer', avatar: null },
      recipients: [bob.id],
      to: [{ id: bob.id, name: 'Bob Reader', avatar: null }],
      subject: 'Lunch',
      content: 'At noon?\n👋 ',
      isExcerpt: false,
      type: 'text',
      attachments: [],
      replyTo: null,
      created_at: time,
      createdAt: data.created_at,
    };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Sent',
        data: { ...shown, read: true, readAt: data.createdAt },
      },
    });
    const received = { ...shown, read: false, readAt: null };
    expect((await look(bob, data.id)).body).toEqual({ success: true, data: received });
    expect((await list(bob)).body.data.items[0]).toEqual(received);
    expect((await look(ann, data.id)).body.data).toEqual(data);
    expect((await list(ann, { box: 'sent' })).body.data.items[0]).toEqual(data);
  });

  it('notifies each recipient but not the sender', async () => {
    const [cid, dan, eve] = [await newWriter(), await newReader(), await newReader()];
    const id = await sent(cid, [dan, eve, cid], { subject: 'Lunch' });
    const told = [
      {
        type: 'message',
        content: 'Lunch',
        link: `/api/messages/${id}`,
        conversationId: id,
        sender: cid.id,
      },
    ];
    expect(await notificationsOf(dan)).toEqual(told);
    expect(await notificationsOf(eve)).toEqual(told);
    expect(await notificationsOf(cid)).toEqual([]);
    await sent(cid, [dan], { content: 'No subject' });
    expect((await notificationsOf(dan))[0]).toMatchObject({ content: 'No subject' });
  });

  it('accepts recipients in all fields, combined without duplicates', async () => {
    const [cid, dan] = await newReaders(2);
    if (!cid || !dan) throw new Error('Two were made');
    for (const body of [
      { recipients: [cid.id, dan.id] },
      { receiverIds: [dan.id], recipientId: cid.id },
      { to: [cid.id, cid.id], recipientId: dan.id, recipients: null },
      { to: dan.id, recipients: [dan.id, cid.id], receiverIds: [cid.id], recipientId: cid.id },
    ]) {
      const response = await send(ann, body);
      expect(response.status).toBe(201);
      expect(response.body.data.recipients.toSorted()).toEqual([cid.id, dan.id].toSorted());
    }
    expect([(await listed(cid)).total, await unreadCount(dan)]).toEqual([4, 4]);
    expect(await notificationsOf(cid)).toHaveLength(4);
  });

  it('puts a message to the sender in both boxes and once in all messages', async () => {
    const cid = await newWriter();
    const { body } = await send(cid, { to: cid.id });
    expect(body.data).toMatchObject({ read: false, readAt: null, recipients: [cid.id] });
    const { id } = body.data;
    const before = {
      inbox: [id],
      sent: [id],
      all: [id],
      unread: [id],
      unreadCount: 1,
      totals: [1, 1, 1, 1, 1],
      conversations: [{ id, last: id, messageCount: 1, unreadCount: 1 }],
    };
    expect(await mailboxOf(cid)).toEqual(before);
    await read(cid, id);
    for (const box of ['inbox', 'sent', 'all']) {
      expect((await list(cid, { box })).body.data.items).toMatchObject([{ id, read: true }]);
    }
    expect(await mailboxOf(cid)).toEqual({
      ...before,
      unread: [],
      unreadCount: 0,
      totals: [1, 1, 1, 0, 1],
      conversations: [{ id, last: id, messageCount: 1, unreadCount: 0 }],
    });
    expect((await remove(cid, id)).status).toBe(200);
    expect(await mailboxOf(cid)).toEqual(emptyMailbox);
    expect(await itemsOf(`MESSAGE#${id}`)).toEqual([]);
  });

  it('accepts 50 recipients and rejects 51', async () => {
    const many = await newReaders(51);
    const ids = many.map(({ id }) => id);
    const before = await listed(ann, { box: 'sent' });
    const refused = await send(ann, { recipients: ids });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          details: [{ field: 'recipients', message: 'must not exceed 50 recipients' }],
        },
      },
    });
    const spread = await send(ann, { receiverIds: ids.slice(0, 30), to: ids.slice(29) });
    expect(spread.body.error.details).toMatchObject([{ field: 'receiverIds' }]);
    expect(await listed(ann, { box: 'sent' })).toEqual(before);
    const id = await sent(ann, many.slice(0, 50), { receiverIds: ids.slice(0, 20) });
    const seen = await Promise.all(many.map((one) => listed(one)));
    expect(seen).toEqual([...Array(50).fill({ ids: [id], total: 1 }), { ids: [], total: 0 }]);
  });

  it('reports unknown and inactive users by field and sends nothing', async () => {
    const [cid, out, off] = await newReaders(3);
    if (!cid || !out || !off) throw new Error('Three were made');
    await setUser(out.id, { status: 'suspended' });
    await setUser(off.id, { status: 'inactive' });
    const total = (await listed(ann, { box: 'sent' })).total;
    const { status, body } = await send(ann, {
      recipients: [cid.id, 4, out.id, 5],
      recipientId: 5,
      to: [off.id, out.id],
    });
    const both = `contains unknown users: 4, 5; contains inactive users: ${out.id}`;
    expect({ status, error: body.error }).toMatchObject({
      status: 400,
      error: { message: `Invalid recipients: ${both}.` },
    });
    expect({ status, details: body.error.details }).toEqual({
      status: 400,
      details: [
        { field: 'recipients', message: both },
        { field: 'recipientId', message: 'contains unknown users: 5' },
        { field: 'to', message: `contains inactive users: ${off.id}, ${out.id}` },
      ],
    });
    expect(await mailboxOf(cid)).toEqual(emptyMailbox);
    expect((await listed(ann, { box: 'sent' })).total).toBe(total);
  });

  it.each([
    [{}, 'recipients', 'is required'],
    [{ recipients: null }, 'recipients', 'is required'],
    [{ recipients: [] }, 'recipients', 'must contain at least one user'],
    [{ to: [] }, 'to', 'must contain at least one user'],
    [{ recipients: ['7'] }, 'recipients', 'contains unknown users: 7'],
    [{ recipients: ['x'] }, 'recipients', 'must be the id of a user, or a list of such ids'],
    [{ recipients: 'all' }, 'recipients', 'must be the id of a user, or a list of such ids'],
    [{ recipientId: 1.5 }, 'recipientId', 'must be the id of a user, or a list of such ids'],
    [{ recipientId: -1 }, 'recipientId', 'must be the id of a user'],
    [{ to: 1, content: undefined }, 'content', 'is required'],
    [{ to: 1, content: '' }, 'content', 'must not be empty'],
    [{ to: 1, content: ' \n\t' }, 'content', 'must contain a visible character'],
    [
      { to: 1, content: 'a\u202eb' },
      'content',
      'must not contain bidirectional control characters',
    ],
    [{ to: 1, content: 'a\ud800' }, 'content', 'must be well-formed Unicode'],
    [{ to: 1, subject: 'x'.repeat(201) }, 'subject', 'must be at most 200 characters'],
    [{ to: 1, subject: 'a\u2066' }, 'subject', 'must not contain bidirectional control characters'],
    [{ to: 1, type: 'video' }, 'type', 'must be one of text, image, file'],
    [
      { to: 1, type: 'file', content: ' java\tscript:alert(1)' },
      'content',
      'must not be a script URL',
    ],
    [{ to: 1, type: 'image', content: 'DATA:text/html,x' }, 'content', 'must not be a script URL'],
    [{ replyTo: 'x' }, 'replyTo', 'must be the id of a message'],
    [{ conversationId: 0 }, 'conversationId', 'must be the id of a conversation'],
  ])('rejects %j', async (body, field, message) => {
    const response = await send(ann, body);
    expect(response.status).toBe(400);
    expect(response.body.error.details).toEqual([{ field, message }]);
  });

  it.each([
    { type: 'image', content: 'https://example.com/a.png' },
    { type: 'image', content: 'data:image/png;base64,AAAA' },
    { type: 'file', content: '/api/files/7/download' },
    { type: 'file', content: 'dataset.csv' },
    { type: 'text', content: 'javascript: is a scheme' },
    { type: null, subject: null, content: 'x' },
    { subject: '  ', content: 'مرحبا' },
  ])('sends %j', async (body) => {
    const response = await send(ann, { to: bob.id, ...body });
    expect(response.status).toBe(201);
    expect(response.body.data).toMatchObject({
      content: body.content,
      type: body.type ?? 'text',
      subject: null,
    });
  });

  it('accepts 64 KB, lists its beginning and rejects more', async () => {
    const content = `${'x'.repeat(999)}👋${'é'.repeat(32 * 1024 - 502)}y`;
    expect(Buffer.byteLength(content)).toBe(64 * 1024);
    const cid = await newReader();
    const id = await sent(ann, [cid], { content });
    const whole = (await look(cid, id)).body.data;
    expect([whole.content === content, whole.isExcerpt]).toEqual([true, false]);
    const [item] = (await list(cid)).body.data.items;
    expect(item).toEqual({ ...whole, content: 'x'.repeat(999), isExcerpt: true });
    const response = await send(ann, { to: cid.id, content: `${content}y` });
    expect(response).toMatchObject({
      status: 413,
      body: {
        error: { details: [{ field: 'content', message: 'must be at most 64 KB (UTF-8)' }] },
      },
    });
    expect((await remove(ann, id)).status).toBe(200);
    expect((await look(cid, id)).body.data.content).toBe(content);
  });

  it('audits the recipients but not the text', async () => {
    const id = await sent(ann, [bob], { subject: 'Secret subject', content: 'Secret content' });
    const entries = await entriesAbout(`message:${id}`);
    expect(entries).toMatchObject([
      {
        action: 'message.send',
        actorId: ann.id,
        after: { conversationId: id, recipients: [bob.id], type: 'text' },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('Secret');
    await read(bob, id);
    await remove(ann, id);
    expect(await entriesAbout(`message:${id}`)).toHaveLength(1);
    expect(JSON.stringify(await queuedJobs())).not.toContain('Secret');
  });
});

describe('attachments of a message', () => {
  const extraPermissions = ['messages:create', 'messages:delete', 'files:create', 'files:delete'];
  const newPerson = () => newUserOf('user', { extraPermissions });

  const download = ({ token }: Person, id: number, fileId: number, query = {}) =>
    call('GET /api/messages/{id}/attachments/{fileId}', {
      token,
      params: { id: String(id), fileId: String(fileId) },
      query,
    });

  const { ann, bob, cem } = usePeople({ ann: newPerson, bob: newPerson, cem: newPerson });

  it('are listed with the message, and its people can download them', async () => {
    const one = await made(ann, { name: 'one.txt' }, 'First');
    const two = await made(ann, { name: 'two.txt' }, '');
    const id = await sent(ann, [bob], { attachments: [one, two] });
    const attachments = [
      { id: one, name: 'one.txt', size: 5 },
      { id: two, name: 'two.txt', size: 0 },
    ];
    for (const person of [ann, bob]) {
      expect((await look(person, id)).body.data.attachments).toEqual(attachments);
      const { status, body, headers } = await download(person, id, one);
      expect(status).toBe(302);
      expect(headers['location']).toBe(body.data.url);
      expect(await (await fetch(body.data.url)).text()).toBe('First');
      const options = { token: person.token, params: { id: String(id), fileId: String(one) } };
      const head = await call('HEAD /api/messages/{id}/attachments/{fileId}', options);
      const read = await fetch(head.headers['location'] ?? '', { method: 'HEAD' });
      expect([read.status, read.headers.get('content-length')]).toEqual([200, '5']);
    }
    expect((await list(bob)).body.data.items[0].attachments).toEqual(attachments);
    expect((await listConversation(bob, id)).body.data.items[0].attachments).toEqual(attachments);
    const shown = await download(bob, id, one, { inline: 'true' });
    expect(shown.body.data.url).toContain('inline');
    // Through the message alone, and for its people alone.
    const params = { id: String(one) };
    expect((await call('GET /api/files/{id}', { token: bob.token, params })).status).toBe(404);
    expect((await download(cem, id, one)).status).toBe(404);
    const plain = await sent(ann, [cem]);
    expect((await download(cem, plain, one)).status).toBe(404);
    expect((await look(cem, plain)).body.data.attachments).toEqual([]);
  });

  it('are refused unless each is an own file, named once', async () => {
    const own = await made(ann);
    const folder = await madeFolder(ann, 'Folder');
    const foreign = await made(bob, {});
    const details = async (attachments: unknown) => {
      const { status, body } = await send(ann, { recipients: [bob.id], attachments });
      expect(status).toBe(400);
      return body.error.details;
    };
    expect(await details([own, foreign, folder, 1])).toEqual([
      { field: 'attachments.1', message: 'must be the id of a file you own' },
      { field: 'attachments.2', message: 'must not be a folder' },
      { field: 'attachments.3', message: 'must be the id of a file you own' },
    ]);
    expect(await details([own, own])).toEqual([
      { field: 'attachments', message: 'must not contain a file twice' },
    ]);
    expect(await details(Array.from({ length: 11 }, (_, at) => at + 1))).toEqual([
      { field: 'attachments', message: 'must contain at most 10 ids' },
    ]);
    expect((await send(ann, { recipients: [bob.id], attachments: null })).status).toBe(201);
    expect((await send(ann, { recipients: [bob.id], attachments: [] })).status).toBe(201);
  });

  it('end with the file, its owner, or the copy of the message', async () => {
    const [one, two] = [await made(ann), await made(ann)];
    const id = await sent(ann, [bob, cem], { attachments: [one, two] });
    await removeFile(ann, one);
    expect((await download(bob, id, one)).status).toBe(404);
    expect((await look(bob, id)).body.data.attachments).toHaveLength(2);
    expect((await download(bob, id, two)).status).toBe(302);
    await remove(cem, id);
    expect((await download(cem, id, two)).status).toBe(404);
    await removeUser(await newUserOf('super_admin'), ann.id);
    expect((await download(bob, id, two)).status).toBe(404);
    expect((await look(bob, id)).body.data.attachments).toHaveLength(2);
  });
});
