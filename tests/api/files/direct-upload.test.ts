import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadBucket } from '../../../shared/storage/bucket.ts';
import {
  complete,
  type Form,
  fetchFile,
  listed,
  look,
  madeFolder,
  newManager,
  newOwner,
  png,
  presign,
  purge,
  remove,
  sendForm,
  sha256,
  trashed,
  upload,
  uploadDirect,
  usage,
} from '../../support/files/files.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { textOf, useBucket } from '../../support/s3/local-s3.ts';
import { instead } from '../../support/service/interruption.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const minuteMs = 60_000;

beforeAll(() => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '2d');
  return () => {
    vi.unstubAllEnvs();
  };
});
const { ann, bob } = useNewPeople({ ann: newOwner, bob: () => newOwner('Bob Owner') });
afterEach(() => {
  vi.restoreAllMocks();
});

const missing = { status: 404, body: { error: { code: 'NOT_FOUND' } } };
const bytes = Buffer.from('The bytes that were announced.');
const size = bytes.length;

interface Begun extends Form {
  readonly id: number;
  readonly key: string;
}

/** An upload that was announced. */
const begin = async (person: Person, fields: object = {}): Promise<Begun> => {
  const { status, body } = await presign(person, { size, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...body.data, key: body.data.fields.key };
};

const objectOf = async (id: number): Promise<string> =>
  String((await itemsOf(`FILE#${id}`)).find(({ sk }) => sk === 'FILE')?.['object']);

describe('POST /api/files/presign', () => {
  it('signs a form for one object, size and type, valid for 15 minutes', async () => {
    const { status, body, headers } = await presign(ann, {
      name: 'Film.mp4',
      size: 5,
      type: 'video/mp4',
      checksum: sha256(Buffer.from('Hello')),
    });
    const { id, url, fields, expiresAt } = body.data;
    expect([status, headers['etag']]).toEqual([201, undefined]);
    expect(url).toBe(`${process.env['AWS_ENDPOINT_URL_S3']}/handbill-test-files`);
    expect(expiresAt).toBe(new Date(Date.now() + 15 * minuteMs).toISOString());
    expect(JSON.parse(Buffer.from(fields.Policy, 'base64').toString())).toEqual({
      expiration: '2026-11-10T12:15:00Z',
      conditions: expect.arrayContaining([
        ['content-length-range', 5, 5],
        { key: expect.stringMatching(/^uploads\/[\w-]{22}$/) },
        { bucket: 'handbill-test-files' },
        { 'Content-Type': 'video/mp4' },
        { 'x-amz-checksum-sha256': 'GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=' },
      ]),
    });
    expect(await look(ann, id)).toMatchObject(missing);
    expect((await listed(ann)).total).toBe(0);
    expect(await usage(ann)).toMatchObject({ used: 5, files: 0 });
  });

  it('accepts a checksum in base64 and a repeated request', async () => {
    const body = {
      size: 5,
      checksum: Buffer.from(sha256(Buffer.from('Hello')), 'hex').toString('base64'),
    };
    const key = { 'idempotency-key': 'presign-1' };
    const [first, second] = [await presign(ann, body, key), await presign(ann, body, key)];
    expect(second.body.data).toEqual(first.body.data);
    expect(await sendForm(second.body.data, 'Hello')).toBe(201);
    expect((await complete(ann, first.body.data.id)).status).toBe(200);
    expect(await usage(ann)).toMatchObject({ used: 5, files: 1 });
  });

  it.each([
    [{ size: undefined }, 400, 'size'],
    [{ size: -1 }, 400, 'size'],
    [{ size: 1.5 }, 400, 'size'],
    [{ size: '5' }, 400, 'size'],
    [{ size: 1024 ** 3 + 1 }, 413, 'size'],
    [{ name: '../x' }, 400, 'name'],
    [{ name: 'x'.repeat(1_000) }, 400, 'name'],
    [{ name: 'a\u0000' }, 400, 'name'],
    [{ type: 'text/html\r\nX: y' }, 400, 'type'],
    [{ type: 'html' }, 400, 'type'],
    [{ checksum: 'abc' }, 400, 'checksum'],
    [{ folder: 'Nowhere' }, 400, 'folder'],
  ])('rejects %j with %i', async (body, status, field) => {
    const response = await presign(ann, { size: 5, ...body });
    expect([response.status, response.body.error.details[0].field]).toEqual([status, field]);
    expect((await usage(ann)).used).toBe(0);
  });
});

describe('upload form', () => {
  it('accepts only content of the announced size and checksum', async () => {
    const form = await begin(ann, { checksum: sha256(bytes) });
    expect(await sendForm(form, bytes.subarray(1))).toBe(400);
    expect(await sendForm(form, Buffer.concat([bytes, bytes]))).toBe(400);
    expect(await sendForm(form, Buffer.alloc(size, 7))).toBe(400);
    expect((await complete(ann, form.id)).status).toBe(409);
    expect(await sendForm(form, bytes)).toBe(201);
    expect((await complete(ann, form.id)).status).toBe(200);
  });

  it.each([
    ['another key', { key: 'files/of-another-user' }],
    ['a text of ours', { key: 'texts/DOCUMENT/1/x/content' }],
    ['another type', { 'Content-Type': 'text/html' }],
    ['another policy', { Policy: Buffer.from('{"conditions":[]}').toString('base64') }],
    ['another signature', { 'X-Amz-Signature': '0'.repeat(64) }],
    ['a field more', { 'x-amz-meta-note': 'x' }],
  ])('rejects %s', async (_, fields) => {
    const form = await begin(ann, { type: 'image/png' });
    expect(await sendForm({ ...form, fields: { ...form.fields, ...fields } }, bytes)).toBe(403);
    expect(await textOf(form.key)).toBeUndefined();
  });

  it('rejects the key of another user’s upload', async () => {
    const [ours, theirs] = [await begin(ann), await begin(bob)];
    const mixed = { ...ours, fields: { ...ours.fields, key: theirs.key } };
    expect(await sendForm(mixed, bytes)).toBe(403);
    expect(await textOf(theirs.key)).toBeUndefined();
  });

  it('expires', async () => {
    const form = await begin(ann);
    pass(15 * minuteMs + 1_000);
    expect(await sendForm(form, bytes)).toBe(403);
    expect((await complete(ann, form.id)).status).toBe(409);
  });

  it('changes nothing after the file is complete', async () => {
    const form = await begin(ann);
    await sendForm(form, bytes);
    expect((await complete(ann, form.id)).status).toBe(200);
    expect(await sendForm(form, Buffer.alloc(size, 7))).toBe(201);
    const again = await complete(ann, form.id);
    expect(again.body.data).toMatchObject({ checksum: sha256(bytes), version: 2 });
    expect((await fetchFile(ann, form.id)).bytes.equals(bytes)).toBe(true);
    // Its object is deleted once the form has expired.
    pass(8 * 60 * minuteMs);
    await runMinute();
    expect(await textOf(form.key)).toBeUndefined();
    expect((await fetchFile(ann, form.id)).bytes.equals(bytes)).toBe(true);
    expect(await itemsOf('DELETIONS')).toEqual([]);
  });
});

describe('POST /api/files/{id}/complete', () => {
  it('creates the file once for repeated requests and leaves no other object', async () => {
    const form = await begin(ann, { name: 'Photo.png' });
    await sendForm(form, bytes);
    const responses = await Promise.all(Array.from({ length: 4 }, () => complete(ann, form.id)));
    for (const { status, body } of responses) {
      expect([status, body.data]).toEqual([200, responses[0]?.body.data]);
    }
    expect((await complete(ann, form.id)).body).toEqual(responses[0]?.body);
    expect(responses[0]?.body).toEqual({
      success: true,
      message: 'Uploaded',
      data: expect.objectContaining({
        id: form.id,
        name: 'Photo.png',
        type: 'document',
        mimeType: 'text/plain',
        size,
        checksum: sha256(bytes),
        version: 2,
      }),
    });
    expect(await usage(ann)).toMatchObject({ used: size, files: 1 });
    expect(await listed(ann)).toEqual({ ids: [form.id], total: 1 });
    expect(await textOf(form.key)).toBeUndefined();
    const object = await objectOf(form.id);
    for (const { key } of await itemsOf('DELETIONS')) {
      expect(key).not.toBe(object);
      expect(await textOf(String(key))).toBeUndefined();
    }
  });

  it('returns 409 before the upload', async () => {
    const form = await begin(ann);
    const response = await complete(ann, form.id);
    expect([response.status, response.body.error.message]).toEqual([409, 'Upload the file first.']);
    expect(await look(ann, form.id)).toMatchObject(missing);
    await sendForm(form, bytes);
    expect((await complete(ann, form.id)).status).toBe(200);
  });

  it('returns 409 if size or checksum differ from the announced ones', async () => {
    // No form allows this, but direct write access to the bucket does.
    const form = await begin(ann, { checksum: sha256(bytes) });
    const put = (Body: Uint8Array) =>
      new S3Client({ forcePathStyle: true }).send(
        new PutObjectCommand({ Bucket: process.env['FILES_BUCKET'], Key: form.key, Body }),
      );
    await put(bytes.subarray(1));
    expect((await complete(ann, form.id)).body.error.message).toBe(
      'Expected 30 bytes but received 29.',
    );
    await put(Buffer.alloc(size, 7));
    expect((await complete(ann, form.id)).body.error.message).toBe('Checksum mismatch.');
    expect(await look(ann, form.id)).toMatchObject(missing);
    expect(await usage(ann)).toMatchObject({ used: size, files: 0 });
  });

  it('checks the copy, despite concurrent uploads', async () => {
    const form = await begin(ann, { type: 'image/png' });
    await sendForm(form, bytes);
    instead((await loadBucket()).client, HeadObjectCommand, async (go) => {
      const found = await go();
      await sendForm(form, Buffer.alloc(size, 7));
      return found;
    });
    const response = await complete(ann, form.id);
    expect([response.status, response.body.error.message]).toEqual([
      409,
      'A new upload is in progress. Try again later.',
    ]);
    vi.restoreAllMocks();
    expect((await complete(ann, form.id)).body.data.checksum).toBe(sha256(Buffer.alloc(size, 7)));
  });

  it('returns 404 to other users', async () => {
    const form = await begin(ann);
    await sendForm(form, bytes);
    for (const other of [bob, await newManager()]) {
      expect(await complete(other, form.id)).toMatchObject(missing);
      expect(await remove(other, form.id)).toMatchObject(missing);
      expect(await look(other, form.id)).toMatchObject(missing);
    }
    expect(await complete(ann, 12_345)).toMatchObject(missing);
    expect((await complete(ann, form.id)).status).toBe(200);
  });

  it('detects the type from the content', async () => {
    const form = await begin(ann, { name: 'x.txt', type: 'text/plain', size: png.length });
    await sendForm(form, png);
    expect((await complete(ann, form.id)).body.data).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
    });
  });

  it('accepts an empty file', async () => {
    const { status, body } = await uploadDirect(ann, '');
    expect([status, body.data.size, body.data.checksum]).toEqual([200, 0, sha256(Buffer.alloc(0))]);
  });

  it('puts the file into its folder, or at the top level if that is gone', async () => {
    const folderId = await madeFolder(ann, 'Films');
    const [kept, lost] = [
      await begin(ann, { folder: 'Films' }),
      await begin(ann, { folder: 'Films' }),
    ];
    await sendForm(kept, bytes);
    await sendForm(lost, bytes);
    expect((await complete(ann, kept.id)).body.data.folder).toBe('Films');
    await remove(ann, kept.id);
    expect((await remove(ann, folderId)).status).toBe(200);
    expect((await complete(ann, lost.id)).body.data.folder).toBeNull();
  });
});

