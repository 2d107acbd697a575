import { listObjects } from '../../../../shared/storage/list-objects.ts';
import { signUpload, type UploadForm } from '../../../../shared/storage/upload-form.ts';
import { getObjectKey } from '../files/objects.ts';
import {
  getObjectName,
  getUploadPrefix,
  type StoredUpload,
  type UploadFile,
  unpackFiles,
} from './upload.ts';

/** How long a form is valid, in seconds. A sender who takes longer asks again. */
const formSeconds = 3_600;

/** A form that sends one file. */
export interface FileForm extends UploadForm {
  readonly path: string;
}

/** What is still to be sent of the files that a request names. */
export interface Forms {
  readonly forms: readonly FileForm[];
  /** The paths of files that need no form: their bytes are there, or another form sends the same. */
  readonly known: readonly string[];
}

/** Returns the keys of the objects that an upload has already. */
const listSent = async (upload: StoredUpload): Promise<ReadonlySet<string>> =>
  new Set((await listObjects(getUploadPrefix(upload))).objects.map(({ key }) => key));

/**
 * Signs the forms of files of an upload: each for exactly its size and SHA-256, straight to its object. `isNew` says that nothing
 * was sent yet.
 */
export const signForms = async (
  upload: StoredUpload,
  paths: readonly string[],
  { isNew }: { readonly isNew: boolean },
): Promise<Forms> => {
  const wanted = new Set(paths);
  const files = unpackFiles(upload).filter(({ path }) => wanted.has(path));
  const sent = isNew || upload.objects === 0 ? new Set<string>() : await listSent(upload);
  const seconds = Math.floor((Date.parse(upload.expiresAt) - Date.now()) / 1_000);
  const expiresIn = Math.max(1, Math.min(formSeconds, seconds));
  const signed = new Set<string>();
  const toForm = async ({ path, size, sha256, object }: UploadFile): Promise<FileForm[]> => {
    if (object === undefined) return [];
    const key = getObjectKey(upload.shareId, getObjectName(upload, object));
    if (sent.has(key) || signed.has(key)) return [];
    signed.add(key);
    const contentType = 'application/octet-stream';
    return [
      { path, ...(await signUpload(key, { size, contentType, checksum: sha256, expiresIn })) },
    ];
  };
  const forms = (await Promise.all(files.map(toForm))).flat();
  const withForm = new Set(forms.map(({ path }) => path));
  return { forms, known: paths.filter((path) => !withForm.has(path)) };
};
