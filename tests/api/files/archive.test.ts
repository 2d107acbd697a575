import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { section } from '../../../functions/api/files/archive.ts';
import { readSection } from '../../support/exports/archive.ts';
import {
  change,
  everyByte,
  made,
  madeFolder,
  newOwner,
  objectKeys,
  png,
  presign,
  remove,
  sha256,
  share,
  uploadDirect,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { bucketName, clientOf, useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';

useTable();
useBucket();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

describe('the files of an archive', () => {
  it('are in their folders, under names that any file system takes', async () => {
    const [ann, bob] = [await newOwner(), await newOwner()];
    await madeFolder(ann, 'Photos');
    await madeFolder(ann, '2026', 'Photos');
    await madeFolder(ann, 'empty');
    await made(ann, { name: 'dot.png', folder: 'Photos/2026' }, png);
    await made(ann, { name: 'a: b?.txt' }, 'One');
    await made(ann, { name: 'A.txt' }, 'Two');
    pass(1);
    const public_ = await made(ann, { name: 'a.txt' }, 'Three');
    await change(ann, public_, { visibility: 'everyone', isFavorite: true });
    await made(ann, { name: 'photos' }, 'No folder');
    await share(bob, await made(bob, { name: 'bob.txt' }), [ann.id]);
    await presign(ann, { size: 5, name: 'unfinished.txt' });
    const archive = await readSection(section, ann);
    const { folders, files } = archive.json('files.json');
    expect(folders).toEqual(['Photos', 'Photos/2026', 'empty']);
    expect(archive.paths).toEqual([
      ...files.map(({ path }: { path: string }) => path),
      'files.json',
    ]);
    const shown = files.map(
      ({ path, name, folder }: { path: string; name: string; folder: string | null }) =>
        [path, name, folder, archive.text(path)] as const,
    );
    expect(shown).toEqual([
      ['files/A.txt', 'A.txt', null, 'Two'],
      ['files/a (2).txt', 'a.txt', null, 'Three'],
      ['files/a- b-.txt', 'a: b?.txt', null, 'One'],
      ['files/photos (2)', 'photos', null, 'No folder'],
      ['files/Photos/2026/dot.png', 'dot.png', 'Photos/2026', png.toString()],
    ]);
    expect(files[1]).toMatchObject({
      ...{ size: 5, checksum: sha256(Buffer.from('Three')), visibility: 'everyone' },
      ...{ isFavorite: true, sharedWith: [], mimeType: 'text/plain', id: public_ },
    });
    expect(archive.compressed).toEqual(['files/Photos/2026/dot.png']);
  });

  it('are read in parts, to the last byte', async () => {
    const ann = await newOwner();
    const bytes = Buffer.concat([...Array.from({ length: 9 }, everyByte), Buffer.from('end')]);
    await uploadDirect(ann, bytes, { name: 'large.bin' });
    await made(ann, { name: 'empty.txt' }, '');
    const archive = await readSection(section, ann);
    expect(sha256(archive.bytes('files/large.bin'))).toBe(sha256(bytes));
    expect(archive.bytes('files/empty.txt')).toHaveLength(0);
  });

  it('include the trash, and say what is no longer there', async () => {
    const ann = await newOwner();
    const id = await made(ann, { name: 'old.txt' }, 'Old');
    await remove(ann, id);
    const kept = await objectKeys();
    await made(ann, { name: 'lost.txt' }, 'Lost');
    for (const Key of (await objectKeys()).filter((key) => !kept.includes(key))) {
      await clientOf().send(new DeleteObjectCommand({ Bucket: bucketName(), Key }));
    }
    const archive = await readSection(section, ann);
    expect(archive.paths).toEqual([`trash/files/${id}-old.txt`, 'files.json']);
    expect(archive.json('files.json').files).toMatchObject([
      { name: 'old.txt', deletedAt: new Date().toISOString() },
    ]);
    expect(archive.leftOut).toEqual(['files/lost.txt: it was deleted meanwhile.']);
  });

  it('are an empty list of a user who has none', async () => {
    const archive = await readSection(section, await newOwner());
    expect(archive.json('files.json')).toEqual({ folders: [], files: [] });
  });
});
