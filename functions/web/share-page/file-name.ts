import { pattern } from '../../../shared/text/pattern.ts';

/** In code points. File systems allow 255 bytes. */
const maxLength = 60;

/** Device names, which Windows reserves. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

const unsafe = pattern(String.raw`[\p{C}\p{Z}\\/:*?"<>|]+`, 'gu');

/** Turns a title into a name that any file system accepts: no path, no hidden file, no invisible characters. */
const toStem = (title: string): string => {
  const visible = title.normalize('NFC').replace(unsafe(), ' ');
  const cut = [...visible.replace(/^[\s.]+/, '')].slice(0, maxLength).join('');
  return cut.replace(/[\s.]+$/, '').replace(reserved, '_$&');
};

/** Returns the file name for a download; `extension` is without a dot. */
export const fileName = (title: string | undefined, extension: string): string =>
  `${toStem(title ?? '') || 'snippet'}.${extension}`;

/** Returns the name of a shared file for its download. */
export const sharedFileName = (name: string): string => toStem(name) || 'snippet';
