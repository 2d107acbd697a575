import * as zip from '@zip.js/zip.js/lib/zip-core-reader.js';
import { toVisibleLine } from '../text/visible.ts';
import { type PathProblem, showPath } from './paths.ts';

/**
 * What is wrong with an archive: `not-zip`; `empty`; `damaged` (truncated, CRC, sizes, headers that contradict each other);
 * `overlap` (two entries share bytes); `encrypted`; `link` (or another special file); `nested` (a ZIP archive in it); `folder`
 * (one with content); `name` (unreadable or there twice); `path` (see `details`); `ratio`; `too-large`; `too-many`;
 * `unsupported` (split archives, compression other than Deflate).
 */
export type ZipProblemCode =
  | 'not-zip'
  | 'empty'
  | 'damaged'
  | 'overlap'
  | 'encrypted'
  | 'link'
  | 'nested'
  | 'folder'
  | 'name'
  | 'path'
  | 'ratio'
  | 'too-large'
  | 'too-many'
  | 'unsupported';

/** An archive can’t be unpacked. The message says what is wrong, with the path if it is about one file, then what to do. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem';
  readonly code: ZipProblemCode;
  /** All that is wrong with the paths and sizes of its files, if the code is `path` or `too-large`. */
  readonly details: readonly PathProblem[];

  constructor(code: ZipProblemCode, message: string, details: readonly PathProblem[] = []) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** Whether it is about size or number: a 413 instead of a 400. */
  get isTooLarge(): boolean {
    return this.code === 'too-large' || this.code === 'too-many' || this.code === 'ratio';
  }
}

const again = 'Create the archive again.';

/** Problems by the messages of zip.js’s errors. All others mean that the archive is damaged. */
const problems: Readonly<Record<string, readonly [ZipProblemCode, message: string]>> = {
  [zip.ERR_BAD_FORMAT]: ['not-zip', 'This isn’t a ZIP archive. Choose another file.'],
  [zip.ERR_EOCDR_NOT_FOUND]: ['not-zip', `This isn’t a ZIP archive, or it is cut off. ${again}`],
  [zip.ERR_SPLIT_ZIP_FILE]: ['unsupported', 'The archive is split. Create it in one part.'],
  [zip.ERR_ENCRYPTED_CENTRAL_DIRECTORY]: [
    'encrypted',
    'The archive is encrypted. Create it without a password.',
  ],
  [zip.ERR_OVERLAPPING_ENTRY]: ['overlap', `Files in the archive share the same bytes. ${again}`],
};

/** Converts an error of zip.js, with the name of the entry that it is about. */
export const toZipProblem = (error: unknown, name?: string): ZipProblem => {
  if (error instanceof ZipProblem) return error;
  const { message, reason } = error as { message?: string; reason?: string };
  const known = problems[message ?? ''];
  if (known) return new ZipProblem(...known);
  const about = name === undefined ? 'The archive' : showPath(name);
  const why = reason === undefined ? '' : `: ${toVisibleLine(reason)}`;
  return new ZipProblem('damaged', `${about} is damaged${why}. ${again}`);
};
