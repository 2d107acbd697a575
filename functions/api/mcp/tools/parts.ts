import { invalidField } from '../../../../shared/runtime/errors.ts';

/** What a model reads at once: some 25,000 tokens. */
export const maxPartBytes = 100 * 1024;

/** A part of a text. Offsets and sizes are in bytes of UTF-8. */
export interface TextPart {
  readonly text: string;
  readonly offset: number;
  /** Where the next part begins. Absent for the last one. */
  readonly nextOffset?: number;
  /** The size of the whole text. */
  readonly size: number;
}

const isWithinCharacter = (bytes: Uint8Array, at: number): boolean =>
  ((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000;

/** Returns the start of the character that a byte belongs to. */
const toStart = (bytes: Uint8Array, at: number): number => {
  let start = at;
  while (start > 0 && start < bytes.length && isWithinCharacter(bytes, start)) start -= 1;
  return start;
};

/**
 * Returns the part of a text that begins at an offset. It splits no character: within one, it begins with it.
 * @throws AppError VALIDATION_ERROR for an offset behind the end
 */
export const getPart = (whole: string, offset: number): TextPart => {
  const bytes = Buffer.from(whole);
  const size = bytes.length;
  if (offset > size) throw invalidField('offset', `must be at most ${size}, the size of the text`);
  const start = toStart(bytes, offset);
  const end = toStart(bytes, Math.min(start + maxPartBytes, size));
  return {
    text: bytes.toString('utf8', start, end),
    offset: start,
    ...(end < size && { nextOffset: end }),
    size,
  };
};
