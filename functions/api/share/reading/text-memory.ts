import { LruCache } from '../../../../shared/runtime/lru-cache.ts';
import type { PackedTexts } from '../../../../shared/storage/stored-text.ts';

/** Compressed bytes that a process keeps: those of some 1,500 shares of 10 KB or more. */
const maxBytes = 16 * 1024 * 1024;

/** What an entry takes besides its texts. */
const overheadBytes = 512;

/** By the id of their share. */
const kept = new LruCache<PackedTexts>(maxBytes, ({ packed }) => packed.length + overheadBytes);

/** Forgets the texts of a share. */
export const forgetTexts = (shareId: string): void => kept.delete(shareId);

/**
 * Returns the texts that this process last read of a share. They may have been replaced or deleted since: only the stored
 * share says which are valid (decisions.md#views).
 */
export const recallTexts = (shareId: string): PackedTexts | undefined => kept.get(shareId);

/** Keeps the texts of a share, so that the next view reads only what decides about it. */
export const keepTexts = (shareId: string, { id, packed }: PackedTexts): void =>
  // A copy: small buffers are parts of larger ones, which they would keep.
  kept.set(shareId, { id, packed: new Uint8Array(packed) });
