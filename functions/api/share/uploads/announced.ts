import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { checkPaths, type PathProblem } from '../../../../shared/share-files/paths.ts';
import { getPageKind } from '../../../../shared/share-files/types.ts';
import { refusePaths } from '../files/refused-paths.ts';
import { packFiles, type StoredUpload, type UploadFile, unpackFiles } from './upload.ts';

/** A file that will be sent. */
export type AnnouncedFile = Omit<UploadFile, 'object'>;

const findConflict = (
  { path, size, sha256 }: AnnouncedFile,
  files: readonly UploadFile[],
): string | undefined => {
  const other = files.find((file) => file.path === path && file.sha256 !== sha256);
  if (other) return `has ${path} with other bytes already: start another upload`;
  const same = files.find((file) => file.sha256 === sha256 && file.size !== size);
  return same && `has two sizes of the same SHA-256: ${same.path} and ${path}`;
};

/** Returns the files of an upload with those that are announced, and what they add to its objects. */
const addFiles = (
  upload: Pick<StoredUpload, 'objects' | 'bytes'>,
  files: readonly UploadFile[],
  announced: readonly AnnouncedFile[],
  known: ReadonlySet<string>,
) => {
  let { objects, bytes } = upload;
  const all = [...files];
  for (const { path, size, sha256 } of announced) {
    const conflict = findConflict({ path, size, sha256 }, all);
    if (conflict !== undefined) throw invalidField('files', conflict);
    if (all.some((file) => file.path === path)) continue;
    const same = all.find((file) => file.sha256 === sha256);
    if (known.has(sha256)) all.push({ path, size, sha256 });
    else if (same?.object !== undefined) all.push({ path, size, sha256, object: same.object });
    else {
      all.push({ path, size, sha256, object: objects });
      objects += 1;
      bytes += size;
    }
  }
  return { all, objects, bytes };
};

/**
 * Returns an upload with the files that are announced; the same if it has all of them. The same bytes have one object, and those
 * that the share has (`known`, in hex) none.
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE that names what is wrong
 */
export const announce = (
  upload: StoredUpload,
  announced: readonly AnnouncedFile[],
  known: ReadonlySet<string>,
): StoredUpload => {
  const files = unpackFiles(upload);
  const { all, objects, bytes } = addFiles(upload, files, announced, known);
  if (all.length === files.length) return upload;
  // The main page is chosen later, so each page may have its size.
  const problems: readonly PathProblem[] = checkPaths(all, (path) => getPageKind(path) === 'html');
  if (problems.length > 0) throw refusePaths(problems);
  return { ...upload, packed: packFiles(all), objects, bytes, version: upload.version + 1 };
};

export const uploadNotFound = () => new AppError('NOT_FOUND', 'Upload not found.');
