import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Step } from '../../../../shared/db/transaction.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { listObjects } from '../../../../shared/storage/list-objects.ts';
import { getObjectKey } from '../files/objects.ts';
import { getUploadCounts } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import {
  findUpload,
  getObjectName,
  getUploadPrefix,
  isExpired,
  type StoredUpload,
  type UploadFile,
  unpackFiles,
} from './upload.ts';

/** A file of an upload, with the name of its object; it has none if the share has its bytes. */
export interface SentAhead extends Omit<UploadFile, 'object'> {
  readonly object?: string;
}

/** An upload whose files are all there. */
export interface UsedUpload {
  readonly upload: StoredUpload;
  readonly files: readonly SentAhead[];
}

const maxNamed = 10;

const notSent = (paths: readonly string[]): AppError => {
  const named = paths.slice(0, maxNamed).join(', ');
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  const message = `lacks ${named}${more}: send them by their forms`;
  return new AppError('CONFLICT', `The upload ${message}.`, {
    details: [{ field: 'upload', message }],
  });
};

/** Asserts that the bucket has all objects of an upload, by one list of them. @throws AppError CONFLICT that names the others */
const assertSent = async (upload: StoredUpload, files: readonly SentAhead[]): Promise<void> => {
  if (upload.objects === 0) return;
  const { objects } = await listObjects(getUploadPrefix(upload));
  const sizes = new Map(objects.map(({ key, size }) => [key, size]));
  const missing = files.filter(
    ({ object, size }) =>
      object !== undefined && sizes.get(getObjectKey(upload.shareId, object)) !== size,
  );
  if (missing.length > 0) throw notSent(missing.map(({ path }) => path));
};

/**
 * Reads an upload of a user for a new share, or for the share that it was made for.
 * @throws AppError VALIDATION_ERROR if there is none, it has expired or is for another share; CONFLICT if files are missing
 */
export const readUpload = async (
  ownerId: number,
  id: string,
  shareId?: string,
): Promise<UsedUpload> => {
  const upload = await findUpload(ownerId, id);
  if (!upload || isExpired(upload)) {
    throw invalidField('upload', 'is unknown, was used already or has expired');
  }
  if (shareId === undefined ? upload.ofExisting : upload.shareId !== shareId) {
    throw invalidField('upload', 'was made for another share');
  }
  const files = unpackFiles(upload).map(({ object, ...file }) => ({
    ...file,
    ...(object !== undefined && { object: getObjectName(upload, object) }),
  }));
  await assertSent(upload, files);
  return { upload, files };
};

/** Creates the step that ends an upload, which must be as it was read. */
export const endUploadStep = ({ ownerId, id, version }: StoredUpload): Step<'upload'> => ({
  write: {
    Delete: {
      TableName: tableName(),
      Key: shareKeys.upload.at({ ownerId, id }),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': version },
    },
  },
  refused: 'upload',
});

/** Lists what an upload that is used up has added to counters. */
export const countUsed = (used: UsedUpload | undefined) =>
  used ? getUploadCounts(used.upload) : [];

/** Creates the error of an upload that was used, changed or ended meanwhile. */
export const uploadChanged = (): AppError =>
  new AppError('CONFLICT', 'The upload was used or changed by another request. Try again.');
