import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { bucketName, clientOf } from '../s3/local-s3.ts';

/** Returns the keys of all share content in the bucket. */
export const textObjects = async (bucket = bucketName()): Promise<string[]> => {
  const { Contents = [] } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: 'texts/SHARE/' }),
  );
  return Contents.map(({ Key = '' }) => Key);
};

/** Returns the id of the share that an object belongs to. */
export const shareOf = (objectKey: string): string => objectKey.split('/')[2] ?? '';
