import { describe, expect, it } from 'vitest';
import {
  listConversation,
  listed,
  newReader,
  newWriter,
  remove,
  send,
  sent,
} from '../../support/messages/messages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person, setUser } from '../../support/users/test-users.ts';

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
    const { status, body } = await send(ann, { conversationId: first });
    expect([status, body.data.to]).toEqual([201, [{ id: cid.id, name: 'Cid', avatar: null }]]);
    expect((await listed(cid)).ids).toEqual([body.data.id, first]);
    await end(ann);
    const alone = await send(cid, { conversationId: first });
    expect([alone.status, alone.body.error.details]).toEqual([
      400,
      [{ field: 'conversationId', message: `${problem}: ${ann.id}` }],
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
