import { type ChangeRecorder, systemRecorder } from '../../../../shared/audit/audit-log.ts';
import {
  type Count,
  type CountChange,
  countSteps,
  type Guard,
} from '../../../../shared/counters/counter.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import { queryItems, startAt } from '../../../../shared/db/query.ts';
import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { writeVersion } from '../../../../shared/db/versioned-record.ts';
import {
  assertAllowance,
  consumeAllowance,
  formBytesKey,
} from '../../../../shared/http/form-allowance.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { deleteObjects } from '../../../../shared/storage/bucket.ts';
import { quotaExceededError, toUsage } from '../../../../shared/storage/quota.ts';
import { requireQuota, usage } from '../../../../shared/storage/usage.ts';
import { discardShareObjects, getObjectKey } from '../files/objects.ts';
import { createPruneEntry, prunesWrite } from '../files/prune-entries.ts';
import { getUploadCounts } from '../record/counters.ts';
import { shareKeys } from '../record/keys.ts';
import { createShareId } from '../record/slugs.ts';
import { type AnnouncedFile, announce, uploadNotFound } from './announced.ts';
import { auditUpload } from './audit.ts';
import {
  findUpload,
  getObjectName,
  isExpired,
  maxUploads,
  packFiles,
  retryOnConflict,
  type StoredUpload,
  uploadTtlMs,
} from './upload.ts';

/** How long after the end of an upload its objects are deleted: a form that was sent at the last moment may take so long. ms. */
const lateMs = 3_600_000;

/** A share that an upload is for, and the hashes of the bytes that it has. */
export interface Target {
  readonly id: string;
  readonly known: ReadonlySet<string>;
}

const newUpload = (ownerId: number, target: Target | undefined): StoredUpload => {
  const now = Date.now();
  return {
    id: createRandomId(),
    ownerId,
    shareId: target?.id ?? createShareId(),
    ...(target && { ofExisting: true }),
    packed: packFiles([]),
    objects: 0,
    bytes: 0,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + uploadTtlMs).toISOString(),
    version: 0,
  };
};

const recordKey = ({ ownerId, id }: StoredUpload) => shareKeys.upload.at({ ownerId, id });

/** Requires that a user has fewer than five uploads, and that what a new one adds fits into the quota. */
const guardNew = (change: CountChange): Guard<'quota'> | undefined => {
  if (change.counter !== usage) return undefined;
  const quota = requireQuota(change);
  const fewer = '(attribute_not_exists(#uploads) OR #uploads < :maxUploads)';
  return {
    condition: quota ? `(${quota.condition}) AND ${fewer}` : fewer,
    values: { ...quota?.values, ':maxUploads': maxUploads },
    returnsItem: true,
    refused: 'quota',
  };
};

/** Creates the error of a user with too many uploads. It names them, so that a sender who forgot them can delete one. */
const tooManyUploads = async (ownerId: number): Promise<AppError> => {
  const query = startAt(shareKeys.upload.prefix({ ownerId }));
  const uploads = await queryItems(query, maxUploads, undefined);
  const ids = uploads.map(({ id }) => String(id)).join(', ');
  return new AppError(
    'CONFLICT',
    `You have ${maxUploads} uploads that aren’t finished. Finish or delete one.`,
    { details: [{ field: 'upload', message: `must be one of those that are open: ${ids}` }] },
  );
};

const refusedError = async (
  item: Item | undefined,
  { ownerId, bytes }: StoredUpload,
  isNew: boolean,
): Promise<AppError> =>
  isNew && Number(item?.['uploads'] ?? 0) >= maxUploads
    ? tooManyUploads(ownerId)
    : quotaExceededError(toUsage(item), bytes, 'files');

/** An upload before and after a change; `undefined` while there is none. */
interface Change {
  readonly before: StoredUpload | undefined;
  readonly after: StoredUpload | undefined;
}

const listCounts = (upload: StoredUpload | undefined): readonly Count[] =>
  upload ? getUploadCounts(upload) : [];

