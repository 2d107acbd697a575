import { createRandomId } from '../../../../shared/db/ids.ts';
import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import {
  deleteObjects,
  getObject,
  getObjectStart,
  putObject,
} from '../../../../shared/storage/bucket.ts';

/*
 * Each object is written once, under a name that is used for nothing else. Once it is out of the manifest, it never comes
 * back, so pruning can delete it whatever happens meanwhile (decisions.md#files-of-a-share).
 */

/** As many bytes as `getFileType` takes. */
const startBytes = 16;

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

/** Reads the first bytes of an object, enough to detect the type of its file; empty if it does not exist. */
export const readShareObjectStart = (shareId: string, object: string): Promise<Uint8Array> =>
  getObjectStart(getObjectKey(shareId, object), startBytes);

/** Deletes objects of a share that no manifest has or will have. Never throws: pruning covers a failure. */
export const discardShareObjects = async (
  shareId: string,
  objects: readonly string[],
): Promise<void> => {
  if (objects.length === 0) return;
  try {
    await deleteObjects(objects.map((object) => getObjectKey(shareId, object)));
  } catch (error) {
    getLogger().warn('Object deletion deferred', { error: serializeError(error) });
  }
};
