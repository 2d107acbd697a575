import { AppError } from '../../../shared/runtime/errors.ts';
import { findObject } from '../../../shared/storage/bucket.ts';
import { storedAssetKey } from './store/stored-assets.ts';

/** Larger than any asset. Bytes. */
const maxBytes = 1_000_000;
const timeoutMs = 2_000;

/** How many assets of other builds a process keeps. */
const maxKept = 50;

/** How long a process remembers that there is no such asset. ms. */
const missMs = 60_000;
/** How many missing assets a process asks the bucket for within that time: whoever tries names costs nothing more. */
const maxMisses = 100;

/** What names of assets look like. The hash is that of this build’s bundler or of a former one’s. */
const pattern =
  /^\/assets\/(?:scripts|styles|fonts|images)\/[\w-]{1,80}\.[\w-]{8}\.(?:js|css|woff2|png)$/;

const kept = new Map<string, Buffer>();
/** When each missing asset may be asked for again, the earliest first. */
const misses = new Map<string, number>();

const forgetMisses = (now: number): void => {
  for (const [path, until] of misses) {
    if (until > now) return;
    misses.delete(path);
  }
};

/**
 * Returns the asset of another build at a path, or `undefined`: pages that were opened before an upgrade load their parts from
 * the bucket, and so do pages that are newer than this process.
 * @throws AppError SERVICE_UNAVAILABLE if the bucket doesn't answer
 */
export const findFormer = async (path: string): Promise<Buffer | undefined> => {
  if (!pattern.test(path)) return undefined;
  const known = kept.get(path);
  if (known) return known;
  const now = Date.now();
  forgetMisses(now);
  if (misses.has(path) || misses.size >= maxMisses) return undefined;
  const bytes = await findObject(storedAssetKey(path), { maxBytes, timeoutMs }).catch((cause) => {
    throw new AppError('SERVICE_UNAVAILABLE', 'This file is unavailable. Try again.', { cause });
  });
  if (!bytes) {
    misses.set(path, now + missMs);
    return undefined;
  }
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  const asset = Buffer.from(bytes);
  kept.set(path, asset);
  return asset;
};
