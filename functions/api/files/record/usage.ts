import { batchGet } from '../../../../shared/db/dynamodb.ts';
import type { Item } from '../../../../shared/db/item-parser.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { storageKeys } from '../../../../shared/storage/keys.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';

/** A user's storage: bytes, including those of the trash and those reserved for uploads, and complete files, without folders. */
export interface Usage {
  readonly used: number;
  /** Bytes in the trash, a part of `used`. */
  readonly trashed: number;
  /** Bytes that people without an account handed in, a part of `used`. */
  readonly submitted: number;
  readonly files: number;
}

const none: Usage = { used: 0, trashed: 0, submitted: 0, files: 0 };

/** Converts a stored item to a usage; a user without files has no item. */
export const toUsage = (item: Item | undefined): Usage => ({
  ...none,
  ...(item as Partial<Usage> | undefined),
});

const quotaExceededError = ({ used, trashed, submitted }: Usage, size: number): AppError => {
  const quota = getSetting('FILES_QUOTA');
  const free = `${formatBytes(Math.max(0, quota - used))} of ${formatBytes(quota)} free`;
  const advice = [
    trashed > 0 ? ` Empty the trash to free ${formatBytes(trashed)}.` : '',
    submitted > 0 ? ` Delete shares that others handed in to free ${formatBytes(submitted)}.` : '',
  ].join('');
  return new AppError('PAYLOAD_TOO_LARGE', `Storage quota exceeded: ${free}.${advice}`, {
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

/** Reads a user's usage and quota. */
export const readUsage = async (userId: number) => {
  const [item] = await batchGet([storageKeys.usage.at({ userId })]);
  const { used, trashed, submitted, files } = toUsage(item);
  return { used, trashed, submitted, quota: getSetting('FILES_QUOTA'), files };
};
