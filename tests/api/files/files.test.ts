import { describe, expect, it } from 'vitest';
import {
  change,
  erase,
  everyByte,
  fetchFile,
  listed,
  look,
  made,
  madeFolder,
  makeFolder,
  newManager,
  newOwner,
  newReader,
  purge,
  remove,
  sha256,
  share,
  unshare,
  upload,
  usage,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();

const { ann, bob, rea, manager } = usePeople({
  ann: newOwner,
  bob: () => newOwner('Bob Owner'),
  rea: newReader,
  manager: newManager,
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const missing = { status: 404, body: { error: { code: 'NOT_FOUND', details: [] } } };

describe('POST /api/files/upload', () => {
  it('stores any bytes and returns the file', async () => {
    const bytes = everyByte();
    const { status, body, headers } = await upload(ann, bytes, { name: 'every byte.bin' });
    const { data } = body;
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        message: 'Uploaded',
        data: {
          id: expect.any(Number),
          name: 'every byte.bin',
          type: 'other',
          mimeType: 'application/octet-stream',
          size: bytes.length,
          path: '/every byte.bin',
          folder: null,
          isFavorite: false,
          owner: 'Ann Owner',
          owner_id: ann.id,
          visibility: 'private',
          sharedWith: [],
          actions: ['manage', 'delete'],
          hasThumbnail: false,
          status: 'ready',
          checksum: sha256(bytes),
          createdAt: time,
          updatedAt: data.createdAt,
          version: 1,
        },
      },
    });
    expect(headers['etag']).toMatch(/^"1-/);
    const read = await fetchFile(ann, data.id);
    expect([read.status, sha256(read.bytes)]).toEqual([200, sha256(bytes)]);
    expect((await look(ann, data.id)).body.data).toEqual(data);
    expect((await erase(ann, data.id)).status).toBe(200);
  });

  it('accepts an empty file and one of 4 MB', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(4 * 1024 ** 2, 7)]) {
      const { status, body } = await upload(ann, bytes);
      expect([status, body.data?.size]).toEqual([201, bytes.length]);
      const read = await fetchFile(ann, body.data.id);
      expect([read.status, read.bytes.equals(bytes)]).toEqual([200, true]);
      await erase(ann, body.data.id);
    }
  });

  it('rejects more than 4 MB and names the direct upload', async () => {
    const { status, body } = await upload(ann, Buffer.alloc(4 * 1024 ** 2 + 1));
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(body.error.message).toContain('POST /api/files/presign');
  });

  it('puts the file only into folders of its owner', async () => {
    await madeFolder(ann, 'Uploads');
    await madeFolder(bob, "Bob's");
    const { body } = await upload(ann, 'x', { name: 'x.txt', folder: '/Uploads/' });
    expect(body.data).toMatchObject({ folder: 'Uploads', path: '/Uploads/x.txt' });
    for (const folder of ["Bob's", 'uploads', 'Uploads/x']) {
      const response = await upload(ann, 'x', { folder });
      const details = [{ field: 'folder', message: 'must be the path of one of your folders' }];
      expect([response.status, response.body.error.details]).toEqual([400, details]);
    }
  });

  it('rejects other bytes with the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'upload-1' };
    expect((await upload(ann, 'once', {}, key)).status).toBe(201);
    expect((await upload(ann, 'other', {}, key)).status).toBe(422);
  });
});

describe('PUT /api/files/{id}', () => {
  it('changes only the fields that are sent', async () => {
    const id = await made(ann, { name: 'one.txt' });
    await madeFolder(ann, 'Moved');
    const { data: before } = (await look(ann, id)).body;
    const renamed = await change(ann, id, { name: ' two.txt ', color: 'red' });
    expect(renamed.body.data).toEqual({
      ...before,
      name: 'two.txt',
      path: '/two.txt',
      updatedAt: time,
      version: 2,
    });
    const { data } = (await change(ann, id, { folder: 'Moved', isFavorite: true })).body;
    expect(data).toMatchObject({ path: '/Moved/two.txt', folder: 'Moved', isFavorite: true });
    const back = (await change(ann, id, { folder: '', isFavorite: null })).body;
    expect(back.data).toMatchObject({ path: '/two.txt', folder: null, isFavorite: false });
  });

  it.each([
    [{ name: '' }, 'name', 'must not be empty'],
    [{ name: null }, 'name', 'must be a string'],
    [{ size: 1 }, 'size', expect.stringContaining('is read-only')],
    [{ path: '/x' }, 'path', 'is changed by name and folder'],
    [{ name: 'a/b' }, 'name', 'must not contain slashes'],
    [{ name: '..' }, 'name', 'must not be . or ..'],
    [{ name: 'x'.repeat(256) }, 'name', 'must be at most 255 characters'],
    [{ name: 'a\r\nb' }, 'name', 'must be one line without control characters'],
    [{ name: 'a\u0000b' }, 'name', 'must be one line without control characters'],
    [{ name: 'gpj.\u202eexe' }, 'name', 'must not contain bidirectional control characters'],
    [{ name: 'a\ud800' }, 'name', 'must be well-formed Unicode'],
    [{ folder: 'Nowhere' }, 'folder', 'must be the path of one of your folders'],
    [{ visibility: 'public' }, 'visibility', 'must be one of private, everyone'],
    [{ sharedWith: [12_345] }, 'sharedWith', 'contains unknown users: 12345'],
    [{ sharedWith: [1.5] }, 'sharedWith.0', 'must be the id of a user'],
    [
      { sharedWith: Array.from({ length: 21 }, (_, at) => at + 1) },
      'sharedWith',
      'must contain at most 20 users',
    ],
    [{ isFavorite: 'yes' }, 'isFavorite', expect.any(String)],
  ])('rejects %j for %s', async (body, field, message) => {
    const id = await made(ann);
    const response = await change(ann, id, body);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
  });
});

