import { create } from 'content-disposition';
import { pattern } from '../../text/pattern.ts';

const marks = pattern(String.raw`\p{M}`, 'gu');

/** Whatever isn't ASCII, what no file name on Windows may have, and the percent sign, which some clients decode. */
const unsafe = /[^\x20-\x7e]|[\\/:*?"<>|%]/g;

/**
 * Creates the `Content-Disposition` of a file (RFC 6266). Clients that know `filename*` get the exact name; for others, `_`
 * stands for what they could not read or store.
 */
export const contentDisposition = (name: string, type: 'attachment' | 'inline'): string => {
  const fallback = name.normalize('NFKD').replace(marks(), '').replace(unsafe, '_');
  return create(name, { type, fallback });
};
