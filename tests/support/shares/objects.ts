import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { bucketName, clientOf } from '../s3/local-s3.ts';

/** The keys of all objects of the bucket that hold texts of shares. */
export const textObjects = async (bucket = bucketName()): Promise<string[]> => {
  const { Contents = [] } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucket, Prefix: 'texts/SHARE/' }),
  );
  return Contents.map(({ Key = '' }) => Key);
};

/** The share whose text an object holds. */
export const shareOf = (objectKey: string): string => objectKey.split('/')[2] ?? '';
