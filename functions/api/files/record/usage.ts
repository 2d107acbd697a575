import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import type { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { storageKeys } from '../../../../shared/storage/keys.ts';
import { quotaExceededError, toUsage, type Usage } from '../../../../shared/storage/quota.ts';

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

/** Reads a user's usage and quota. */
export const readUsage = async (userId: number) => {
  const [item] = await batchGet([storageKeys.usage.at({ userId })]);
  const { used, trashed, submitted, files } = toUsage(item);
  return { used, trashed, submitted, quota: getSetting('FILES_QUOTA'), files };
};
