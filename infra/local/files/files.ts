import { loadBucket } from '../../../shared/storage/bucket.ts';
import { runInProcess } from '../aws/host/in-process.ts';
import { toPortError } from '../aws/host/listen.ts';
import { StartError } from '../aws/host/start-error.ts';
import { type S3Engine, startS3 } from '../aws/s3/engine.ts';
import { ensureBucket } from './bucket.ts';

/** The storage of files. */
export interface LocalFiles {
  readonly endpoint: string;
  /**
   * Creates the bucket, unless it exists, and allows uploads from pages of these origins.
   * @throws StartError when S3 is unavailable
   */
  prepareBucket(name: string, origins: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const startEngine = async (folder: string, port: number): Promise<S3Engine> => {
  try {
    return await startS3({ path: folder, port });
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'listen') throw toPortError(error, port, 'LOCAL_S3_PORT');
    throw new StartError(`Can’t write to ${folder}. Set DATA_DIR to a writable folder.`, {
      cause: error,
    });
  }
};

/**
 * Opens the storage of files at an S3 endpoint, or starts a local engine that stores them in the folder.
 * @throws StartError when the port is in use or the folder is not writable
 */
export const openFiles = async (
  given: string | undefined,
  folder: string,
  port: number,
): Promise<LocalFiles> => {
  const engine = given === undefined ? await startEngine(folder, port) : undefined;
  const endpoint = given ?? engine?.endpoint ?? '';
  return {
    endpoint,
    async prepareBucket(name, origins) {
      try {
        await ensureBucket(name, origins);
        if (engine) runInProcess((await loadBucket()).client, engine.operations);
      } catch (cause) {
        throw new StartError(
          `Can’t reach S3 at ${endpoint}. Check that it is running and your permissions.`,
          { cause },
        );
      }
    },
    async close() {
      await engine?.close();
    },
  };
};
