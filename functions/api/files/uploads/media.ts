import { create } from 'content-disposition';
import type { FileType } from '../record/file.ts';

/** So many bytes from the start of a file tell its type; of an archive, what kind of document it is. */
export const startBytes = 64 * 1024;

/** No text has these; it may have tabs, ends of lines and of pages, backspaces, and escapes. */
const isControl = (code: number): boolean =>
  (code < 32 && !(code >= 8 && code <= 13) && code !== 27) || code === 127;

/** The text of the bytes; `undefined` where they are none in the encoding. */
const decoded = (start: Uint8Array, encoding: string): string | undefined => {
  try {
    // What was cut off in the middle of a character is text nevertheless.
    return new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true });
  } catch {
    return undefined;
  }
};

/** By the byte order mark, or by zeros at every other byte, which ASCII has in UTF-16. */
const decodeUtf16 = (start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
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

/** Latin-1, whose 32 further control characters are characters in Windows-1252. */
const isWindows1252 = (start: Uint8Array): boolean =>
  start.every((byte) => !isControl(byte) && !unusedInWindows1252.has(byte));

const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return true;
  return false;
};

/** The text that the bytes are, in UTF-8, UTF-16 or Windows-1252; `undefined` where they are none. */
const decodeText = (start: Uint8Array): string | undefined => {
  const utf16 = decodeUtf16(start);
  if (utf16 !== undefined) {
    const text = start.length % 2 === 0 ? decoded(start, utf16) : undefined;
    return text === undefined || hasControls(text) ? undefined : text;
  }
  if (start.includes(0)) return undefined;
  const text = decoded(start, 'utf-8');
  return text ?? (isWindows1252(start) ? decoded(start, 'windows-1252') : undefined);
};

/** Where what may stand before the first element ends that begins at a place; `undefined` where nothing of it does. */
const endOfProlog = (text: string, at: number): number | undefined => {
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

/** Is the first element of a text that of an SVG image? */
const isSvg = (text: string): boolean => {
  let at: number | undefined = 0;
  for (;;) {
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    const end: number | undefined = endOfProlog(text, at);
    if (end === undefined) return /^<(?:[\w-]{1,50}:)?svg[\s/>]/.test(text.slice(at, at + 60));
    at = end;
  }
};

/** Known by its text, and never shown by itself: scripts may be in it. */
const svgType = 'image/svg+xml';

/** Of texts only, which are all alike, the name says more; never anything that a browser would run. */
const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  md: 'text/markdown',
  json: 'application/json',
};

const getExtension = (name: string): string =>
  name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';

/** The media type of a file by its first bytes, whatever it claims to be; HTML is a text. */
export const getMimeType = async (start: Uint8Array, name: string): Promise<string> => {
  // Loaded when it is first needed: most requests upload nothing.
  const { fileTypeFromBuffer } = await import('file-type');
  // What is broken on purpose may make the detector throw: it is told by nothing then.
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found && found.mime !== 'application/xml') return found.mime;
  const text = start.length === 0 ? undefined : decodeText(start);
  if (text !== undefined && isSvg(text)) return svgType;
  if (found) return found.mime;
  if (text === undefined) return 'application/octet-stream';
  return textTypes[getExtension(name)] ?? 'text/plain';
};

const documents =
  /^(text\/|application\/(pdf|rtf|json|xml|x-cfb|msword|epub\+zip|vnd\.(openxmlformats|oasis|ms-|visio|apple\.)))/;

const archives =
  /^application\/(zip|gzip|zstd|java-archive|vnd\.rar|x-(7z|ace|apache-arrow|arj|bzip2|compress|cpio|deb|gzip|iso9660|lzh|lzip|lz4|rar|rpm|tar|unix-archive|xz|zip)[\w-]*)/;

/** What kind of file a media type makes it, of the few that the API tells apart. */
export const getFileType = (mimeType: string): Exclude<FileType, 'folder'> => {
  const [main] = mimeType.split('/');
  if (main === 'image' || main === 'video' || main === 'audio') return main;
  if (documents.test(mimeType)) return 'document';
  return archives.test(mimeType) ? 'archive' : 'other';
};

/** What a browser shows by itself and what can't run anything in it; every other type is only ever saved. */
const shownInline = new Set([
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
]);

/** What a file of a media type is sent as: nothing that a browser would run, wherever it was asked for. */
export const getServedType = (mimeType: string): string =>
  mimeType === svgType ? 'application/octet-stream' : mimeType;

export const canDisplayInline = (mimeType: string): boolean => shownInline.has(mimeType);

/** The `Content-Disposition` of a file of this name (RFC 6266, RFC 8187). */
export const contentDisposition = (name: string, type: 'attachment' | 'inline'): string =>
  create(name, { type });
