import { pattern } from '../../../shared/text/pattern.ts';

/** In code points. File systems allow 255 bytes. */
const maxLength = 60;

/** Device names, which Windows reserves. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

const unsafe = pattern(String.raw`[\p{C}\p{Z}\\/:*?"<>|]+`, 'gu');
const marks = pattern(String.raw`\p{M}`, 'gu');

/** Turns a title into a name that any file system accepts: no path, no hidden file, no invisible characters. */
const toStem = (title: string): string => {
  const visible = title.normalize('NFC').replace(unsafe(), ' ');
  const cut = [...visible.replace(/^[\s.]+/, '')].slice(0, maxLength).join('');
  return cut.replace(/[\s.]+$/, '').replace(reserved, '_$&');
};

/** Replaces everything but ASCII for old clients, and the percent sign, which some of them decode. */
const toAscii = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(marks(), '')
    .replace(/[^\x20-\x7e]|[%"\\]/g, '_');

const encode = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );

/** Returns the file name for a download; `extension` is without a dot. */
export const fileName = (title: string | undefined, extension: string): string =>
  `${toStem(title ?? '') || 'snippet'}.${extension}`;

/** Returns the name of a shared file for its download. */
export const sharedFileName = (name: string): string => toStem(name) || 'snippet';

/** Returns the `Content-Disposition` of a download with this name (RFC 6266). */
export const attachment = (name: string): string =>
  `attachment; filename="${toAscii(name)}"; filename*=UTF-8''${encode(name)}`;
