import type { PackedTexts } from '../../../../shared/storage/stored-text.ts';

/** Compressed bytes that a process keeps: those of some 1,500 shares of 10 KB or more. */
const maxBytes = 16 * 1024 * 1024;

/** What an entry takes besides its texts. */
const overheadBytes = 512;

/** By the id of their share, the least recently used first. */
const kept = new Map<string, PackedTexts>();
let total = 0;

const getSize = ({ packed }: PackedTexts): number => packed.length + overheadBytes;

/** Forgets the texts of a share. */
export const forgetTexts = (shareId: string): void => {
  const texts = kept.get(shareId);
  if (!texts) return;
  total -= getSize(texts);
  kept.delete(shareId);
};

/**
 * Returns the texts that this process last read of a share. They may have been replaced or deleted since: only the stored
 * share says which are valid (decisions.md#views).
 */
export const recallTexts = (shareId: string): PackedTexts | undefined => {
  const texts = kept.get(shareId);
  if (texts) {
    kept.delete(shareId);
    kept.set(shareId, texts);
  }
  return texts;
};

/** Keeps the texts of a share, so that the next view reads only what decides about it. */
export const keepTexts = (shareId: string, { id, packed }: PackedTexts): void => {
  forgetTexts(shareId);
  // A copy: small buffers are parts of larger ones, which they would keep.
  const texts = { id, packed: new Uint8Array(packed) };
  kept.set(shareId, texts);
  total += getSize(texts);
  for (const oldest of kept.keys()) {
    if (total <= maxBytes) break;
    forgetTexts(oldest);
  }
};
