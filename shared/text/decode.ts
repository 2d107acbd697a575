/** A text that was read from bytes. */
export interface DecodedText {
  readonly text: string;
  /** The encoding for people, unless it is UTF-8. */
  readonly encoding?: string;
}

const names: Readonly<Record<string, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

/** Decodes bytes. UTF-8 keeps its byte order mark. @throws RangeError for an unknown charset, TypeError for other bytes */
const decode = (bytes: Uint8Array, charset: string): DecodedText => {
  const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: charset === 'utf-8' });
  const { encoding } = decoder;
  const text = decoder.decode(bytes);
  return encoding === 'utf-8' ? { text } : { text, encoding: names[encoding] ?? encoding };
};

const decodeIf = (bytes: Uint8Array, charset: string): DecodedText | undefined => {
  try {
    const decoded = decode(bytes, charset);
    return decoded.text.includes('\0') ? undefined : decoded;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
};

const findMark = ([first, second]: Uint8Array): string | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

/** Characters of Windows-1252 that no text has: controls but for tab, line endings, form feed and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell bytes from text
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f\x81\x8d\x8f\x90\x9d]/;

const countLetters = (runs: readonly string[]): number =>
  runs.reduce((sum, { length }) => sum + length, 0);

/**
 * Whether what is read as Windows-1252 can be a text in it. Other alphabets have whole words of bytes from 0x80, and Western
 * ones single letters among others.
 */
const isWestern = (text: string): boolean => {
  if (binary.test(text)) return false;
  const runs = text.match(/[^\0-\x7f]+/g) ?? [];
  return 2 * countLetters(runs.filter(({ length }) => length > 2)) < countLetters(runs);
};

/**
 * Decodes a text: in UTF-16 if it begins with a byte order mark of it, else in the given charset; without one, in UTF-8, or
 * else in Windows-1252, which includes Latin-1. Returns `undefined` for what is no text, such as bytes with NUL, and for text
 * in other encodings (decisions.md#encodings).
 * @throws RangeError for an unknown charset
 */
export const decodeText = (
  given: Uint8Array | ArrayBuffer,
  charset?: string,
): DecodedText | undefined => {
  const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : given;
  const stated = findMark(bytes) ?? charset?.toLowerCase();
  if (stated !== undefined) return decodeIf(bytes, stated);
  const utf8 = decodeIf(bytes, 'utf-8');
  if (utf8) return utf8;
  const western = decodeIf(bytes, 'windows-1252');
  return western && isWestern(western.text) ? western : undefined;
};
