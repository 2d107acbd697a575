import { afterEach, describe, expect, it, vi } from 'vitest';
import * as documents from '../../support/documents/documents.ts';
import * as files from '../../support/files/files.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { recordTypes } from '../../support/sharing/record-types.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';
import { tracesOf } from '../../support/users/traces.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();

// Ids of the same millisecond can be equal across types, so the clock runs until `minuteLater`.
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
