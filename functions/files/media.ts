import { create } from 'content-disposition';
import type { FileType } from './file.ts';

/** So many bytes from the start of a file tell its type; of an archive, what kind of document it is. */
export const startBytes = 64 * 1024;

const isText = (start: Uint8Array): boolean => {
  if (start.includes(0)) return false;
  try {
    // What was cut off in the middle of a character is text nevertheless.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
};

/** Of texts only, which are all alike, the name says more; never anything that a browser would run. */
const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  md: 'text/markdown',
  json: 'application/json',
};

const extensionOf = (name: string): string =>
  name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';

/** The media type of a file by its first bytes, whatever it claims to be; HTML and SVG without a declaration are texts. */
export const mimeTypeOf = async (start: Uint8Array, name: string): Promise<string> => {
  // Loaded when it is first needed: most requests upload nothing.
  const { fileTypeFromBuffer } = await import('file-type');
  // What is broken on purpose may make the detector throw: it is told by nothing then.
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found) return found.mime;
  if (start.length === 0 || !isText(start)) return 'application/octet-stream';
  return textTypes[extensionOf(name)] ?? 'text/plain';
};

const documents =
  /^(text\/|application\/(pdf|rtf|json|xml|x-cfb|msword|epub\+zip|vnd\.(openxmlformats|oasis|ms-|visio|apple\.)))/;

const archives =
  /^application\/(zip|gzip|zstd|java-archive|vnd\.rar|x-(7z|ace|apache-arrow|arj|bzip2|compress|cpio|deb|gzip|iso9660|lzh|lzip|lz4|rar|rpm|tar|unix-archive|xz|zip)[\w-]*)/;

/** What kind of file a media type makes it, of the few that the API tells apart. */
export const typeOf = (mimeType: string): Exclude<FileType, 'folder'> => {
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

export const isShownInline = (mimeType: string): boolean => shownInline.has(mimeType);

/** The `Content-Disposition` of a file of this name (RFC 6266, RFC 8187). */
export const dispositionOf = (name: string, type: 'attachment' | 'inline'): string =>
  create(name, { type });