describe('DELETE /api/files/trash/{id}', () => {
  it('deletes the object before responding, so signed URLs stop working', async () => {
    const id = await made(ann);
    const [item] = await itemsOf(`FILE#${id}`);
    const key = String(item?.['object']);
    const { headers } = await call('GET /api/files/{id}/download', {
      token: ann.token,
      params: { id: String(id) },
    });
    expect(await textOf(key)).toBe('Hello');
    await remove(ann, id);
    expect(await textOf(key)).toBe('Hello');
    const response = await purge(ann, id);
    expect(response.body).toEqual({ success: true, data: { id }, message: 'Permanently deleted' });
    expect(await textOf(key)).toBeUndefined();
    expect((await fetch(headers['location'] ?? '')).status).toBe(404);
    for (const again of [look, remove, purge]) expect(await again(ann, id)).toMatchObject(missing);
    expect(await change(ann, id, { name: 'Back' })).toMatchObject(missing);
    expect(await itemsOf(`FILE#${id}`)).toEqual([]);
  });

  it('releases the storage of the file', async () => {
    const before = await usage(ann);
    const id = await made(ann, {}, 'x'.repeat(1_000));
    expect(await usage(ann)).toEqual({
      ...before,
      used: before.used + 1_000,
      files: before.files + 1,
    });
    await remove(ann, id);
    const responses = await Promise.all([purge(ann, id), purge(ann, id), purge(ann, id)]);
    expect(responses.map(({ status }) => status)).toContain(200);
    expect(responses.every(({ status }) => status === 200 || status === 404)).toBe(true);
    expect(await usage(ann)).toEqual(before);
  });
});

describe('access to a file', () => {
  it('lets owner, managers and readers view it', async () => {
    const id = await made(ann, { name: 'Shown.txt' });
    for (const person of [bob, rea]) expect(await look(person, id)).toMatchObject(missing);
    expect((await look(manager, id)).body.data).toMatchObject({ owner: 'Ann Owner' });
    await change(ann, id, { sharedWith: [rea.id, bob.id, ann.id, rea.id], isFavorite: true });
    expect((await look(ann, id)).body.data.sharedWith).toEqual([rea.id, bob.id]);
    expect((await look(rea, id)).body.data).toMatchObject({
      sharedWith: [rea.id],
      isFavorite: false,
    });
    expect((await fetchFile(rea, id)).bytes.toString()).toBe('Hello');
    await change(ann, id, { sharedWith: [rea.id] });
    expect(await look(bob, id)).toMatchObject(missing);
    await change(ann, id, { visibility: 'everyone' });
    expect((await look(bob, id)).body.data.sharedWith).toEqual([]);
    expect((await listed(bob)).ids).toContain(id);
    await change(ann, id, { visibility: 'private', sharedWith: null });
    for (const person of [bob, rea]) expect(await look(person, id)).toMatchObject(missing);
  });

  it('lets only its owner mark it as a favorite', async () => {
    const id = await made(ann, { name: 'Mine.txt' });
    expect((await change(rea, id, { name: 'x' })).status).toBe(403);
    const marked = await change(manager, id, { isFavorite: true });
    expect([marked.status, marked.body.error.details[0].field]).toEqual([400, 'isFavorite']);
    await erase(manager, id);
  });

  it('hides its owner’s folders from others', async () => {
    await madeFolder(ann, 'Secret plans');
    const id = await made(ann, { name: 'x', folder: 'Secret plans' });
    await change(ann, id, { visibility: 'everyone' });
    expect((await look(bob, id)).body.data).toMatchObject({ folder: null, path: '/x' });
    const path = '/Secret plans/x';
    expect((await look(manager, id)).body.data).toMatchObject({ folder: 'Secret plans', path });
    await remove(ann, id);
  });

  it('logs all changes in the audit', async () => {
    const id = await made(ann, { name: 'Audited.txt' });
    for (const act of [
      () => change(ann, id, { name: 'Renamed.txt' }),
      () => share(ann, id, [rea.id]),
      () => share(ann, id, [rea.id]),
      () => unshare(manager, id, [rea.id]),
      () => remove(ann, id),
    ]) {
      pass(1);
      await act();
    }
    const entries = await entriesAbout(`file:${id}`);
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toMatchObject([
      { action: 'file.upload', before: undefined, after: { name: 'Audited.txt', size: 5 } },
      {
        action: 'file.update',
        before: { name: 'Audited.txt' },
        after: { name: 'Renamed.txt' },
      },
      { action: 'file.share', before: { sharedWith: [] }, after: { sharedWith: [rea.id] } },
      { action: 'file.unshare', before: { sharedWith: [rea.id] }, after: { sharedWith: [] } },
      { action: 'file.delete', before: { status: 'ready' }, after: { status: 'trashed' } },
    ]);
  });

  it('can’t be public if it is a folder', async () => {
    const { status, body } = await makeFolder(ann, { name: 'x', visibility: 'everyone' });
    expect([status, body.data.visibility]).toEqual([201, 'private']);
    const shared = await change(ann, body.data.id, { visibility: 'everyone' });
    expect([shared.status, shared.body.error.details[0].field]).toEqual([400, 'visibility']);
  });
});
