import { createRandomId } from '../../../../shared/db/ids.ts';
import { getObject, putObject } from '../../../../shared/storage/bucket.ts';

/*
 * Each object is written once, under a name that is used for nothing else. Once it is out of the manifest, it never comes
 * back, so pruning can delete it whatever happens meanwhile (decisions.md#files-of-a-share).
 */

/** What the keys of a share’s objects begin with. */
export const getPrefix = (shareId: string): string => `shares/${shareId}/`;

/** Returns the key of an object in the bucket. */
export const getObjectKey = (shareId: string, object: string): string =>
  `${getPrefix(shareId)}${object}`;

/** Creates the name of an object. */
export const createObjectName = createRandomId;

/**
 * Stores bytes as an object of a share and returns its name. A prune entry must have been written before.
 * @throws what S3 throws
 */
export const putShareObject = async (shareId: string, bytes: Uint8Array): Promise<string> => {
  const object = createObjectName();
  await putObject(getObjectKey(shareId, object), bytes);
  return object;
};

/**
 * Reads an object of a share, or returns `undefined` if it does not exist.
 * @throws as `getObject`
 */
export const readShareObject = (shareId: string, object: string): Promise<Uint8Array | undefined> =>
  getObject(getObjectKey(shareId, object));
