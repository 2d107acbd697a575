import { describe, expect, it } from 'vitest';
import {
  change,
  listed,
  look,
  made,
  madeFolder,
  makeFolder,
  namesIn,
  newManager,
  newOwner,
  remove,
  upload,
  usage,
} from '../../support/files/files.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useBucket();

const { ann } = useNewPeople({ ann: newOwner });

const conflict = (field: string, detail: string, message: string) => ({
  status: 409,
  body: { error: { code: 'CONFLICT', message, details: [{ field, message: detail }] } },
});
const nameTaken = conflict(
  'name',
  'is already used by another folder',
  'A folder with this name already exists.',
);

const pathOf = async (id: number): Promise<string> => (await look(ann, id)).body.data.path;

describe('POST /api/files/folders', () => {
  it('creates a folder, which is listed with the files and uses no storage', async () => {
    const { status, body } = await makeFolder(ann, { name: ' Photos ' });
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({
        name: 'Photos',
        type: 'folder',
        mimeType: null,
        size: 0,
        path: '/Photos',
        folder: null,
        checksum: null,
        version: 1,
      }),
    ]);
    expect(await listed(ann)).toEqual({ ids: [body.data.id], total: 1 });
    expect(await usage(ann)).toMatchObject({ used: 0, files: 0 });
  });

  it('creates nested folders with unique names in each', async () => {
    await madeFolder(ann, 'Photos');
    const inner = await madeFolder(ann, '2026', 'Photos');
    expect(await pathOf(inner)).toBe('/Photos/2026');
    await madeFolder(ann, 'Photos', 'Photos/2026');
    expect(await makeFolder(ann, { name: 'Photos' })).toMatchObject(nameTaken);
    expect(await makeFolder(ann, { name: '2026', folder: '/Photos' })).toMatchObject(nameTaken);
    expect((await makeFolder(await newOwner(), { name: 'Photos' })).status).toBe(201);
  });

  it('creates one of two concurrent folders with the same name', async () => {
    const responses = await Promise.all(
      Array.from({ length: 3 }, () => makeFolder(ann, { name: 'Once' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const many = await Promise.all(
      Array.from({ length: 4 }, (_, at) => makeFolder(ann, { name: `Folder ${at}` })),
    );
    expect(many.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await listed(ann)).total).toBe(5);
  });

  it('creates up to ten levels of folders', async () => {
    const names: string[] = [];
    for (let depth = 0; depth < 10; depth++) {
      await madeFolder(ann, 'in', names.join('/'));
      names.push('in');
    }
    expect(await makeFolder(ann, { name: 'in', folder: names.join('/') })).toMatchObject(
      conflict(
        'folder',
        'must be nested at most 10 levels deep',
        'Folders can be nested 10 levels deep.',
      ),
    );
  });

  it.each([
    [{ name: 'a/b' }, 'name'],
    [{ name: '..' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: undefined }, 'name'],
    [{ name: 'x', folder: 'Nowhere' }, 'folder'],
  ])('rejects %j', async (body, field) => {
    const response = await makeFolder(ann, body);
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
  });
});

describe('folder', () => {
  it('is renamed and moved with its contents', async () => {
    const [photos, year] = [
      await madeFolder(ann, 'Photos'),
      await madeFolder(ann, '2026', 'Photos'),
    ];
    await madeFolder(ann, 'Archive');
    const file = await made(ann, { name: 'a.txt', folder: 'Photos/2026' });
    expect((await change(ann, photos, { name: 'Pictures' })).body.data.path).toBe('/Pictures');
    expect(await pathOf(file)).toBe('/Pictures/2026/a.txt');
    const moved = await change(ann, year, { folder: 'Archive', name: 'Last year' });
    expect(moved.body.data.path).toBe('/Archive/Last year');
    expect(await pathOf(file)).toBe('/Archive/Last year/a.txt');
    expect(await namesIn(ann, { folder: 'Archive/Last year' })).toEqual(['a.txt']);
    expect((await look(ann, file)).body.data.version).toBe(1);
    expect((await change(ann, year, { folder: null })).body.data.path).toBe('/Last year');
    expect(await namesIn(ann, { folder: '/', sort: 'name' })).toEqual([
      'Archive',
      'Last year',
      'Pictures',
    ]);
  });

  it('rejects a name of more than 100 characters, so that 500 folders fit into one item', async () => {
    const folder = await madeFolder(ann, 'Photos');
    const refused = await change(ann, folder, { name: 'x'.repeat(101) });
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ field: 'name', message: 'must be at most 100 characters for a folder' }],
    ]);
    expect((await change(ann, folder, { name: 'x'.repeat(100) })).status).toBe(200);
  });

  it('can’t be moved into itself, to a name in use or too deep', async () => {
    const [a, b] = [await madeFolder(ann, 'A'), await madeFolder(ann, 'B', 'A')];
    const itself = conflict(
      'folder',
      'must not be in the folder itself',
      'A folder can’t be moved into itself.',
    );
    expect(await change(ann, a, { folder: 'A' })).toMatchObject(itself);
    expect(await change(ann, a, { folder: 'A/B' })).toMatchObject(itself);
    await madeFolder(ann, 'B');
    expect(await change(ann, b, { folder: null })).toMatchObject(nameTaken);
    expect(await change(ann, a, { name: 'B' })).toMatchObject(nameTaken);
    const names: string[] = [];
    for (let depth = 0; depth < 9; depth++) {
      await madeFolder(ann, 'deep', names.join('/'));
      names.push('deep');
    }
    expect(await change(ann, a, { folder: names.join('/') })).toMatchObject(
      conflict(
        'folder',
        'must be nested at most 10 levels deep',
        'Folders can be nested 10 levels deep.',
      ),
    );
  });

  it('can’t be moved into a folder that is concurrently moved into it', async () => {
    for (let round = 0; round < 4; round++) {
      const names = [`A${round}`, `B${round}`] as const;
      const [a, b] = [await madeFolder(ann, names[0]), await madeFolder(ann, names[1])];
      const responses = await Promise.all([
        change(ann, a, { folder: names[1] }),
        change(ann, b, { folder: names[0] }),
      ]);
      // The one that comes second finds the other's path gone, or itself in it.
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('is deleted only if empty', async () => {
    const folder = await madeFolder(ann, 'Full');
    const file = await made(ann, { folder: 'Full' });
    const full = 'The folder is not empty. Move or delete its contents first.';
    const refused = await remove(ann, folder);
    expect([refused.status, refused.body.error.message]).toEqual([409, full]);
    await change(ann, file, { folder: null });
    expect((await remove(ann, folder)).status).toBe(200);
    expect((await look(ann, folder)).status).toBe(404);
    expect((await upload(ann, 'x', { folder: 'Full' })).status).toBe(400);
    expect(await itemsOf(`FILE#${folder}`)).toEqual([]);
    expect((await listed(ann)).ids).toEqual([file]);
    const again = await madeFolder(ann, 'Full');
    const inner = await madeFolder(ann, 'Inner', 'Full');
    expect((await remove(ann, again)).status).toBe(409);
    await remove(ann, inner);
    expect((await remove(ann, again)).status).toBe(200);
  });

  it('is either deleted or filled by concurrent requests', async () => {
    for (let round = 0; round < 4; round++) {
      const folder = await madeFolder(ann, 'Race');
      const [removed, put] = await Promise.all([
        remove(ann, folder),
        upload(ann, 'x', { folder: 'Race' }),
      ]);
      expect([removed.status, put.status]).toEqual(
        removed.status === 200 ? [200, 400] : [409, 201],
      );
      if (put.status !== 201) continue;
      expect(await pathOf(put.body.data.id)).toBe('/Race/file.bin');
      await remove(ann, put.body.data.id);
      expect((await remove(ann, folder)).status).toBe(200);
    }
  });

  it('can’t be downloaded', async () => {
    const folder = await madeFolder(ann, 'Photos');
    const { download } = await import('../../support/files/files.ts');
    expect((await download(ann, folder)).status).toBe(409);
  });

  it('of another user is changed by managers within the owner’s folders', async () => {
    const [folder, manager] = [await madeFolder(ann, 'Mine'), await newManager()];
    const inner = await madeFolder(ann, 'Inner', 'Mine');
    expect((await change(manager, inner, { name: 'Renamed' })).body.data.path).toBe(
      '/Mine/Renamed',
    );
    expect((await change(manager, inner, { folder: '/' })).body.data.path).toBe('/Renamed');
    expect((await remove(manager, folder)).status).toBe(200);
    expect(await namesIn(ann, { folder: '/' })).toEqual(['Renamed']);
  });
});
