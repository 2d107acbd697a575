import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createRequestHandler } from '../runtime/request-handler.ts';

/*
 * Loaded by shared/storage/bucket.ts when it is first needed, and bundled by itself (infra/functions/function-code.ts). What is loaded later
 * is bundled with all that it exports: this module holds back what nobody uses of the client, which is three quarters of it.
 */

/** What is in use of S3: its commands, and what signs for whoever asks it directly. */
export const s3 = {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  createPresignedPost,
  getSignedUrl,
} as const;

/** Makes the client of S3: three seconds a try, three tries. */
export const makeClient = (): S3Client =>
  new S3Client({
    maxAttempts: 3,
    // An endpoint of one's own serves all buckets from one name.
    forcePathStyle: Boolean(process.env['AWS_ENDPOINT_URL_S3']),
    requestHandler: createRequestHandler(3_000),
  });
