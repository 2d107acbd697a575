import { describe, expect, it } from 'vitest';
import { notifyReaders } from '../../../functions/api/files/notify.ts';
import * as documents from '../../support/documents/documents.ts';
import * as files from '../../support/files/files.ts';
import { made, newOwner, newReader, share, unshare } from '../../support/files/files.ts';
import { list as listNotifications } from '../../support/notifications/notifications.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import type { Answer } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();
useBucket();
useJobs();

const noticesOf = async (person: Person) =>
  (await listNotifications(person)).body.data.items as readonly unknown[];

const told = (name: string, id: number, by: string) =>
  expect.objectContaining({
    type: 'user',
    title: 'A file was shared with you',
    content: `“${name}”`,
    link: `/api/files/${id}`,
    sender: expect.objectContaining({ name: by }),
  });

const refused = ({ status, body }: Answer) => [status, body.error.code, body.error.details];

describe('POST /api/files/{id}/share', () => {
  it('lets users view the file and notifies them once, until it is unshared', async () => {
    const [ann, rea, rob] = [await newOwner(), await newReader(), await newReader()];
    const id = await made(ann, { name: 'plan.txt' });
    const shared = await share(ann, id, [rea.id, rob.id, rea.id, ann.id]);
    expect(shared).toMatchObject({
      status: 200,
      body: { message: 'Shared', data: { id, sharedWith: [rea.id, rob.id], version: 2 } },
    });
    expect(shared.headers['etag']).toMatch(/^"2-/);
    expect((await share(ann, id, [rea.id])).body.data.version).toBe(2);
    const left = await unshare(ann, id, [rob.id, 12345]);
    expect(left).toMatchObject({
      status: 200,
      body: {
        message: 'Unshared',
        data: { sharedWith: [rea.id], version: 3 },
      },
    });
    expect((await files.look(rob, id)).status).toBe(404);
    await minuteLater();
    expect(await noticesOf(rea)).toEqual([told('plan.txt', id, 'Ann Owner')]);
    expect(await noticesOf(rob)).toEqual([]);
    const sharing = { id, userIds: [rea.id], sharedBy: ann.id, sharedAt: '2026-11-21T12:00:00Z' };
    await notifyReaders(sharing);
    await notifyReaders(sharing);
    expect(await noticesOf(rea)).toHaveLength(2);
    const actions = (await entriesAbout(`file:${id}`)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['file.share', 'file.unshare', 'file.upload']);
  });

  it('accepts up to 20 existing users for a file, as for documents', async () => {
    const [ann, rea] = [await newOwner(), await newReader()];
    const id = await made(ann);
    const readers = await Promise.all(Array.from({ length: 20 }, () => newReader()));
    const folder = await files.madeFolder(ann, 'Folder');
    for (const [of, userIds, message] of [
      [id, [], 'must contain at least one user'],
      [id, [12345], 'contains unknown users: 12345'],
      [folder, [rea.id], 'is not supported for folders'],
    ] as const) {
      const response = await share(ann, of, userIds);
      expect(refused(response)).toEqual([400, 'VALIDATION_ERROR', [{ field: 'userIds', message }]]);
    }
    const all = readers.map((reader) => reader.id);
    expect((await share(ann, id, all)).body.data.sharedWith).toEqual(all);
    const message = 'cannot be shared with more than 20 users';
    expect(refused(await share(ann, id, [rea.id]))[2]).toEqual([{ field: 'userIds', message }]);
    for (const act of [share, unshare]) {
      expect((await act(ann, id, [rea.id], { 'if-match': '"1"' })).status).toBe(412);
      expect((await act(rea, id, [rea.id])).status).toBe(403);
      expect((await act(await newOwner(), id, [rea.id])).status).toBe(404);
    }
  });
});

describe('PUT /api/files/{id} {sharedWith}', () => {
  it('notifies only new readers', async () => {
    const [ann, rea, rob] = [await newOwner(), await newReader(), await newReader()];
    const id = await made(ann, { name: 'old.txt' });
    await files.change(ann, id, { sharedWith: [rea.id] });
    await files.change(ann, id, { sharedWith: [rea.id, rob.id], name: 'new.txt' });
    await files.change(ann, id, { name: 'newer.txt' });
    await minuteLater();
    expect(await noticesOf(rea)).toEqual([told('newer.txt', id, 'Ann Owner')]);
    expect(await noticesOf(rob)).toEqual([told('newer.txt', id, 'Ann Owner')]);
  });

  it('sends no notification for a deleted file', async () => {
    const [ann, rea] = [await newOwner(), await newReader()];
    const id = await made(ann);
    await files.change(ann, id, { sharedWith: [rea.id] });
    await files.remove(ann, id);
    await minuteLater();
    expect(await noticesOf(rea)).toEqual([]);
  });
});

describe.each([
  {
    group: 'documents',
    ...documents,
    make: (author: Person, name: string, folder?: string) =>
      documents.made(author, { title: name, ...(folder && { folder }) }),
    byName: 'title',
  },
  {
    group: 'files',
    ...files,
    make: (owner: Person, name: string) => made(owner, { name }),
    byName: 'name',
  },
] as const)('GET /api/$group?shared=true', ({ group, make, byName, ...of }) => {
  const newOwnerOf = () =>
    newUserOf('user', { extraPermissions: [`${group}:create`, `${group}:update`] });

  it('lists what is shared with the user, in both orders, by page and cursor', async () => {
    const [ann, bob, rea] = [await newOwnerOf(), await newOwnerOf(), await newOwnerOf()];
    const inTurn = (owner: Person, name: string) => {
      pass(1);
      return make(owner, name);
    };
    const [own, c, a, b] = [
      await inTurn(rea, 'own'),
      await inTurn(ann, 'c'),
      await inTurn(bob, 'a'),
      await inTurn(ann, 'b'),
    ];
    const [hidden, everyones] = [await make(ann, 'hidden'), await make(ann, 'everyones')];
    await of.change(ann, everyones, { visibility: 'everyone' });
    for (const [owner, id] of [
      [ann, c],
      [bob, a],
      [ann, b],
      [ann, everyones],
    ] as const) {
      await of.share(owner, id, [rea.id]);
    }
    const all = await of.listed(rea);
    expect(all.ids).toEqual(expect.arrayContaining([own, a, b, c, everyones]));
    expect(all.ids).not.toContain(hidden);
    const shared = { shared: 'true' };
    expect(await of.listed(rea, shared)).toEqual({ ids: [b, a, c], total: 3 });
    expect(await of.listed(rea, { ...shared, sort: byName })).toEqual({ ids: [a, b, c], total: 3 });
    expect(await of.listed(ann, shared)).toEqual({ ids: [], total: 0 });
    for (const sort of ['createdAt', byName]) {
      const first = (await of.list(rea, { ...shared, sort, pageSize: '2' })).body.data;
      const cursor = first.nextCursor;
      const second = (await of.list(rea, { ...shared, sort, pageSize: '2', cursor })).body.data;
      const ids = [...first.items, ...second.items].map(({ id }) => id);
      expect([sort, ids.length, new Set(ids)]).toEqual([sort, 3, new Set([a, b, c])]);
      expect([first.total, second.total, second.nextCursor]).toEqual([3, 3, null]);
      expect((await of.list(rea, { sort, pageSize: '2', cursor })).status).toBe(400);
    }
    await of.unshare(bob, a, [rea.id]);
    expect(await of.listed(rea, shared)).toEqual({ ids: [b, c], total: 2 });
  });

  it('lists for a manager only what is shared with the manager', async () => {
    const [ann, manager] = [await newOwnerOf(), await of.newManager()];
    const [one] = [await make(ann, 'one'), await make(ann, 'two')];
    await of.share(ann, one, [manager.id]);
    expect(await of.listed(manager, { shared: 'true' })).toEqual({ ids: [one], total: 1 });
  });

  it('rejects other values and other filters', async () => {
    const rea = await newReader();
    expect(refused(await of.list(rea, { shared: 'no' }))[2]).toEqual([
      { field: 'shared', message: 'must be true' },
    ]);
    const message = 'cannot be combined with search';
    expect(refused(await of.list(rea, { shared: 'true', search: 'a' }))[2]).toEqual([
      { field: 'shared', message },
    ]);
  });
});
