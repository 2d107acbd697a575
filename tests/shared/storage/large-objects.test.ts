import { randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { loadBucket } from '../../../shared/storage/bucket.ts';
import { ObjectChanged, streamObject } from '../../../shared/storage/stream-object.ts';
import { uploadStream } from '../../../shared/storage/upload-stream.ts';
import { clientOf, head, put, read, remove, textOf, useBucket } from '../../support/s3/local-s3.ts';

useBucket();

const megabyte = 1024 * 1024;

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const readAll = async (key: string): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of (await streamObject(key))?.content ?? []) pieces.push(piece);
  return Buffer.concat(pieces);
};

describe('uploadStream', () => {
  it.each([
    ['nothing', 0],
    ['less than a part', 1_000],
    ['a part', 8 * megabyte],
    ['several parts', 17 * megabyte + 5],
    ['several whole parts', 16 * megabyte],
  ])('stores %s as it was given', async (name, size) => {
    const bytes = randomBytes(size);
    expect(await uploadStream(name, piecesOf(bytes, 700_001), 'application/zip')).toBe(size);
    expect((await readAll(name)).equals(bytes)).toBe(true);
    expect(await head(name)).toMatchObject({ ContentType: 'application/zip', ContentLength: size });
  });

  it('leaves nothing if the pieces end with an error', async () => {
    const failing = async function* () {
      yield* piecesOf(randomBytes(9 * megabyte), megabyte);
      throw new Error('No more');
    };
    const { client } = await loadBucket();
    const aborted: unknown[] = [];
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName === 'AbortMultipartUploadCommand') aborted.push(args.input);
          return next(args);
        },
      { name: 'noted', step: 'initialize' },
    );
    const upload = uploadStream('failed', failing(), 'text/csv');
    await expect(upload).rejects.toThrow('No more');
    client.middlewareStack.remove('noted');
    expect(aborted).toMatchObject([{ Key: 'failed' }]);
    expect(await textOf('failed')).toBeUndefined();
  });

  it('refuses what the engine does not support', async () => {
    const command = new ListMultipartUploadsCommand({ Bucket: process.env['FILES_BUCKET'] });
    await expect(clientOf().send(command)).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});

describe('streamObject', () => {
  it('reads in pieces of 4 MB', async () => {
    const bytes = randomBytes(9 * megabyte);
    await put('large', bytes);
    const found = await streamObject('large');
    const sizes: number[] = [];
    for await (const piece of found?.content ?? []) sizes.push(piece.length / megabyte);
    expect([found?.bytes, sizes]).toEqual([9 * megabyte, [4, 4, 1]]);
  });

  it('finds an empty object, and no missing one', async () => {
    await put('empty', '');
    expect((await streamObject('empty'))?.bytes).toBe(0);
    expect(await readAll('empty')).toHaveLength(0);
    expect(await streamObject('missing')).toBeUndefined();
  });

  it.each([
    ['changes', () => put('changing', randomBytes(9 * megabyte))],
    ['is deleted', () => remove('changing')],
  ])('throws if the object %s meanwhile', async (_, change) => {
    await put('changing', randomBytes(9 * megabyte));
    const found = await streamObject('changing');
    const pieces = found?.content[Symbol.asyncIterator]();
    await pieces?.next();
    await change();
    await expect(pieces?.next()).rejects.toBeInstanceOf(ObjectChanged);
  });

  it('reads what was uploaded in parts', async () => {
    await uploadStream('parts', piecesOf(Buffer.from('Hello'), 2), 'text/plain');
    expect((await read('parts')).text).toBe('Hello');
  });
});
