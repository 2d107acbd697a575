import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { NoSuchKey, S3ServiceException } from '@aws-sdk/client-s3';
import type { Operations } from '../host/in-process.ts';
import { deleteObject, getObject, putObject } from './objects.ts';
import type { Operation, S3Request } from './request.ts';
import { S3Error } from './s3-error.ts';
import type { Store } from './store.ts';

/** What the functions send for texts. All else takes the endpoint, as do the commands that only sign a URL. */
const inputNames = ['Bucket', 'Key', 'Body'];

interface Input {
  readonly Bucket: string;
  readonly Key: string;
  readonly Body?: Uint8Array;
}

/** Creates the error that the SDK throws for this response. */
const toSdkError = ({ code, message, status: httpStatusCode }: S3Error): S3ServiceException => {
  const options = { message, $metadata: { httpStatusCode } };
  return code === 'NoSuchKey'
    ? new NoSuchKey(options)
    : new S3ServiceException({ ...options, name: code, $fault: 'client' });
};

const toRequest = (store: Store, { Bucket: bucket, Key: key, Body }: Input): S3Request => ({
  store,
  bucket,
  key,
  query: new URLSearchParams(),
  headers: { 'content-length': String(Body?.length ?? 0) },
  payload: 'UNSIGNED-PAYLOAD',
  body: Readable.from(
    Body ? [Buffer.from(Body.buffer, Body.byteOffset, Body.length)] : [],
  ).iterator(),
});

/** Returns the operations on whole objects for clients of this process. */
export const createObjectOperations = (store: Store): Operations => {
  const run = (perform: Operation) => (input: Input) => {
    const isWhole = Object.keys(input).every((name) => inputNames.includes(name));
    if (!isWhole || (input.Body && !(input.Body instanceof Uint8Array))) return undefined;
    const answer = async () => {
      try {
        const { headers, body } = await perform(toRequest(store, input));
        const stream = body instanceof Readable ? body : Readable.from([]);
        return { ETag: headers?.['etag'], Body: { transformToByteArray: () => buffer(stream) } };
      } catch (error) {
        throw error instanceof S3Error ? toSdkError(error) : error;
      }
    };
    return answer();
  };
  return {
    PutObjectCommand: run(putObject),
    GetObjectCommand: run(getObject),
    DeleteObjectCommand: run(deleteObject),
  };
};
