import { transact, type Write } from '../../../../shared/db/transaction.ts';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getFileType } from '../../../../shared/share-files/types.ts';
import {
  type Manifest,
  type ManifestFile,
  removeManifest,
  storeManifest,
} from '../files/manifest.ts';
import { listReusable, mergeManifest } from '../files/merge.ts';
import { discardShareObjects, putShareObject } from '../files/objects.ts';
import {
  cancelPruneWrite,
  createPruneEntry,
  prunesWrite,
  replaceEntry,
  schedulePrune,
} from '../files/prune-entries.ts';
import type { StoredFiles, StoredShare } from '../record/share.ts';
import { toChosenFile } from './chosen-files.ts';
import { objectsAtOnce, type PreparedContent, type PreparedFile } from './prepared-files.ts';

/** The files of a share, stored, and the writes that list them. */
export interface StoredContentFiles {
  readonly files: StoredFiles | undefined;
  readonly writes: readonly (Write | undefined)[];
  /** Deletes what was put, once it is certain that nothing lists it. A later pruning covers a failure. */
  discard(): Promise<void>;
}

/** The path of a text that is shown as lines: they are blocks of code in Markdown. */
const linesPath = 'index.md';

/** Longer than a reader’s request that has the former list. ms. */
const readMs = 60_000;

const latestOf = ({ former }: Manifest): number => Math.max(0, ...former.map(({ until }) => until));

const nothingPut = async (): Promise<void> => undefined;

/** Finds the object of each hash that is stored already: that of the share comes before one that was sent ahead. */
const findStored = (files: readonly PreparedFile[], former: Manifest | undefined) => {
  const objects = new Map<string, string>();
  const known = [...files, ...listReusable(former), ...(former?.files ?? [])];
  for (const { sha256, object } of known) if (object !== undefined) objects.set(sha256, object);
  return objects;
};

/** Creates the writes that delete what a list no longer has, and what it keeps for some time only. */
const schedulePruning = (id: string, former: Manifest | undefined, next: Manifest): Write[] => {
  if (!former) return [];
  const objectsOf = ({ files, former: kept }: Manifest) =>
    [...files, ...kept].flatMap(({ object }) => object ?? []);
  const left = new Set(objectsOf(next));
  const isDropped = objectsOf(former).some((object) => !left.has(object));
  const ends = next.former.map(({ until }) => until).filter((until) => until > latestOf(former));
  return [...(isDropped ? [Date.now() + readMs] : []), ...ends.slice(0, 1)].map((at) =>
    prunesWrite(createPruneEntry(id, at)),
  );
};

/** Returns a text that is shown as lines as the only page, for a list of files that its share had. */
const toPage = ({ source }: Pick<PreparedContent, 'source'>) => {
  const page = toChosenFile(linesPath, Buffer.from(source));
  return { main: linesPath, files: [{ ...page, type: getFileType(linesPath) }], isOnly: false };
};

/**
 * Puts the objects of files that aren’t stored yet, the same bytes once, and stores their list. The files that the share had
 * stay as former ones.
 * @throws what S3 throws; what is put by then is pruned later
 */
export const storeFiles = async (
  id: string,
  content: Pick<PreparedContent, 'files' | 'source'>,
  before?: Pick<StoredShare, 'id' | 'files'>,
  former?: Manifest,
): Promise<StoredContentFiles> => {
  const prepared = content.files ?? (former && toPage(content));
  if (!prepared) return { files: undefined, writes: [], discard: nothingPut };
  const { main, files: listed, isOnly } = prepared;
  const isMain = ({ path }: PreparedFile) => path === main && !isOnly;
  const objects = findStored(listed, former);
  const unknown = new Map(
    listed.flatMap((file) =>
      isMain(file) || objects.has(file.sha256) || !file.bytes ? [] : [[file.sha256, file.bytes]],
    ),
  );
  const entry = unknown.size > 0 ? await schedulePrune(id) : undefined;
  const put: string[] = [];
  const discard = async () => {
    if (entry && (await replaceEntry(entry))) await discardShareObjects(id, put);
  };
  await forEachAtOnce([...unknown], objectsAtOnce, async ([sha256, bytes]) => {
    const object = await putShareObject(id, bytes);
    objects.set(sha256, object);
    put.push(object);
  });
  const files = listed.map((file): ManifestFile => {
    const { path, size, sha256, type } = file;
    const object = isMain(file) ? undefined : objects.get(sha256);
    return { path, size, sha256, type, ...(object !== undefined && { object }) };
  });
  const manifest = mergeManifest(former, { main, files });
  if (files.length === 1 && !isOnly && manifest.former.length === 0) {
    return { files: undefined, writes: [before && removeManifest(before)], discard: nothingPut };
  }
  const stored = await storeManifest(id, manifest, { isOnly });
  return {
    files: stored.files,
    discard,
    writes: [
      stored.write,
      before && removeManifest(before, stored.files),
      entry && cancelPruneWrite(entry),
      ...schedulePruning(id, former, manifest),
    ],
  };
};

/**
 * Writes a transaction as `transact` does, and deletes what was put for it if it certainly wrote nothing: a condition failed.
 * @throws as `transact`
 */
export const transactOrDiscard = async <const Steps extends Parameters<typeof transact>[0]>(
  steps: Steps,
  discard: () => Promise<void>,
) => {
  try {
    const refused = await transact(steps);
    // After a conflict, the same objects may be listed by the next attempt.
    if (refused && refused.by !== 'changed') await discard();
    return refused;
  } catch (error) {
    if (error instanceof AppError) await discard();
    throw error;
  }
};
