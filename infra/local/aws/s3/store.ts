import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { link, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CorsRule } from './cors.ts';
import { type ObjectInfo, readObjectInfo, writeObjectFile } from './object-file.ts';
import { preconditionFailed, S3Error } from './s3-error.ts';
import { startUpload, type Upload } from './uploads.ts';

export interface StoredObject {
  readonly info: ObjectInfo;
  /** Closes itself after it is read. Callers that read only `info` must call `close`. */
  readonly file: FileHandle;
}

export interface Bucket {
  readonly name: string;
  /**
   * Stores an object, all or nothing.
   * @throws S3Error PreconditionFailed when `onlyNew` and the key exists
   */
  put(
    key: string,
    bytes: AsyncIterable<Buffer>,
    describe: () => ObjectInfo,
    onlyNew?: boolean,
  ): Promise<ObjectInfo>;
  /**
   * Opens an object for the caller to close; undefined if it is missing. Concurrent writes don’t change an open object.
   */
  open(key: string): Promise<StoredObject | undefined>;
  /** Deletes objects, and ignores missing keys. */
  delete(keys: readonly string[]): Promise<void>;
  /** Lists all objects, in no particular order. */
  list(): Promise<ObjectInfo[]>;
  corsRules(): Promise<readonly CorsRule[]>;
  setCorsRules(rules: readonly CorsRule[]): Promise<void>;
}

export interface Store {
  /** Creates a bucket; returns false if it exists. */
  createBucket(name: string): Promise<boolean>;
  /** @throws S3Error NoSuchBucket, InvalidBucketName */
  bucket(name: string): Promise<Bucket>;
  buckets(): Promise<{ name: string; createdAt: Date }[]>;
  /** Uploads in parts, by id. */
  readonly uploads: ReadonlyMap<string, Upload>;
  startUpload(bucket: string, key: string, headers: ObjectInfo['headers']): Promise<Upload>;
  /** Removes incomplete uploads. */
  close(): Promise<void>;
}

const UPLOADS = '.uploads';
const CORS_FILE = 'cors.json';
const READS_AT_ONCE = 32;

const getCode = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

/** Returns the result, or undefined if the file is missing. */
const ignoreMissing = async <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error) => {
    if (getCode(error) === 'ENOENT') return undefined;
    throw error;
  });

/** Returns the hash of a key, because keys such as `../../x` can’t be names of files. */
const fileName = (key: string): string => createHash('sha256').update(key).digest('hex');
const isFileName = (name: string): boolean => /^[\da-f]{64}$/.test(name);

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const isRunning = (pid: number): boolean => {
  // An earlier process with the same id left this folder.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return getCode(error) === 'EPERM';
  }
};

/** Creates this process's folder for uploads, and removes those of ended processes. */
const openUploads = async (path: string): Promise<string> => {
  const parent = join(path, UPLOADS);
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    if (isRunning(Number.parseInt(name, 10))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
  return mkdtemp(join(parent, `${process.pid}-`));
};

const assertName = (name: string): void => {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..')) return;
  throw new S3Error(400, 'InvalidBucketName', 'The specified bucket is not valid.');
};

const openBucket = (name: string, folder: string, uploads: string): Bucket => {
  const pathOf = (key: string) => join(folder, fileName(key));

  const openFile = async (path: string): Promise<StoredObject | undefined> => {
    const file = await ignoreMissing(open(path));
    if (!file) return undefined;
    try {
      return { file, info: await readObjectInfo(file) };
    } catch (error) {
      await file.close();
      throw error;
    }
  };

  return {
    name,
    async put(key, bytes, describe, onlyNew = false) {
      const upload = join(uploads, randomUUID());
      try {
        const info = await writeObjectFile(upload, bytes, describe);
        // Unlike a check before a rename, a link fails for all but one writer, in any process.
        if (onlyNew) await link(upload, pathOf(key));
        else await rename(upload, pathOf(key));
        await syncFolder(folder);
        return info;
      } catch (error) {
        if (getCode(error) !== 'EEXIST') throw error;
        throw preconditionFailed();
      } finally {
        await rm(upload, { force: true });
      }
    },
    open: (key) => openFile(pathOf(key)),
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
      await syncFolder(folder);
    },
    async list() {
      const names = (await readdir(folder)).filter(isFileName);
      const objects: ObjectInfo[] = [];
      const read = async (name: string): Promise<void> => {
        const object = await openFile(join(folder, name));
        if (!object) return;
        objects.push(object.info);
        await object.file.close();
      };
      for (let at = 0; at < names.length; at += READS_AT_ONCE) {
        await Promise.all(names.slice(at, at + READS_AT_ONCE).map(read));
      }
      return objects;
    },
    async corsRules() {
      const text = await ignoreMissing(readFile(join(folder, CORS_FILE), 'utf8'));
      return text === undefined ? [] : JSON.parse(text);
    },
    async setCorsRules(rules) {
      const upload = join(uploads, randomUUID());
      const file = await open(upload, 'wx');
      try {
        await file.writeFile(JSON.stringify(rules));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(upload, join(folder, CORS_FILE));
    },
  };
};

/** Opens the store in a folder, created if missing. Several processes can use it concurrently. */
export const openStore = async (path: string): Promise<Store> => {
  const uploads = await openUploads(path);
  const inParts = new Map<string, Upload>();

  return {
    uploads: inParts,
    startUpload: (bucket, key, headers) => startUpload(uploads, inParts, { bucket, key, headers }),
    async createBucket(name) {
      assertName(name);
      try {
        await mkdir(join(path, name));
      } catch (error) {
        if (getCode(error) === 'EEXIST') return false;
        throw error;
      }
      await syncFolder(path);
      return true;
    },
    async bucket(name) {
      assertName(name);
      const folder = join(path, name);
      if (await ignoreMissing(stat(folder))) return openBucket(name, folder, uploads);
      throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
    },
    async buckets() {
      const names = (await readdir(path)).filter((name) => name !== UPLOADS).sort();
      return Promise.all(
        names.map(async (name) => ({ name, createdAt: (await stat(join(path, name))).birthtime })),
      );
    },
    close: () => rm(uploads, { recursive: true, force: true }),
  };
};
