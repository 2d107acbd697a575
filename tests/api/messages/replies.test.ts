import { describe, expect, it } from 'vitest';
import { listed, newReader, newWriter, send, sent } from '../../support/messages/messages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person, setUser } from '../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();

const removeUser = async ({ id }: Person) => {
  const { token } = await newUserOf('admin');
  const { status } = await call('DELETE /api/users/{id}', { token, params: { id: String(id) } });
  expect(status).toBe(200);
};
const shutOut = ({ id }: Person) => setUser(id, { status: 'suspended' });

describe.each([
  ['is removed', removeUser, 'contains unknown users'],
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
