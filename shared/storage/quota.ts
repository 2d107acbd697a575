import type { Item } from '../db/item-parser.ts';
import { AppError } from '../runtime/errors.ts';
import { getSetting } from '../runtime/settings.ts';
import { formatBytes } from '../text/format-bytes.ts';

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

/** Creates the error of bytes that don't fit into the quota, about the field that announced them. */
export const quotaExceededError = (
  { used, trashed, submitted }: Usage,
  size: number,
  field = 'size',
): AppError => {
  const quota = getSetting('FILES_QUOTA');
  const free = `${formatBytes(Math.max(0, quota - used))} of ${formatBytes(quota)} free`;
  const advice = [
    trashed > 0 ? ` Empty the trash to free ${formatBytes(trashed)}.` : '',
    submitted > 0 ? ` Delete shares that others handed in to free ${formatBytes(submitted)}.` : '',
  ].join('');
  return new AppError('PAYLOAD_TOO_LARGE', `Storage quota exceeded: ${free}.${advice}`, {
    details: [{ field, message: `is ${formatBytes(size)}, with ${free}` }],
  });
};
