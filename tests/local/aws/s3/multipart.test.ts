import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import {
  bucketName,
  clientOf,
  head,
  put,
  textOf,
  useBucket,
} from '../../../support/s3/local-s3.ts';

useBucket();

const partBytes = 5 * 1024 * 1024;
const client = () => clientOf();

const begin = async (Key: string) => {
  const object = { Bucket: bucketName(), Key };
  const { UploadId } = await client().send(
    new CreateMultipartUploadCommand({ ...object, ContentType: 'text/plain' }),
  );
  return { ...object, UploadId };
};

type Upload = Awaited<ReturnType<typeof begin>>;

const sendPart = async (upload: Upload, PartNumber: number, Body: Uint8Array) => {
  const { ETag } = await client().send(new UploadPartCommand({ ...upload, PartNumber, Body }));
  return { PartNumber, ETag };
};

const complete = (
  upload: Upload,
  Parts: readonly { PartNumber: number; ETag: string | undefined }[],
) =>
  client().send(
    new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [...Parts] } }),
  );

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.name,
  );

describe('an upload in parts', () => {
  it('is an object once it is complete, with the type and tag of S3', async () => {
    await put('whole', 'before');
    const upload = await begin('whole');
    const bytes = [randomBytes(partBytes), Buffer.from('End')];
    // The second is sent first, and the first twice: the last one counts.
    const second = await sendPart(upload, 2, bytes[1] as Buffer);
    await sendPart(upload, 1, randomBytes(partBytes));
    const first = await sendPart(upload, 1, bytes[0] as Buffer);
    expect(await textOf('whole')).toBe('before');
    await complete(upload, [first, second]);
    const md5 = bytes.map((part) => createHash('md5').update(part).digest());
    const tag = createHash('md5').update(Buffer.concat(md5)).digest('hex');
    expect(await head('whole')).toMatchObject({
      ContentType: 'text/plain',
      ContentLength: partBytes + 3,
      ETag: `"${tag}-2"`,
    });
    expect(await refusalOf(complete(upload, [first, second]))).toBe('NoSuchUpload');
  });

  it('leaves nothing when it is aborted', async () => {
    const upload = await begin('aborted');
    const part = await sendPart(upload, 1, Buffer.from('a'));
    await client().send(new AbortMultipartUploadCommand(upload));
    expect(await refusalOf(complete(upload, [part]))).toBe('NoSuchUpload');
    expect(await textOf('aborted')).toBeUndefined();
  });

  it('takes only what was sent, in order, and no small part but the last', async () => {
    const upload = await begin('refused');
    const parts = [
      await sendPart(upload, 1, Buffer.from('a')),
      await sendPart(upload, 2, Buffer.from('b')),
    ];
    const [first, second] = parts as [(typeof parts)[0], (typeof parts)[0]];
    expect(await refusalOf(complete(upload, parts))).toBe('EntityTooSmall');
    expect(await refusalOf(complete(upload, [second, first]))).toBe('InvalidPartOrder');
    expect(await refusalOf(complete(upload, [{ ...first, ETag: '"x"' }]))).toBe('InvalidPart');
    expect(await refusalOf(sendPart(upload, 10_001, Buffer.from('a')))).toBe('InvalidArgument');
    expect(await refusalOf(sendPart({ ...upload, Key: 'other' }, 1, Buffer.from('a')))).toBe(
      'NoSuchUpload',
    );
  });
});
