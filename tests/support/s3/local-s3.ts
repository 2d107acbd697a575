import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, expect } from 'vitest';
import { runInProcess } from '../../../infra/local/aws/host/in-process.ts';
import { type S3Engine, startS3 } from '../../../infra/local/aws/s3/engine.ts';
import { ensureBucket } from '../../../infra/local/files/bucket.ts';
import { loadBucket } from '../../../shared/storage/bucket.ts';
import { callDirectly } from '../service/direct-calls.ts';

/** The signing key of test clients. */
export const credentials = async () => ({
  accessKeyId: process.env['AWS_ACCESS_KEY_ID'] ?? '',
  secretAccessKey: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
});

/** The origin that may upload to the bucket. */
export const ORIGIN = 'https://handbill.test';

/** Starts an S3 in a temporary folder for this test file, with an empty bucket FILES_BUCKET. */
export const useBucket = (): void => {
  let engine: S3Engine;
  beforeAll(async () => {
    engine = await startS3({ credentials });
    process.env['AWS_ENDPOINT_URL_S3'] = engine.endpoint;
    process.env['FILES_BUCKET'] = 'handbill-test-files';
    await ensureBucket(bucketName(), [ORIGIN]);
    const { client } = await loadBucket();
    callDirectly(() => runInProcess(client, engine.operations));
  });
  afterAll(() => engine.close());
};

export const bucketName = (): string => process.env['FILES_BUCKET'] ?? '';

/** Creates a client with one attempt per request, so that tests receive each error. */
export const clientOf = (options: S3ClientConfig = {}): S3Client =>
  new S3Client({ forcePathStyle: true, maxAttempts: 1, ...options });

/** Returns the unsigned URL of an object. */
export const urlOf = (key: string): string =>
  `${process.env['AWS_ENDPOINT_URL_S3']}/${bucketName()}/${encodeURIComponent(key)}`;

export const put = (
  Key: string,
  Body: NonNullable<PutObjectCommandInput['Body']>,
  options: Partial<PutObjectCommandInput> = {},
) => clientOf().send(new PutObjectCommand({ Bucket: bucketName(), Key, Body, ...options }));

export const remove = (Key: string) =>
  clientOf().send(new DeleteObjectCommand({ Bucket: bucketName(), Key }));

/** Reads an object's text and response metadata. */
export const read = async (Key: string, options: Partial<GetObjectCommandInput> = {}) => {
  const command = new GetObjectCommand({ Bucket: bucketName(), Key, ...options });
  const { Body, $metadata, ...rest } = await clientOf().send(command);
  return { text: await Body?.transformToString(), status: $metadata.httpStatusCode, ...rest };
};

/** Returns an object's metadata, including its checksum. */
export const head = (Key: string) =>
  clientOf().send(new HeadObjectCommand({ Bucket: bucketName(), Key, ChecksumMode: 'ENABLED' }));

export const etagOf = (bytes: string): string =>
  `"${createHash('md5').update(bytes).digest('hex')}"`;

/** Returns an object's text, or undefined if it does not exist. */
export const textOf = async (Key: string): Promise<string | undefined> => {
  try {
    return (await read(Key)).text;
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
};

/** Returns the headers that sign a request, except `host`, which clients add themselves. */
export const signedHeaders = async (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> => {
  const { host, pathname, searchParams } = new URL(url);
  const signer = new SignatureV4({
    service: 's3',
    region: 'eu-west-1',
    credentials,
    sha256: clientOf().config.sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const signed = await signer.sign({
    method,
    protocol: 'http:',
    hostname: host,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
  });
  const { host: _, ...rest } = signed.headers;
  return rest;
};

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers added after signing. */
  readonly unsigned?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request without the additions of the SDK. */
export const sendSigned = async (
  method: string,
  url: string,
  { headers = {}, unsigned = {}, body }: Sent = {},
): Promise<Response> =>
  fetch(url, {
    method,
    headers: { ...(await signedHeaders(method, url, headers)), ...unsigned },
    ...(body !== undefined && { body }),
  });

/** Returns the error code of an S3 response. */
export const codeOf = async (response: Response): Promise<string | undefined> =>
  (await response.text()).match(/<Code>(\w+)<\/Code>/)?.[1];

/** Returns the name and status of a call's error. The call must fail. */
export const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => expect.fail('should have been refused'),
    (thrown: unknown) => thrown as { name: string; $metadata?: { httpStatusCode?: number } },
  );
  return { name: error.name, status: error.$metadata?.httpStatusCode };
};