describe('incomplete upload', () => {
  it('can be deleted by its owner, which releases its storage', async () => {
    const form = await begin(ann);
    await sendForm(form, bytes);
    expect((await remove(ann, form.id)).status).toBe(200);
    expect(await textOf(form.key)).toBeUndefined();
    expect(await usage(ann)).toMatchObject({ used: 0, files: 0 });
    expect(await complete(ann, form.id)).toMatchObject(missing);
    expect(await itemsOf(`FILES#UPLOADS#${ann.id}`)).toEqual([]);
  });

  it('is either completed or deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const form = await begin(ann);
      await sendForm(form, bytes);
      const [completed, removed] = await Promise.all([
        complete(ann, form.id),
        remove(ann, form.id),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 404, 409]).toContain(completed.status);
      for (const id of (await trashed(ann)).ids) await purge(ann, id);
      expect(await look(ann, form.id)).toMatchObject(missing);
      expect(await usage(ann)).toMatchObject({ used: 0, files: 0 });
      expect((await listed(ann)).total).toBe(0);
    }
    pass(8 * 60 * minuteMs);
    await runMinute();
    expect(await itemsOf('DELETIONS')).toEqual([]);
  });

  it('expires after six hours with its object and releases its storage', async () => {
    const form = await begin(ann);
    await sendForm(form, bytes);
    pass(6 * 60 * minuteMs - 1_000);
    await runMinute();
    expect((await usage(ann)).used).toBe(size);
    pass(2_000);
    expect(await complete(ann, form.id)).toMatchObject(missing);
    await runMinute();
    expect((await usage(ann)).used).toBe(0);
    expect(await itemsOf(`FILE#${form.id}`)).toEqual([]);
    expect(await itemsOf(`FILES#UPLOADS#${ann.id}`)).toEqual([]);
    pass(60 * minuteMs);
    await runMinute();
    expect(await textOf(form.key)).toBeUndefined();
    expect(await itemsOf('DELETIONS')).toEqual([]);
  });
});

