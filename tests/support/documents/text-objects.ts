import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { bucketName, clientOf } from '../s3/local-s3.ts';

/** Lists the objects with the texts of a document, or of all. */
export const listTextObjects = async (id: number | string = ''): Promise<string[]> => {
  const Prefix = `texts/DOCUMENT/${id}`;
  const { Contents = [] } = await clientOf().send(
    new ListObjectsV2Command({ Bucket: bucketName(), Prefix }),
  );
  return Contents.map(({ Key = '' }) => Key);
};
