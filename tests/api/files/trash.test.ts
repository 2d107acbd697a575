import { describe, expect, it } from 'vitest';
import {
  change,
  complete,
  download,
  list,
  listed,
  listTrash,
  look,
  made,
  madeFolder,
  newManager,
  newOwner,
  newReader,
  objectKeys,
  presign,
  purge,
  remove,
  restore,
  share,
  trashed,
  upload,
  uploadDirect,
  usage,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { signInAgain, usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();
useVirtualTime('2026-11-21T12:00:00.000Z');

const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };
const dayMs = 86_400_000;

describe('a deleted file', () => {
  const { ann, bob, rea, manager } = usePeople({
    ann: () => newOwner(),
    bob: () => newOwner('Bob Owner'),
    rea: () => newReader(),
    manager: newManager,
  });

  it('is nowhere but in its owner’s trash, and keeps its content', async () => {
    const folder = await madeFolder(ann, 'Letters');
    const id = await made(ann, { name: 'To Bob.txt', folder: 'Letters' });
    await share(ann, id, [rea.id]);
    const before = await objectKeys();
    const deleted = await remove(ann, id);
    expect(deleted).toMatchObject({
      status: 200,
      body: { success: true, data: { id }, message: 'Moved to the trash' },
    });
    expect((await listTrash(ann)).body.data).toMatchObject({
      total: 1,
      items: [
        {
          id,
          name: 'To Bob.txt',
          path: '/Letters/To Bob.txt',
          sharedWith: [rea.id],
          deletedAt: '2026-11-21T12:00:00.000Z',
          purgedAt: '2026-12-21T12:00:00.000Z',
        },
      ],
    });
    for (const caller of [ann, rea, manager]) {
      expect(await look(caller, id)).toMatchObject(missing);
      expect(await download(caller, id)).toMatchObject(missing);
      expect((await list(caller, { search: 'bob' })).body.data.items).toEqual([]);
    }
    for (const refused of [
      await remove(ann, id),
      await change(ann, id, { name: 'b.txt' }),
      await share(ann, id, [bob.id]),
      await complete(ann, id),
    ]) {
      expect(refused).toMatchObject(missing);
    }
    expect(await listed(rea, { shared: 'true' })).toEqual({ ids: [], total: 0 });
    expect(await trashed(bob)).toEqual({ ids: [], total: 0 });
    expect(await objectKeys()).toEqual(before);
    // A folder with only deleted files is empty.
    expect((await remove(ann, folder)).body).toMatchObject({ message: 'Deleted' });
    expect((await listTrash(ann)).body.data.items[0].path).toBe('/To Bob.txt');
  });

  it('comes back with its readers, star and folder', async () => {
    await madeFolder(ann, 'Plans');
    const id = await made(ann, { name: 'a.txt', folder: 'Plans' });
    const gone = await newReader();
    await share(ann, id, [rea.id, gone.id]);
    await change(ann, id, { isFavorite: true });
    await remove(ann, id);
    await removeUser(await newUserOf('super_admin'), gone.id);
    const restored = await restore(ann, id);
    expect(restored).toMatchObject({
      status: 200,
      body: {
        message: 'Restored',
        data: { id, path: '/Plans/a.txt', sharedWith: [rea.id], isFavorite: true, version: 5 },
      },
    });
    expect((await download(rea, id)).status).toBe(302);
    expect((await trashed(ann)).ids).not.toContain(id);
    expect(await restore(ann, id)).toMatchObject(missing);
  });

  it('comes back at the top level if its folder is gone, also meanwhile', async () => {
    const folder = await madeFolder(ann, 'Gone');
    const id = await made(ann, { name: 'b.txt', folder: 'Gone' });
    await remove(ann, id);
    const [restored, deleted] = await Promise.all([restore(ann, id), remove(ann, folder)]);
    expect(restored.status).toBe(200);
    const isDeleted = deleted.status === 200;
    expect((await look(ann, id)).body.data.path).toBe(isDeleted ? '/b.txt' : '/Gone/b.txt');
  });

  it('is restored and purged by its owner and managers only, with a current version', async () => {
    const id = await made(ann);
    await remove(ann, id);
    for (const other of [bob, await newUserOf('user', { extraPermissions: ['files:delete'] })]) {
      expect(await restore(other, id)).toMatchObject(missing);
      expect(await purge(other, id)).toMatchObject(missing);
    }
    expect((await restore(rea, id)).status).toBe(403);
    const stale = { 'if-match': '"1"' };
    expect((await restore(ann, id, stale)).status).toBe(412);
    expect((await purge(ann, id, stale)).status).toBe(412);
    expect((await restore(manager, id)).status).toBe(200);
    expect(await purge(ann, id)).toMatchObject(missing);
    await remove(ann, id);
    expect((await purge(manager, id)).body).toMatchObject({ message: 'Permanently deleted' });
    expect(await restore(ann, id)).toMatchObject(missing);
  });

  it('is one of several restores and purges at once: one wins', async () => {
    const id = await made(ann);
    await remove(ann, id);
    const responses = await Promise.all([restore(ann, id), restore(ann, id), purge(ann, id)]);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const isPurged = statuses[2] === 200;
    expect((await look(ann, id)).status).toBe(isPurged ? 404 : 200);
  });

  it('leaves nothing once it is purged', async () => {
    const owner = await newOwner();
    const { data } = (await uploadDirect(owner, 'content')).body;
    await remove(owner, data.id);
    const before = (await objectKeys()).length;
    expect((await purge(owner, data.id)).status).toBe(200);
    expect(await itemsOf(`FILE#${data.id}`)).toEqual([]);
    expect(await itemsOf(`FILES#TRASH#${owner.id}`)).toEqual([]);
    expect((await objectKeys()).length).toBe(before - 1);
    expect(await usage(owner)).toMatchObject({ used: 0, trashed: 0, files: 0 });
  });

  it('is permanently deleted with its content after 30 days, not earlier', async () => {
    const owner = await newOwner();
    const id = await made(owner);
    // Entries of one millisecond have no order.
    pass(1);
    await remove(owner, id);
    const [item] = await itemsOf(`FILE#${id}`);
    const object = String(item?.['object']);
    pass(30 * dayMs - 120_000);
    await minuteLater();
    await signInAgain(owner);
    expect((await trashed(owner)).ids).toEqual([id]);
    pass(60_000);
    expect((await trashed(owner)).ids).toEqual([]);
    expect(await restore(owner, id)).toMatchObject(missing);
    await minuteLater();
    await minuteLater();
    expect(await itemsOf(`FILE#${id}`)).toEqual([]);
    expect(await textOf(object)).toBeUndefined();
    expect(await usage(owner)).toMatchObject({ used: 0, trashed: 0 });
    const audit = await call('GET /api/audit', {
      token: (await newUserOf('super_admin')).token,
      query: { subject: `file:${id}` },
    });
    expect(audit.body.data.items.map(({ action }: { action: string }) => action)).toEqual([
      'file.purge',
      'file.delete',
      'file.upload',
    ]);
  });
});

describe('the quota', () => {
  it('counts the trash, and says how emptying it helps', async () => {
    const owner = await newOwner();
    const id = await made(owner, {}, 'x'.repeat(2_048));
    await made(owner, {}, 'kept');
    await remove(owner, id);
    expect(await usage(owner)).toMatchObject({ used: 2_052, trashed: 2_048, files: 1 });
    const refused = await presign(owner, { size: 1024 ** 3 });
    expect(refused.body.error.message).toBe(
      'Storage quota exceeded: 1 GB of 1 GB free. Empty the trash to free 2 KB.',
    );
    await restore(owner, id);
    expect(await usage(owner)).toMatchObject({ used: 2_052, trashed: 0, files: 2 });
    await remove(owner, id);
    await purge(owner, id);
    expect(await usage(owner)).toMatchObject({ used: 4, trashed: 0, files: 1 });
  });

  it('does not count an upload that is canceled, which is in no trash', async () => {
    const owner = await newOwner();
    const { body } = await presign(owner, { size: 5 });
    expect((await remove(owner, body.data.id)).body).toMatchObject({ message: 'Deleted' });
    expect(await usage(owner)).toMatchObject({ used: 0, trashed: 0 });
    expect((await trashed(owner)).total).toBe(0);
    expect((await upload(owner)).status).toBe(201);
  });
});
