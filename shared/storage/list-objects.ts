import { getSetting } from '../runtime/settings.ts';
import { loadBucket, toStorageError } from './bucket.ts';

/** An object of the bucket. */
export interface ListedObject {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** When it was written (ms since 1970). */
  readonly writtenAt: number;
}

/** The objects below a prefix, and whether they are all. */
export interface ObjectList {
  readonly objects: readonly ListedObject[];
  readonly isWhole: boolean;
}

/** Many more than a record has: a thousand objects a request. */
const maxPages = 20;

/**
 * Lists the objects whose keys begin with a prefix, a request for each thousand, up to 20,000 of them.
 * @throws AppError SERVICE_UNAVAILABLE if S3 refuses it; what S3 throws otherwise
 */
export const listObjects = async (prefix: string): Promise<ObjectList> => {
  const { s3, client } = await loadBucket();
  const listed: ListedObject[] = [];
  let after: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const command = new s3.ListObjectsV2Command({
      Bucket: getSetting('FILES_BUCKET'),
      Prefix: prefix,
      ContinuationToken: after,
    });
    const { Contents = [], NextContinuationToken } = await client.send(command).catch((error) => {
      throw toStorageError(error);
    });
    for (const { Key = '', Size = 0, LastModified } of Contents) {
      listed.push({ key: Key, size: Size, writtenAt: LastModified?.getTime() ?? 0 });
    }
    after = NextContinuationToken;
    if (after === undefined) return { objects: listed, isWhole: true };
  }
  return { objects: listed, isWhole: false };
};
