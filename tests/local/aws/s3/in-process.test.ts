import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runInProcess } from '../../../../infra/local/aws/host/in-process.ts';
import { startS3 } from '../../../../infra/local/aws/s3/engine.ts';
import { ensureBucket } from '../../../../infra/local/files/bucket.ts';
import { credentials } from '../../../support/s3/local-s3.ts';

const Bucket = 'texts';

/** Returns a client whose requests go nowhere, and one that reaches the engine by HTTP. */
const open = async () => {
  const engine = await startS3({ credentials });
  onTestFinished(() => engine.close());
  process.env['AWS_ENDPOINT_URL_S3'] = engine.endpoint;
  await ensureBucket(Bucket, []);
  const clientOf = (endpoint: string) =>
    new S3Client({ endpoint, credentials, forcePathStyle: true, maxAttempts: 1 });
  const inside = clientOf('http://127.0.0.1:1');
  runInProcess(inside, engine.operations);
  const read = async (client: S3Client, Key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []).toString();
  };
  return { inside, outside: clientOf(engine.endpoint), read };
};

describe('S3 in process', () => {
  it.each(['', 'a text ☂', 'x'.repeat(1_000_000)])(
    'stores the same object as over HTTP',
    async (text) => {
      const { inside, outside, read } = await open();
      const Body = Buffer.from(text);
      const put = async (client: S3Client, Key: string) =>
        (await client.send(new PutObjectCommand({ Bucket, Key, Body }))).ETag;
      expect(await put(inside, 'a/1')).toBe(await put(outside, 'a/2'));
      for (const key of ['a/1', 'a/2']) {
        expect(await read(inside, key)).toBe(text);
        expect(await read(outside, key)).toBe(text);
      }
    },
  );

  it('deletes objects, and reports a missing one or bucket as the SDK does', async () => {
    const { inside, outside, read } = await open();
    await inside.send(new PutObjectCommand({ Bucket, Key: 'a', Body: Buffer.from('a') }));
    await inside.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    await inside.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    const errors = await Promise.all(
      [inside, outside].flatMap((client) => [
        read(client, 'a').catch((error) => error),
        client.send(new GetObjectCommand({ Bucket: 'unknown', Key: 'a' })).catch((error) => error),
      ]),
    );
    for (const [missing, noBucket] of [errors.slice(0, 2), errors.slice(2)]) {
      expect(missing).toBeInstanceOf(NoSuchKey);
      expect(missing).toMatchObject({ name: 'NoSuchKey', $metadata: { httpStatusCode: 404 } });
      expect(noBucket).toMatchObject({ name: 'NoSuchBucket', $metadata: { httpStatusCode: 404 } });
    }
  });

  it('leaves all other commands, and signed URLs, to the endpoint', async () => {
    const { inside } = await open();
    const commands = [
      new GetObjectCommand({ Bucket, Key: 'a', Range: 'bytes=0-1' }),
      new PutObjectCommand({ Bucket, Key: 'a', Body: Buffer.from('a'), ContentType: 'text/html' }),
      new CopyObjectCommand({ Bucket, Key: 'a', CopySource: `${Bucket}/b` }),
    ];
    for (const command of commands) {
      await expect(inside.send(command as GetObjectCommand)).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    }
    const download = new GetObjectCommand({ Bucket, Key: 'a', ResponseContentType: 'text/plain' });
    expect(await getSignedUrl(inside, download)).toMatch(/^http:\/\/127\.0\.0\.1:1\/texts\/a\?/);
  });
});
