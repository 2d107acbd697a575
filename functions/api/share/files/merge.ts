import { maxFiles, maxFilesBytes } from '../../../../shared/share-files/limits.ts';
import { revisionRetentionMs } from '../record/revisions.ts';
import type { FormerFile, Manifest, ManifestFile } from './manifest.ts';

/** The most bytes of former files: those of a whole share. */
const maxFormerBytes = maxFilesBytes;

/** The most former files, however small: those of ten whole shares. */
const maxFormer = 10 * maxFiles;

/** Returns the newest within the limits of number and size. */
const selectFormer = (former: readonly FormerFile[]): readonly FormerFile[] => {
  let bytes = 0;
  return former
    .toSorted((one, other) => other.until - one.until)
    .slice(0, maxFormer)
    .filter(({ size }) => {
      bytes += size;
      return bytes <= maxFormerBytes;
    });
};

const listObjects = (files: readonly Pick<ManifestFile, 'object'>[]): ReadonlySet<string> =>
  new Set(files.flatMap(({ object }) => object ?? []));

/** Returns the former files that are still kept, without those that are files again. */
const listKept = (
  former: readonly FormerFile[],
  files: readonly ManifestFile[],
  now: number,
): readonly FormerFile[] => {
  const used = listObjects(files);
  return former.filter(({ object, until }) => until > now && !used.has(object));
};

/** Returns the files of a manifest that `files` doesn't have, each object once. */
const listReplaced = (
  { files }: Manifest,
  next: readonly ManifestFile[],
  until: number,
): readonly FormerFile[] => {
  const used = new Set(listObjects(next));
  return files.flatMap(({ object, size, sha256 }) => {
    if (object === undefined || used.has(object)) return [];
    used.add(object);
    return [{ object, size, sha256, until }];
  });
};

/**
 * Returns the manifest that replaces another: what it no longer has stays as former files for 30 days: the newest, up to 2,000
 * and 25 MB.
 */
export const mergeManifest = (
  before: Manifest | undefined,
  next: Pick<Manifest, 'main' | 'files'>,
  now = Date.now(),
): Manifest => ({
  ...next,
  former: before
    ? selectFormer([
        ...listReplaced(before, next.files, now + revisionRetentionMs),
        ...listKept(before.former, next.files, now),
      ])
    : [],
});

/** Longer than any request: by then, nothing deletes a former file that it takes up again. ms. */
const requestMs = 3_600_000;

/** Returns the former files that can be files again. */
export const listReusable = (
  manifest: Manifest | undefined,
  now = Date.now(),
): readonly FormerFile[] => manifest?.former.filter(({ until }) => until > now + requestMs) ?? [];

/** Whether a manifest has former files that are no longer kept. */
export const hasExpired = ({ former }: Manifest, now = Date.now()): boolean =>
  former.some(({ until }) => until <= now);

/** Returns a manifest without former files that are no longer kept. */
export const withoutExpired = (manifest: Manifest, now = Date.now()): Manifest => ({
  ...manifest,
  former: listKept(manifest.former, manifest.files, now),
});

/** Whether two manifests have the same files, and the same one first. */
export const haveSameFiles = (
  one: Pick<Manifest, 'main' | 'files'>,
  other: Pick<Manifest, 'main' | 'files'>,
): boolean => {
  const describe = ({ main, files }: Pick<Manifest, 'main' | 'files'>) =>
    JSON.stringify([
      main,
      files.map(({ path, sha256, type }) => `${path}\n${sha256}\n${type}`).toSorted(),
    ]);
  return describe(one) === describe(other);
};
