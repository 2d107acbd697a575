import { afterEach, describe, expect, it, vi } from 'vitest';
import * as documents from '../../support/documents/documents.ts';
import * as files from '../../support/files/files.ts';
import { list as listNotifications } from '../../support/notifications/notifications.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { tracesOf } from '../../support/users/traces.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

describe.each(Object.values(recordTypes))('sharing $group', (recordType) => {
  useVirtualTime('2026-11-21T12:00:00.000Z');

  const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

  const noticesOf = async (person: Person) =>
    (await listNotifications(person)).body.data.items as readonly unknown[];

  const { group, singular, nameField, newRecord, look, change, remove, listed, share, unshare } =
    recordType;
  const { newReader, notifyReaders } = recordType;
  const { ann, manager } = usePeople({
    ann: () => recordType.newOwner('Ann Owner'),
    manager: () => recordType.newManager(),
  });

  it('lets the given users view a record until it is unshared', async () => {
    const [rea, rob] = [await newReader(), await newReader()];
    const id = await newRecord(ann);
    expect(await look(rea, id)).toMatchObject(missing);
    const shared = await share(ann, id, [rea.id, rob.id, rea.id, ann.id]);
    expect(shared).toMatchObject({
      status: 200,
      body: { message: 'Shared', data: { id, sharedWith: [rea.id, rob.id], version: 2 } },
    });
    expect(shared.body.data).not.toHaveProperty('content');
    expect(shared.headers['etag']).toMatch(/^"2-/);
    expect((await look(rea, id)).body.data.sharedWith).toEqual([rea.id]);
    expect((await share(ann, id, [rea.id])).body.data.version).toBe(2);
    expect(await listed(rea)).toEqual({ ids: [id], total: 1 });
    expect(await unshare(ann, id, [rea.id, 12345])).toMatchObject({
      status: 200,
      body: { message: 'Unshared', data: { sharedWith: [rob.id], version: 3 } },
    });
    expect((await unshare(ann, id, [rea.id])).body.data.version).toBe(3);
    expect(await look(rea, id)).toMatchObject(missing);
    expect(await listed(rea)).toEqual({ ids: [], total: 0 });
    expect(await listed(rob)).toEqual({ ids: [id], total: 1 });
  });

  it.each([
    [undefined, 'userIds', 'is required'],
    [[], 'userIds', 'must contain at least one user'],
    [['x'], 'userIds.0', 'must be the id of a user'],
    [[0], 'userIds.0', 'must be the id of a user'],
    [[12345], 'userIds', 'contains unknown users: 12345'],
  ])('rejects %j for %s', async (userIds, field, message) => {
    const id = await newRecord(ann);
    const response = await share(ann, id, userIds);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
    expect((await look(ann, id)).body.data).toMatchObject({ sharedWith: [], version: 1 });
  });

  it('accepts up to 20 readers', async () => {
    const id = await newRecord(ann);
    const readers = await Promise.all(Array.from({ length: 21 }, () => newReader()));
    const ids = readers.map((reader) => reader.id);
    const most = 'must contain at most 20 users';
    const details = async (userIds: readonly number[]) =>
      (await share(ann, id, userIds)).body.error.details;
    expect(await details(ids)).toEqual([{ field: 'userIds', message: most }]);
    expect((await share(ann, id, ids.slice(0, 20))).body.data.sharedWith).toEqual(ids.slice(0, 20));
    const message = 'cannot be shared with more than 20 users';
    expect(await details(ids.slice(20))).toEqual([{ field: 'userIds', message }]);
    expect((await look(readers[20] as Person, id)).status).toBe(404);
    expect(await listed(readers[19] as Person)).toEqual({ ids: [id], total: 1 });
  });

  it('keeps the readers of a public record without showing them to others', async () => {
    const [rea, bob] = [await newReader(), await newReader()];
    const id = await newRecord(ann);
    await share(ann, id, [rea.id]);
    await change(ann, id, { visibility: 'everyone' });
    expect((await look(bob, id)).body.data.sharedWith).toEqual([]);
    expect((await listed(bob)).ids).toContain(id);
    expect((await look(ann, id)).body.data.sharedWith).toEqual([rea.id]);
    await change(ann, id, { visibility: 'private' });
    expect(await look(bob, id)).toMatchObject(missing);
    expect((await look(rea, id)).status).toBe(200);
  });

  it('notifies each new reader once, naming who shared the record', async () => {
    const [rea, rob, roy] = [await newReader(), await newReader(), await newReader()];
    const id = await newRecord(ann, 'Minutes of May');
    await share(ann, id, [rea.id, rob.id]);
    await share(manager, id, [rea.id, roy.id]);
    await unshare(ann, id, [rob.id]);
    await minuteLater();
    const notice = (name: string) =>
      expect.objectContaining({
        type: 'user',
        title: `A ${singular} was shared with you`,
        content: '“Minutes of May”',
        link: `/api/${group}/${id}`,
        sender: expect.objectContaining({ name }),
      });
    expect(await noticesOf(rea)).toEqual([notice('Ann Owner')]);
    expect(await noticesOf(rob)).toEqual([]);
    expect(await noticesOf(roy)).toEqual([notice('Max Manager')]);
    const sharedBy = { id: ann.id, name: 'Ann Owner' };
    const sharing = { id, userIds: [rea.id], sharedBy, sharedAt: '2026-11-21T12:00:00Z' };
    await notifyReaders(sharing);
    await notifyReaders(sharing);
    expect(await noticesOf(rea)).toHaveLength(2);
  });

  it('notifies no one of a deleted record', async () => {
    const rea = await newReader();
    const id = await newRecord(ann, nameField);
    await share(ann, id, [rea.id]);
    await remove(ann, id);
    await minuteLater();
    expect(await noticesOf(rea)).toEqual([]);
  });
});

// Ids of the same millisecond can be equal across types, so the clock runs until `minuteLater`.
describe('the records of a removed user', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const { admin } = usePeople({ admin: () => newUserOf('super_admin', { name: 'Max Manager' }) });

  const objectOf = async (id: number): Promise<string> =>
    String((await itemsOf(`FILE#${id}`)).find(({ sk }) => sk === 'FILE')?.['object']);

  describe.each([
    {
      ...recordTypes.documents,
      makeAll: async (owner: Person, reader: Person) => {
        return { ids: await documents.madeOfAll(owner, reader), objects: [] };
      },
      prepareLate: async (owner: Person) => () => [
        documents.create(owner),
        documents.create(owner, { visibility: 'everyone' }),
      ],
    },
    {
      ...recordTypes.files,
      makeAll: async (owner: Person, reader: Person) => {
        const made = await files.madeOfAll(owner, reader);
        const { folders, uploading } = made;
        await files.sendForm(uploading, 'Hello');
        const objects = [
          ...(await Promise.all(made.files.map(objectOf))),
          uploading.fields['key'] ?? '',
        ];
        return { ids: [...folders, ...made.files, uploading.id], objects };
      },
      prepareLate: async (owner: Person) => {
        const form = (await files.presign(owner, { size: 5 })).body.data;
        await files.sendForm(form, 'Hello');
        return () => [
          files.upload(owner),
          files.makeFolder(owner, { name: 'Late' }),
          files.complete(owner, form.id),
        ];
      },
    },
  ])('DELETE /api/users/{id} of an owner of $group', (recordType) => {
    const { newRecord, look, listed, share, change, newOwner, newReader } = recordType;

    it('deletes the records and removes the user from readers', async () => {
      const [ann, bob] = [await newOwner(), await newOwner('Bob Owner')];
      const before = { all: await listed(admin), bobs: await listed(bob) };
      const { ids, objects } = await recordType.makeAll(ann, bob);
      const bobs = await newRecord(bob);
      await share(bob, bobs, [ann.id, admin.id]);
      expect((await listed(ann)).ids).toContain(bobs);
      await removeUser(admin, ann.id);
      for (const id of ids) expect((await look(admin, id)).status).toBe(404);
      expect(await listed(admin)).toEqual({
        ids: [bobs, ...before.all.ids],
        total: before.all.total + 1,
      });
      expect(await listed(bob)).toEqual({ ids: [bobs], total: before.bobs.total + 1 });
      expect((await look(bob, bobs)).body.data.sharedWith).toEqual([admin.id]);
      await minuteLater();
      for (const object of objects) expect(await textOf(object)).toBeUndefined();
      expect(await tracesOf(ann.id, ...ids)).toEqual([]);
    });

    it('drops the removed reader when a public record becomes private', async () => {
      const [ann, bob] = [await newOwner(), await newReader()];
      const id = await newRecord(ann);
      await share(ann, id, [bob.id, admin.id]);
      await change(ann, id, { visibility: 'everyone' });
      await removeUser(admin, bob.id);
      await minuteLater();
      const response = await change(ann, id, { visibility: 'private' });
      expect(response.body.data.sharedWith).toEqual([admin.id]);
      expect(await tracesOf(bob.id)).toEqual([]);
    });

    it('deletes records that are created and shared concurrently', async () => {
      const [ann, bob, reader] = [await newOwner(), await newOwner(), await newReader()];
      const bobs = await newRecord(bob);
      const makeLate = await recordType.prepareLate(ann);
      const [, , , ...responses] = await Promise.all([
        removeUser(admin, reader.id),
        share(bob, bobs, [reader.id]),
        removeUser(admin, ann.id),
        ...makeLate(),
      ]);
      const ids = responses.flatMap(({ status, body }) => (status < 300 ? [body.data.id] : []));
      await minuteLater();
      expect(await tracesOf(ann.id, reader.id, ...ids)).toEqual([]);
    });
  });
});
