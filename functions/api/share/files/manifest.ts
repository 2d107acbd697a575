import type { Write } from '../../../../shared/db/transaction.ts';
import { LruCache } from '../../../../shared/runtime/lru-cache.ts';
import type { ShareFile } from '../../../../shared/share-files/share-file.ts';
import {
  readTexts,
  removeTexts,
  storeTexts,
  storeTextsUntil,
  type TextsRef,
} from '../../../../shared/storage/stored-text.ts';
import { shareKeys } from '../record/keys.ts';
import type { StoredFiles, StoredShare } from '../record/share.ts';

/** A file in a manifest. */
export interface ManifestFile extends ShareFile {
  /** The name of its object in the bucket. The main page has none: it is the source of the share. */
  readonly object?: string;
}

/** Bytes that only revisions still have. */
export interface FormerFile extends Required<Pick<ManifestFile, 'size' | 'sha256' | 'object'>> {
  /** When the last of these revisions is deleted (ms since 1970). */
  readonly until: number;
}

/** The files of a share, one compressed text (decisions.md#files-of-a-share). */
export interface Manifest {
  /** The path of the file that readers see first. */
  readonly main: string;
  readonly files: readonly ManifestFile[];
  readonly former: readonly FormerFile[];
}

/** Files of all manifests that a process keeps: some 50 manifests of the largest kind. */
const maxKept = 10_000;

/** By the id of their text, under which they never change. */
const kept = new LruCache<Manifest>(
  maxKept,
  ({ files, former }) => files.length + former.length + 1,
);

const toTexts = (manifest: Manifest) => ({ manifest: JSON.stringify(manifest) });

const sumSizes = (files: readonly { readonly size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** Returns what the record of a share says of its manifest. */
const toStoredFiles = (
  ref: TextsRef,
  { main, files, former }: Manifest,
  isOnly: boolean,
): StoredFiles => {
  const formerBytes = sumSizes(former);
  return {
    ref,
    main,
    count: files.length,
    bytes: sumSizes(files),
    ...(formerBytes > 0 && { formerBytes }),
    ...(isOnly && { only: true }),
  };
};

/**
 * Compresses a manifest. Returns what the record says of it and the write that stores it, for the transaction that writes the
 * record. `isOnly` says that the share is its one file.
 * @throws what S3 throws; nothing is stored then
 */
export const storeManifest = async (
  id: string,
  manifest: Manifest,
  { isOnly = false }: { readonly isOnly?: boolean } = {},
): Promise<{ readonly files: StoredFiles; readonly write: Write | undefined }> => {
  const owner = shareKeys.files.at({ id });
  const { ref, write } = await storeTexts(owner, toTexts(manifest), { inRecord: true });
  return { files: toStoredFiles(ref, manifest, isOnly), write };
};

/** Stores the manifest of a revision, which expires (ms since 1970), as `storeManifest` does. */
export const storeRevisionManifest = async (
  { id, version, files }: Pick<StoredShare, 'id' | 'version' | 'files'>,
  manifest: Manifest,
  expiresAt: number,
): Promise<{ readonly files: StoredFiles; readonly writes: readonly Write[] }> => {
  const owner = shareKeys.revisionFiles.at({ id, version });
  const former = { ...manifest, former: [] };
  const { ref, writes } = await storeTextsUntil(owner, toTexts(former), expiresAt);
  return { files: toStoredFiles(ref, former, files?.only === true), writes };
};

/** Creates the write that deletes a manifest, unless it is in the record or `next` overwrites it. */
export const removeManifest = (
  { id, files }: Pick<StoredShare, 'id' | 'files'>,
  next?: StoredFiles,
): Write | undefined => files && removeTexts(shareKeys.files.at({ id }), files.ref, next?.ref);

/** Creates the write that deletes the manifest of a revision. */
export const removeRevisionManifest = (
  id: string,
  version: number,
  { ref }: StoredFiles,
): Write | undefined => removeTexts(shareKeys.revisionFiles.at({ id, version }), ref);

const load = async (
  owner: Parameters<typeof readTexts>[0],
  { ref }: StoredFiles,
): Promise<Manifest | undefined> => {
  const known = kept.get(ref.id);
  if (known) return known;
  const texts = await readTexts(owner, ref, ['manifest']);
  if (texts?.manifest === undefined) return undefined;
  const manifest: Manifest = JSON.parse(texts.manifest);
  kept.set(ref.id, manifest);
  return manifest;
};

/** Reads the manifest of a share, or returns `undefined` if it was replaced or deleted since its record was read. */
export const loadManifest = (id: string, files: StoredFiles): Promise<Manifest | undefined> =>
  load(shareKeys.files.at({ id }), files);

/** Reads the manifest of a revision, or returns `undefined` if it is deleted. */
export const loadRevisionManifest = (
  id: string,
  version: number,
  files: StoredFiles,
): Promise<Manifest | undefined> => load(shareKeys.revisionFiles.at({ id, version }), files);