const writeUpload = async (
  { before, after }: Change & { readonly after: StoredUpload },
  recorder: ChangeRecorder,
): Promise<StoredUpload | undefined> => {
  const { id, ownerId, shareId, expiresAt } = after;
  const [formBytes] = await batchGet([formBytesKey(ownerId)]);
  const added = after.bytes - (before?.bytes ?? 0);
  assertAllowance(formBytes, added);
  const entry = createPruneEntry(shareId, Date.parse(expiresAt) + lateMs);
  const refused = await transact([
    { write: writeVersion(recordKey(after), before, after), refused: 'changed' },
    before ? undefined : prunesWrite(entry, { upload: id, ownerId }),
    ...countSteps(listCounts(before), listCounts(after), before ? requireQuota : guardNew),
    { write: consumeAllowance(ownerId, formBytes, added), refused: 'changed' },
    ...recorder.steps(auditUpload(before, after)),
  ]);
  if (refused?.by === 'quota') throw await refusedError(refused.item, after, before === undefined);
  return refused ? undefined : after;
};

/**
 * Starts an upload for a new share, or for the one that it is for, and reserves what its files take.
 * @throws AppError as `announce`; CONFLICT with five others; PAYLOAD_TOO_LARGE beyond the quota; RATE_LIMITED beyond the
 *   allowance of forms
 */
export const createUpload = (
  ownerId: number,
  files: readonly AnnouncedFile[],
  target: Target | undefined,
  recorder: ChangeRecorder,
): Promise<StoredUpload> => {
  const after = announce(newUpload(ownerId, target), files, target?.known ?? new Set());
  return retryOnConflict(() => writeUpload({ before: undefined, after }, recorder));
};

/**
 * Reads an upload of a user that has not expired.
 * @throws AppError NOT_FOUND
 */
export const loadUpload = async (ownerId: number, id: string): Promise<StoredUpload> => {
  const upload = await findUpload(ownerId, id);
  if (!upload || isExpired(upload)) throw uploadNotFound();
  return upload;
};

/**
 * Adds files to an upload. Without new ones, nothing is written. `findTarget` returns the share that it is for.
 * @throws AppError NOT_FOUND if it has ended, and as `createUpload`
 */
export const extendUpload = (
  ownerId: number,
  id: string,
  files: readonly AnnouncedFile[],
  findTarget: (shareId: string) => Promise<Target>,
  recorder: ChangeRecorder,
): Promise<StoredUpload> =>
  retryOnConflict(async () => {
    const before = await loadUpload(ownerId, id);
    const known = before.ofExisting ? (await findTarget(before.shareId)).known : new Set<string>();
    const after = announce(before, files, known);
    return after === before ? before : writeUpload({ before, after }, recorder);
  });

const listObjectNames = (upload: StoredUpload): string[] =>
  Array.from({ length: upload.objects }, (_, at) => getObjectName(upload, at));

const removeRecord = (upload: StoredUpload): Write => ({
  Delete: {
    TableName: tableName(),
    Key: recordKey(upload),
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': upload.version },
  },
});

const endUpload = async (
  upload: StoredUpload,
  recorder: ChangeRecorder,
): Promise<true | undefined> => {
  const refused = await transact([
    { write: removeRecord(upload), refused: 'changed' },
    ...countSteps(getUploadCounts(upload), []),
    ...recorder.steps(auditUpload(upload, undefined)),
  ]);
  return refused ? undefined : true;
};

/**
 * Ends an upload and releases what it reserves. What its forms still send is deleted later.
 * @throws AppError NOT_FOUND
 */
export const deleteUpload = (
  ownerId: number,
  id: string,
  recorder: ChangeRecorder,
): Promise<true> =>
  retryOnConflict(async () => {
    const upload = await loadUpload(ownerId, id);
    const isEnded = await endUpload(upload, recorder);
    if (isEnded) await discardShareObjects(upload.shareId, listObjectNames(upload));
    return isEnded;
  });

/** Deletes the objects of an upload that was never used, and then its record. Does nothing if it is gone. */
export const expireUpload = (ownerId: number, id: string): Promise<true> =>
  retryOnConflict(async () => {
    const upload = await findUpload(ownerId, id);
    if (!upload || !isExpired(upload)) return true;
    const names = listObjectNames(upload);
    if (names.length > 0) {
      const errors = await deleteObjects(names.map((name) => getObjectKey(upload.shareId, name)));
      for (const error of errors.values()) throw error;
    }
    return endUpload(upload, systemRecorder('upload.expire'));
  });
