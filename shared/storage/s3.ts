import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createRequestHandler } from '../runtime/request-handler.ts';

/*
 * Loaded by shared/storage/bucket.ts on first use and bundled separately (infra/functions/function-code.ts). A
 * dynamically loaded module is bundled with all its exports, so this one exports only the used quarter of the client.
 */

/** The S3 commands in use, and what signs direct requests. */
export const s3 = {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  createPresignedPost,
  getSignedUrl,
} as const;

/** Creates an S3 client, of an endpoint if one is given: three attempts of up to three seconds. */
export const makeClient = (endpoint?: string): S3Client =>
  new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: 3,
    // A custom endpoint serves all buckets under one name.
    forcePathStyle: Boolean(endpoint ?? process.env['AWS_ENDPOINT_URL_S3']),
    requestHandler: createRequestHandler(3_000),
  });
