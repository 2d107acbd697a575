import * as z from 'zod';
import { deleteObjects, findObject, putObject } from '../../../../shared/storage/bucket.ts';

/** The key of an asset of this build or a former one, by its path. */
export const storedAssetKey = (path: string): string => path.slice(1);

const indexKey = 'assets/index.json';

/** When each stored asset was replaced, by its path; `null` while it is of the build that is deployed. */
const Index = z.record(z.string(), z.iso.datetime().nullable());

/** How long assets stay after their build was replaced. ms. */
const keptMs = 30 * 24 * 60 * 60 * 1_000;

/** How many objects are written at once. */
const maxWrites = 8;

const limits = { maxBytes: 1_000_000, timeoutMs: 5_000 } as const;

const readIndex = async (): Promise<z.infer<typeof Index>> => {
  const bytes = await findObject(indexKey, limits);
  return bytes ? Index.parse(JSON.parse(Buffer.from(bytes).toString())) : {};
};

const putAll = async (assets: readonly (readonly [path: string, Uint8Array])[]): Promise<void> => {
  for (let at = 0; at < assets.length; at += maxWrites) {
    const some = assets.slice(at, at + maxWrites);
    await Promise.all(some.map(([path, bytes]) => putObject(storedAssetKey(path), bytes)));
  }
};

/** @throws Error if S3 keeps one */
const deleteAll = async (paths: readonly string[]): Promise<void> => {
  for (let at = 0; at < paths.length; at += 1_000) {
    const failed = await deleteObjects(paths.slice(at, at + 1_000).map(storedAssetKey));
    for (const error of failed.values()) throw error;
  }
};

/**
 * Stores a build's assets, notes which of the former builds' are replaced, and deletes those that were 30 days before `now` (ms).
 * Repeating it changes nothing more, and storing a former build's takes a deployment back.
 * @throws what S3 throws; then repeating it goes on
 */
export const storeAssets = async (
  assets: ReadonlyMap<string, Uint8Array>,
  now: number,
): Promise<void> => {
  const before = await readIndex();
  await putAll([...assets].filter(([path]) => before[path] !== null));
  const others = Object.entries(before)
    .filter(([path]) => !assets.has(path))
    .map(([path, replacedAt]) => [path, replacedAt ?? new Date(now).toISOString()] as const);
  const isOver = ([, replacedAt]: readonly [string, string]) =>
    Date.parse(replacedAt) <= now - keptMs;
  await deleteAll(others.filter(isOver).map(([path]) => path));
  const after = Object.fromEntries([
    ...[...assets.keys()].map((path) => [path, null] as const),
    ...others.filter((one) => !isOver(one)),
  ]);
  await putObject(indexKey, Buffer.from(JSON.stringify(after)));
};
