import { AppError } from '../../../../shared/runtime/errors.ts';
import { LruCache } from '../../../../shared/runtime/lru-cache.ts';
import type { Manifest, ManifestFile } from '../files/manifest.ts';
import { readShareObject } from '../files/objects.ts';
import { modifiedMessage, notFound } from '../record/share.ts';
import type { Asker } from './access.ts';
import { type Admission, type AdmittedShare, admit } from './admission.ts';
import { readFilesAddress, readFilesToken } from './view-token.ts';

/** A share with its files, as a reader gets them. */
export interface AdmittedFiles {
  readonly admitted: AdmittedShare;
  readonly manifest: Manifest;
}

/** What a reader reads next: the source of the share, which is its main page, or another file. */
type NextFile = 'source' | 'nothing';

const expiredMessage = 'The page was opened more than 15 minutes ago. Open it again.';

/** Whether what the addresses of files begin with is a token: ids have no dots. */
export const isFilesToken = (prefix: string): boolean => prefix.includes('.');

/**
 * Returns the files of an admitted share.
 * @throws AppError NOT_FOUND if it has none, or takes a view first; as `readManifest`
 */
export const toAdmittedFiles = async (admission: Admission): Promise<AdmittedFiles> => {
  if (admission.reading === undefined) throw notFound();
  const manifest = await admission.readManifest();
  if (!manifest) throw notFound();
  return { admitted: admission, manifest };
};

/**
 * Admits who loads files of a share: by the id of one that everyone can read any number of times, and by the token of a page
 * for its content, which stays valid for that if everyone can read the share by now.
 * @throws AppError UNAUTHORIZED for an expired token; as `admit` and `toAdmittedFiles`
 */
export const admitToFiles = async (prefix: string, next: NextFile): Promise<AdmittedFiles> => {
  const wanted = { next, isById: true } as const;
  if (!isFilesToken(prefix)) return toAdmittedFiles(await admit(prefix, {}, wanted));
  const addressId = await readFilesAddress(prefix);
  if (addressId === undefined) throw new AppError('UNAUTHORIZED', expiredMessage);
  const admission = await admit(addressId, { files: prefix, isFrame: true }, wanted);
  if (!(await readFilesToken(prefix, admission.share, addressId))) throw notFound();
  return toAdmittedFiles(admission);
};

/**
 * Returns what a token in the address of a source proves: a view of the last minute, or that files of a page are read in the
 * 15 minutes after its view. Files include the main page, which is the source.
 */
export const toSourceToken = async (
  token: string | undefined,
): Promise<Pick<Asker, 'view' | 'files'>> =>
  token !== undefined && (await readFilesAddress(token)) !== undefined
    ? { files: token }
    : { view: token };

/** Bytes of files that a process keeps. */
const maxKeptBytes = 32 * 1024 * 1024;

/** What an entry takes besides its bytes. */
const overheadBytes = 512;

/** By the names of their objects, under which they never change. Without an admission they are worth nothing. */
const kept = new LruCache<Uint8Array>(maxKeptBytes, ({ length }) => length + overheadBytes);

/**
 * Reads a file of a share. The main page is the source.
 * @throws AppError as `readText`; SERVICE_UNAVAILABLE if it was replaced since the share was read
 */
export const readFile = async (
  { admitted }: Pick<AdmittedFiles, 'admitted'>,
  { object }: ManifestFile,
): Promise<Uint8Array> => {
  if (object === undefined) return Buffer.from(await admitted.readText('source'));
  const known = kept.get(object);
  if (known) return known;
  const bytes = await readShareObject(admitted.share.id, object);
  if (!bytes) throw new AppError('SERVICE_UNAVAILABLE', modifiedMessage);
  kept.set(object, bytes);
  return bytes;
};
