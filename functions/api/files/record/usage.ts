import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { isFolder, type StoredFile } from './file.ts';
import { fileKeys } from './keys.ts';

/** A user's storage: bytes, including those reserved for uploads, and complete files, without folders. */
export interface Usage {
  readonly used: number;
  readonly files: number;
}

const none: Usage = { used: 0, files: 0 };

/** Converts a stored item to a usage; a user without files has no item. */
export const toUsage = (item: Item | undefined): Usage => ({
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
 * Asserts that a file fits into the quota, before it is uploaded. The transaction that records it checks this again.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export const assertQuota = (usage: Usage, size: number): void => {
  if (usage.used + size > getSetting('FILES_QUOTA')) throw quotaExceededError(usage, size);
};

/** Creates the error for a failed write of the usage, from the item at that time. */
export const usageWriteError = (item: Item | undefined, size: number): AppError =>
  quotaExceededError(toUsage(item), size);

/** Creates the write that changes a user's usage; with `checksQuota`, it fails beyond the quota. */
const incrementUsage = (userId: number, { used, files }: Usage, checksQuota: boolean): Write => ({
  Update: {
    TableName: tableName(),
    Key: fileKeys.usage.at({ userId }),
    UpdateExpression: 'ADD used :used, files :files',
    ...(checksQuota && {
      ConditionExpression: 'attribute_not_exists(used) OR used <= :max',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    ExpressionAttributeValues: {
      ':used': used,
      ':files': files,
      ...(checksQuota && { ':max': getSetting('FILES_QUOTA') - used }),
    },
  },
});

/** Creates the writes that update the owners' usage for a change of a file, for the transaction of that change. */
export const usageWrites = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Readonly<Record<'usage' | 'formerUsage', Write | undefined>> => {
  const [oldUsage, newUsage] = [getUsage(before), getUsage(after)];
  const owner = (after ?? before)?.ownerId ?? 0;
  const isTransferred = before !== undefined && before.ownerId !== owner;
  const delta = isTransferred
    ? newUsage
    : { used: newUsage.used - oldUsage.used, files: newUsage.files - oldUsage.files };
  const isChange = ({ used, files }: Usage) => used !== 0 || files !== 0;
  return {
    // An empty file fits even if the quota is used up.
    usage: isChange(delta) ? incrementUsage(owner, delta, !before && delta.used > 0) : undefined,
    formerUsage:
      isTransferred && isChange(oldUsage)
        ? incrementUsage(before.ownerId, { used: -oldUsage.used, files: -oldUsage.files }, false)
        : undefined,
  };
};

/** Reads a user's usage and quota. */
export const readUsage = async (userId: number) => {
  const [item] = await batchGet([fileKeys.usage.at({ userId })]);
  const { used, files } = toUsage(item);
  return { used, quota: getSetting('FILES_QUOTA'), files };
};
