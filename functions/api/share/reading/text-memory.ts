import type { PackedTexts } from '../../../../shared/storage/stored-text.ts';

/** Compressed bytes that a process keeps: those of some 1,500 shares of 10 KB or more. */
const maxBytes = 16 * 1024 * 1024;

/** By the id of their share, the least recently used first. */
const kept = new Map<string, PackedTexts>();
let total = 0;

/** Forgets the texts of a share. */
export const forgetTexts = (shareId: string): void => {
  total -= kept.get(shareId)?.packed.length ?? 0;
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
export const keepTexts = (shareId: string, texts: PackedTexts): void => {
  forgetTexts(shareId);
  kept.set(shareId, texts);
  total += texts.packed.length;
  for (const oldest of kept.keys()) {
    if (total <= maxBytes) break;
    forgetTexts(oldest);
  }
};
