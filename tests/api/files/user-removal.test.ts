import { afterEach, describe, expect, it, vi } from 'vitest';
import { owned } from '../../../functions/api/files/owned.ts';
import { maxFolders, mergeFolders } from '../../../functions/api/files/record/folders.ts';
import { removeUser as removeNow } from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import {
  change,
  fetchFile,
  listed,
  look,
  made,
  madeFolder,
  madeOfAll,
  newOwner,
  newReader,
  remove,
  restore,
  upload,
  usage,
} from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { minuteLater, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { tracesOf } from '../../support/users/traces.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();
useBucket();
afterEach(() => {
  vi.useRealTimers();
});

const { admin } = usePeople({ admin: () => newUserOf('super_admin', { name: 'Max Manager' }) });

describe('DELETE /api/users/{id}', () => {
  it('transfers files with folders, readers and usage', async () => {
    const [ann, bob] = [await newOwner(), await newOwner('Bob Owner')];
    const reader = await newReader();
    const total = (await listed(admin)).total;
    const { folders, files, uploading } = await madeOfAll(ann, reader);
    await madeFolder(bob, 'Photos');
    const bobs = await made(bob, { name: 'of bob.txt', folder: 'Photos' }, 'bob');
    await removeUser(admin, ann.id, bob.id);
    const shown = async (id: number) => (await look(bob, id)).body.data;
    expect(await shown(files[0])).toMatchObject({
      owner: 'Bob Owner',
      path: '/plain.txt',
      isFavorite: false,
    });
    expect(await shown(files[1])).toMatchObject({
      path: '/Photos (2)/2026/shared.txt',
      sharedWith: [reader.id],
    });
    expect(await shown(files[2])).toMatchObject({ path: '/Photos (2)/everyones.txt' });
    expect(await shown(folders[0])).toMatchObject({ name: 'Photos (2)', owner_id: bob.id });
    expect(await shown(bobs)).toMatchObject({ path: '/Photos/of bob.txt' });
    expect((await fetchFile(reader, files[1])).bytes.toString()).toBe('shared');
    expect(await usage(bob)).toMatchObject({ used: 5 + 6 + 9 + 7 + 3, trashed: 7, files: 4 });
    expect((await listed(bob, { folder: 'Photos (2)' })).ids.toSorted()).toEqual(
      [folders[1], files[2]].toSorted(),
    );
    expect((await restore(bob, files[3])).body.data).toMatchObject({
      path: '/Photos (2)/trashed.txt',
      sharedWith: [reader.id],
    });
    // The incomplete upload is not transferred.
    expect((await listed(admin)).total).toBe(total + 8);
    expect((await look(bob, uploading.id)).status).toBe(404);
    await change(bob, files[1], { folder: 'Photos' });
    await minuteLater();
    expect(await tracesOf(ann.id)).toEqual([]);
    expect((await fetchFile(bob, files[1])).bytes.toString()).toBe('shared');
  });

  it('transfers beyond the quota, which then rejects uploads', async () => {
    vi.stubEnv('FILES_QUOTA', '1KB');
    const [ann, bob] = [await newOwner(), await newOwner()];
    await made(ann, {}, 'x'.repeat(800));
    await made(bob, {}, 'x'.repeat(800));
    await removeUser(admin, ann.id, bob.id);
    expect(await usage(bob)).toEqual({
      used: 1_600,
      trashed: 0,
      submitted: 0,
      quota: 1_024,
      files: 2,
    });
    expect((await upload(bob, 'x')).status).toBe(413);
    vi.unstubAllEnvs();
  });

  it('rejects changes of a folder during its transfer', async () => {
    const [ann, bob] = [await newOwner(), await newOwner('Bob Owner')];
    const folder = await madeFolder(ann, 'Photos');
    const file = await made(ann, { name: 'a.txt', folder: 'Photos' });
    await removeNow(ann.id, () => undefined, bob.id, systemRecorder('user.delete'));
    // No time is left for more than the folders as a whole.
    expect(await owned.deleteOrTransfer(ann.id, { to: bob.id, former: [], deadline: 0 })).toBe(
      false,
    );
    const responses = [
      await look(admin, folder),
      await remove(admin, folder),
      await look(bob, file),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(
      await owned.deleteOrTransfer(ann.id, {
        to: bob.id,
        former: [],
        deadline: Date.now() + 60_000,
      }),
    ).toBe(true);
    expect((await look(bob, file)).body.data.path).toBe('/Photos/a.txt');
    expect((await change(bob, folder, { name: 'Renamed' })).status).toBe(200);
    expect((await look(bob, file)).body.data.path).toBe('/Renamed/a.txt');
    const trees = (await itemsOf('USER#')).filter(({ sk }) => sk === 'FILES#FOLDERS');
    expect(trees.map(({ pk }) => pk)).not.toContain(`USER#${ann.id}`);
  });

  it('accepts the unchanged name of a transferred folder of any length', async () => {
    const [ann, bob] = [await newOwner(), await newOwner('Bob Owner')];
    const name = 'x'.repeat(100);
    const folder = await madeFolder(ann, name);
    await madeFolder(bob, name);
    expect(
      await owned.deleteOrTransfer(ann.id, {
        to: bob.id,
        former: [],
        deadline: Date.now() + 60_000,
      }),
    ).toBe(true);
    const sentBack = { name: `${name} (2)`, isFavorite: true };
    const { status, body } = await change(bob, folder, sentBack);
    expect([status, body.data]).toMatchObject([200, sentBack]);
    expect((await change(bob, folder, { name: `${name} (3)` })).status).toBe(400);
  });
});

describe('mergeFolders', () => {
  const tree = (count: number, from: number, parent?: number) => ({
    version: 1,
    folders: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        from + at,
        { name: `Folder ${at}`, ...(parent !== undefined && at > 0 && { parent }) },
      ]),
    ),
  });

  it('renames top-level duplicates and keeps inner names', () => {
    const { folders, version } = mergeFolders(tree(2, 1), tree(2, 10, 10));
    expect([version, folders]).toEqual([
      2,
      {
        1: { name: 'Folder 0' },
        2: { name: 'Folder 1' },
        10: { name: 'Folder 0 (2)' },
        11: { name: 'Folder 1', parent: 10 },
      },
    ]);
  });

  it('omits the innermost folders beyond the limit', () => {
    const { folders } = mergeFolders(tree(maxFolders - 2, 1), tree(5, 1_000, 1_000));
    expect(Object.keys(folders)).toHaveLength(maxFolders);
    expect(folders[1_000]).toBeDefined();
    expect(folders[1_004]).toBeUndefined();
  });
});
