import { describe, expect, it } from 'vitest';
import { made, madeFolder, remove as removeFile } from '../../support/files/files.ts';
import {
  list,
  listConversation,
  look,
  remove,
  send,
  sent,
} from '../../support/messages/messages.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();

const extraPermissions = ['messages:create', 'messages:delete', 'files:create', 'files:delete'];
const newPerson = () => newUserOf('user', { extraPermissions });

const download = ({ token }: Person, id: number, fileId: number, query = {}) =>
  call('GET /api/messages/{id}/attachments/{fileId}', {
    token,
    params: { id: String(id), fileId: String(fileId) },
    query,
  });

describe('attachments of a message', () => {
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
