import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { isFolder, type StoredFile } from './file.ts';

/** What a user stores: bytes, with those that are reserved for uploads, and files, without folders and uploads. */
export interface Usage {
  readonly used: number;
  readonly files: number;
}

const none: Usage = { used: 0, files: 0 };

/** The usage of an item of the table; a user without files has none. */
export const toUsage = (item: Record<string, unknown> | undefined): Usage => ({
  ...none,
  ...(item as Partial<Usage> | undefined),
});

const getUsage = (file: StoredFile | undefined): Usage => {
  if (!file || file.status === 'removed' || isFolder(file)) return none;
  return { used: file.size, files: file.status === 'ready' ? 1 : 0 };
};

const quotaExceededError = ({ used }: Usage, size: number): AppError => {
  const quota = getSetting('FILES_QUOTA');
  const free = `${formatBytes(Math.max(0, quota - used))} of ${formatBytes(quota)} free`;
  return new AppError('PAYLOAD_TOO_LARGE', `Storage quota exceeded: ${free}.`, {
    details: [{ field: 'size', message: `is ${formatBytes(size)}, with ${free}` }],
  });
};

/**
 * Refuses a file that has no place, before it is uploaded; whether it has one is decided when it is recorded.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export const assertQuota = (usage: Usage, size: number): void => {
  if (usage.used + size > getSetting('FILES_QUOTA')) throw quotaExceededError(usage, size);
};

/** What is thrown where the write of the usage failed: the item as it was then, or nothing. */
export const quotaError = (item: Record<string, unknown> | undefined, size: number): AppError =>
  quotaExceededError(toUsage(item), size);

/** The write that moves a user's usage; a new file's has to fit into the quota. */
const moveUsage = (userId: number, { used, files }: Usage, isBounded: boolean): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.fileUsage(userId),
    UpdateExpression: 'ADD used :used, files :files',
    ...(isBounded && {
      ConditionExpression: 'attribute_not_exists(used) OR used <= :most',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    ExpressionAttributeValues: {
      ':used': used,
      ':files': files,
      ...(isBounded && { ':most': getSetting('FILES_QUOTA') - used }),
    },
  },
});

/** The writes that move usages as a file goes from `before` to `after`, for the transaction that does so. */
export const usageWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<'usage' | 'formerUsage', Write | undefined>> => {
  const [old, fresh] = [getUsage(before), getUsage(after)];
  const owner = (after ?? before)?.ownerId ?? 0;
  const isHandedOver = before !== undefined && before.ownerId !== owner;
  const delta = isHandedOver
    ? fresh
    : { used: fresh.used - old.used, files: fresh.files - old.files };
  const moves = ({ used, files }: Usage) => used !== 0 || files !== 0;
  return {
    // What is empty fits where nothing is left, too.
    usage: moves(delta) ? moveUsage(owner, delta, !before && delta.used > 0) : undefined,
    formerUsage:
      isHandedOver && moves(old)
        ? moveUsage(before.ownerId, { used: -old.used, files: -old.files }, false)
        : undefined,
  };
};

/** What a user stores, and may store. */
export const readUsage = async (userId: number) => {
  const [item] = await batchGet([keys.fileUsage(userId)]);
  const { used, files } = toUsage(item);
  return { used, quota: getSetting('FILES_QUOTA'), files };
};