describe('quota', () => {
  beforeAll(() => {
    vi.stubEnv('FILES_QUOTA', '2KB');
  });
  const part = Buffer.alloc(500, 1);

  it('is exact under concurrent uploads of both kinds', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        at % 2 === 0 ? upload(ann, part) : presign(ann, { size: part.length }),
      ),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 201, 201, 413, 413, 413, 413]);
    expect((await usage(ann)).used).toBe(2_000);
    expect((await presign(ann, { size: 48 })).status).toBe(201);
    const full = await upload(ann, 'x');
    expect([full.status, full.body.error]).toMatchObject([
      413,
      {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'Storage quota exceeded: 0 bytes of 2 KB free.',
      },
    ]);
    expect((await upload(ann, '')).status).toBe(201);
    expect((await upload(bob, part)).status).toBe(201);
  });

  it('is released by deletions', async () => {
    const big = await upload(ann, Buffer.alloc(2_000));
    expect((await presign(ann, { size: 1_000 })).status).toBe(413);
    await remove(ann, big.body.data.id);
    expect((await presign(ann, { size: 1_000 })).status).toBe(413);
    await purge(ann, big.body.data.id);
    const form = await begin(ann, { size: 1_500 });
    expect((await upload(ann, part)).status).toBe(201);
    expect((await upload(ann, part)).status).toBe(413);
    await remove(ann, form.id);
    expect((await upload(ann, part)).status).toBe(201);
    expect(await usage(ann)).toEqual({
      used: 1_000,
      trashed: 0,
      submitted: 0,
      quota: 2_048,
      files: 2,
    });
  });
});
