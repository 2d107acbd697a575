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

/** Returns the part of a text that begins at an offset, which is not behind its end. It splits no character: within one, it begins with it. */
export const cutPart = (whole: Uint8Array, offset: number): TextPart => {
  const size = whole.length;
  const start = toStart(whole, offset);
  const end = toStart(whole, Math.min(start + maxPartBytes, size));
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole.subarray(start, end)),
    offset: start,
    ...(end < size && { nextOffset: end }),
    size,
  };
};
