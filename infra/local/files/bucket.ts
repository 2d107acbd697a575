import {
  BucketAlreadyExists,
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketCorsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { filesCors } from '../../stack/files-cors.ts';

/** Creates the bucket, unless it exists, and allows pages of these origins to upload to it and read from it. */
export const ensureBucket = async (Bucket: string, origins: readonly string[]): Promise<void> => {
  const client = new S3Client({ forcePathStyle: true, maxAttempts: 2 });
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    const isThere =
      error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists;
    if (!isThere) throw error;
  }
  await client.send(
    new PutBucketCorsCommand({
      Bucket,
      CORSConfiguration: {
        CORSRules: [
          {
            AllowedOrigins: [...origins],
            AllowedMethods: [...filesCors.methods],
            AllowedHeaders: [...filesCors.headers],
            ExposeHeaders: [...filesCors.exposed],
            MaxAgeSeconds: filesCors.maxAgeSeconds,
          },
        ],
      },
    }),
  );
  client.destroy();
};
