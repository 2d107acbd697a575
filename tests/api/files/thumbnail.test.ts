import { describe, expect, it } from 'vitest';
import {
  change,
  look,
  made,
  madeFolder,
  madeWithThumbnail,
  newManager,
  newOwner,
  newReader,
  png,
  presign,
  purge,
  remove,
  restore,
  setThumbnail,
  share,
  thumbnail,
  unshare,
} from '../../support/files/files.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { removeUser } from '../../support/users/administration.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann, bob, max } = usePeople({ ann: newOwner, bob: newReader, max: newManager });

const maxBytes = 12 * 1024;
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(100)]);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100)]);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const isStored = async (id: number): Promise<boolean> =>
  (await itemsOf(`FILE#${id}`)).some(({ pk, sk }) => pk === `FILE#${id}` && sk === 'THUMBNAIL');

describe('PUT /api/files/{id}/thumbnail', () => {
  it('stores what its owner sends, and says so in the file', async () => {
    const id = await made(ann, { name: 'dot.png' }, png);
    expect((await look(ann, id)).body.data.hasThumbnail).toBe(false);
    expect((await thumbnail(ann, id)).status).toBe(404);
    const { status, body } = await setThumbnail(ann, id);
    expect([status, body.data.hasThumbnail]).toEqual([200, true]);
    expect((await look(ann, id)).body.data.hasThumbnail).toBe(true);
  });

  it('replaces it, whichever of WebP, JPEG and PNG it is', async () => {
    const id = await madeWithThumbnail(ann);
    for (const [type, bytes] of [
      ['image/webp', webp],
      ['image/jpeg', jpeg],
      ['image/png', png],
    ] as const) {
      expect((await setThumbnail(ann, id, base64(bytes))).status).toBe(200);
      expect((await thumbnail(ann, id)).headers).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it.each([
    ['nothing', undefined, 'is required'],
    ['no base64', 'x y', 'must be base64'],
    ['an SVG', base64(Buffer.from(svg)), 'must be a WebP, JPEG or PNG'],
    ['no picture', base64(Buffer.from('Hello')), 'must be a WebP, JPEG or PNG'],
    [
      'too much',
      base64(Buffer.concat([png, Buffer.alloc(maxBytes)])),
      'must be at most 16384 characters, which is 12 KB',
    ],
  ])('refuses %s and keeps what there is', async (_, image, message) => {
    const id = await madeWithThumbnail(ann);
    const before = (await thumbnail(ann, id)).headers['etag'];
    const { status, body } = await setThumbnail(ann, id, image ?? null);
    expect([status, body.error.details[0].field]).toEqual([400, 'image']);
    if (image !== undefined) expect(body.error.details[0].message).toBe(message);
    expect((await thumbnail(ann, id)).headers['etag']).toBe(before);
  });

  it('takes one of exactly 12 KB', async () => {
    const id = await made(ann, { name: 'dot.png' }, png);
    const full = Buffer.concat([png, Buffer.alloc(maxBytes - png.length)]);
    expect((await setThumbnail(ann, id, base64(full))).status).toBe(200);
  });

  it('refuses files that are no images, SVG, folders and unfinished uploads', async () => {
    const text = await made(ann);
    const drawing = await made(ann, { name: 'drawing.svg' }, svg);
    const folder = await madeFolder(ann, 'Photos');
    for (const id of [text, drawing, folder]) {
      expect((await setThumbnail(ann, id)).body.error).toMatchObject({
        code: 'CONFLICT',
        message: 'Only images other than SVG can have a thumbnail.',
      });
      expect(await isStored(id)).toBe(false);
    }
    const { id } = (await presign(ann, { name: 'dot.png', size: 5 })).body.data;
    expect((await setThumbnail(ann, id)).status).toBe(404);
  });

  it('is for the owner only', async () => {
    const id = await made(ann, { name: 'dot.png' }, png);
    await share(ann, id, [bob.id]);
    const other = await newOwner('Olga Other');
    await share(ann, id, [other.id]);
    expect((await setThumbnail(bob, id)).status).toBe(403);
    expect((await setThumbnail(other, id)).status).toBe(404);
    expect((await setThumbnail(max, id)).status).toBe(404);
    expect(await isStored(id)).toBe(false);
  });
});

describe('GET /api/files/{id}/thumbnail', () => {
  it('is for those who can read the file', async () => {
    const id = await madeWithThumbnail(ann);
    const see = async () => (await thumbnail(bob, id)).status;
    expect(await see()).toBe(404);
    await share(ann, id, [bob.id]);
    expect(await see()).toBe(200);
    await unshare(ann, id, [bob.id]);
    expect(await see()).toBe(404);
    await change(ann, id, { visibility: 'everyone' });
    expect(await see()).toBe(200);
    expect((await thumbnail(max, id)).status).toBe(200);
    expect((await look(bob, id)).body.data.hasThumbnail).toBe(true);
  });

  it('keeps it in the browser for a day, and sends nothing again if it is the same', async () => {
    const id = await madeWithThumbnail(ann);
    const { headers, body } = await thumbnail(ann, id);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=86400',
      vary: 'authorization, cookie',
    });
    const again = await thumbnail(ann, id, { 'if-none-match': headers['etag'] });
    expect([again.status, again.body || '']).toEqual([304, '']);
    expect(again.headers['etag']).toBe(headers['etag']);
    expect(body).toBeTruthy();
    await setThumbnail(ann, id, base64(webp));
    expect((await thumbnail(ann, id, { 'if-none-match': headers['etag'] })).status).toBe(200);
  });

  it('hides it in the trash, and shows it again once restored', async () => {
    const id = await madeWithThumbnail(ann);
    await remove(ann, id);
    expect((await thumbnail(ann, id)).status).toBe(404);
    expect((await restore(ann, id)).body.data.hasThumbnail).toBe(true);
    expect((await thumbnail(ann, id)).status).toBe(200);
  });
});

describe('a file that is deleted', () => {
  it('takes its thumbnail along, from the trash', async () => {
    const id = await madeWithThumbnail(ann);
    await remove(ann, id);
    expect(await isStored(id)).toBe(true);
    expect((await purge(ann, id)).status).toBe(200);
    expect(await isStored(id)).toBe(false);
  });

  it('takes its thumbnail along with its owner', async () => {
    const admin = await newUserOf('super_admin');
    const owner = await newOwner('Otto Owner');
    const ids = [await madeWithThumbnail(owner), await madeWithThumbnail(owner)] as const;
    await remove(owner, ids[1]);
    await removeUser(admin, owner.id);
    expect(await Promise.all(ids.map(isStored))).toEqual([false, false]);
  });

  it('keeps its thumbnail with another owner', async () => {
    const admin = await newUserOf('super_admin');
    const owner = await newOwner('Otto Owner');
    const id = await madeWithThumbnail(owner);
    await removeUser(admin, owner.id, ann.id);
    expect((await thumbnail(ann, id)).status).toBe(200);
  });
});
