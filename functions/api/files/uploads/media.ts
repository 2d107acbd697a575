import type { FileType } from '../record/file.ts';

/** The number of leading bytes from which a file's type is detected, also that of a document in a ZIP archive. */
export const startBytes = 64 * 1024;

/** Text has no control characters but tabs, line and page breaks, backspaces and escapes. */
const isControl = (code: number): boolean =>
  (code < 32 && !(code >= 8 && code <= 13) && code !== 27) || code === 127;

/** Decodes the bytes; `undefined` if they are invalid in the encoding. */
const tryDecode = (start: Uint8Array, encoding: string): string | undefined => {
  try {
    // `stream` accepts a last character that is cut off.
    return new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true });
  } catch {
    return undefined;
  }
};

/** Detects UTF-16 by its byte order mark, or by zeros at every other byte, as in ASCII text. */
const detectUtf16 = (start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  let [even, odd] = [0, 0];
  for (const [at, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = start.length / 8;
  if (odd > many && even * 16 < odd) return 'utf-16le';
  if (even > many && odd * 16 < even) return 'utf-16be';
  return undefined;
};

const unusedInWindows1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/** Windows-1252 assigns characters to most of the further control characters of Latin-1. */
const isWindows1252 = (start: Uint8Array): boolean =>
  start.every((byte) => !isControl(byte) && !unusedInWindows1252.has(byte));

const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return true;
  return false;
};

/** Decodes text in UTF-8, UTF-16 or Windows-1252; `undefined` if it is no text. */
const decodeText = (start: Uint8Array): string | undefined => {
  const utf16 = detectUtf16(start);
  if (utf16 !== undefined) {
    const text = start.length % 2 === 0 ? tryDecode(start, utf16) : undefined;
    return text === undefined || hasControls(text) ? undefined : text;
  }
  if (start.includes(0)) return undefined;
  const text = tryDecode(start, 'utf-8');
  return text ?? (isWindows1252(start) ? tryDecode(start, 'windows-1252') : undefined);
};

/** Finds the end of the comment, instruction or doctype that starts at a position; `undefined` if none does. */
const findPrologEnd = (text: string, at: number): number | undefined => {
  const after = (end: string): number | undefined => {
    const found = text.indexOf(end, at);
    return found === -1 ? undefined : found + end.length;
  };
  if (text.startsWith('<?', at)) return after('?>');
  if (text.startsWith('<!--', at)) return after('-->');
  if (!/^<!doctype/i.test(text.slice(at, at + 9))) return undefined;
  const end = after('>');
  return end !== undefined && text.slice(at, end).includes('[') ? after(']>') : end;
};

const blank = /\s*/y;

/** Returns whether the first element of a text is that of an SVG image. */
const isSvg = (text: string): boolean => {
  let at: number | undefined = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    const end: number | undefined = findPrologEnd(text, at);
    if (end === undefined) return /^<(?:[\w-]{1,50}:)?svg[\s/>]/.test(text.slice(at, at + 60));
    at = end;
  }
};

/** Never displayed inline, because it can contain scripts. */
const svgType = 'image/svg+xml';

/** Text types by file extension; none that a browser would run. */
const textTypes: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['md', 'text/markdown'],
  ['json', 'application/json'],
]);

const getExtension = (name: string): string =>
  name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';

/** Detects the media type of a file from its first bytes, and of text from its name; HTML counts as plain text. */
export const getMimeType = async (start: Uint8Array, name: string): Promise<string> => {
  // Loaded on demand, because most requests upload nothing.
  const { fileTypeFromBuffer } = await import('file-type');
  // Malformed input can make the detector throw.
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found && found.mime !== 'application/xml') return found.mime;
  const text = start.length === 0 ? undefined : decodeText(start);
  if (text !== undefined && isSvg(text)) return svgType;
  if (found) return found.mime;
  if (text === undefined) return 'application/octet-stream';
  return textTypes.get(getExtension(name)) ?? 'text/plain';
};

const documents =
  /^(text\/|application\/(pdf|rtf|json|xml|x-cfb|msword|epub\+zip|vnd\.(openxmlformats|oasis|ms-|visio|apple\.)))/;

const archives =
  /^application\/(zip|gzip|zstd|java-archive|vnd\.rar|x-(7z|ace|apache-arrow|arj|bzip2|compress|cpio|deb|gzip|iso9660|lzh|lzip|lz4|rar|rpm|tar|unix-archive|xz|zip)[\w-]*)/;

/** Maps a media type to a kind of file. */
export const getFileType = (mimeType: string): Exclude<FileType, 'folder'> => {
  const [main] = mimeType.split('/');
  if (main === 'image' || main === 'video' || main === 'audio') return main;
  if (documents.test(mimeType)) return 'document';
  return archives.test(mimeType) ? 'archive' : 'other';
};

/** Texts that browsers display as they are: they are served as plain text. */
const inlineTexts = new Set(['text/plain', 'text/markdown', 'text/csv']);

/** Types that browsers display without running scripts; all others are only downloaded. */
const inlineTypes = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
  'application/pdf',
  ...inlineTexts,
]);

/** Returns the type that a file is served as: never one that a browser would run. */
export const getServedType = (mimeType: string, isInline: boolean): string => {
  if (isInline && inlineTexts.has(mimeType)) return 'text/plain; charset=utf-8';
  return mimeType === svgType ? 'application/octet-stream' : mimeType;
};

/** Returns whether a file of this type can have a thumbnail: an image that contains no scripts. */
export const canHaveThumbnail = (mimeType = ''): boolean =>
  mimeType.startsWith('image/') && mimeType !== svgType;

export const canDisplayInline = (mimeType: string): boolean => inlineTypes.has(mimeType);
