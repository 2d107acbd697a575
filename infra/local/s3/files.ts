import { explainPort } from '../host/listen.ts';
import { StartError } from '../host/start-error.ts';
import { ensureBucket } from './bucket.ts';
import { type S3Engine, startS3 } from './engine.ts';

/** Where files lie. */
export interface LocalFiles {
  readonly endpoint: string;
  /**
   * Makes the bucket, unless it is there, and lets pages of these origins upload to it.
   * @throws StartError when the endpoint gives us none
   */
  prepareBucket(name: string, origins: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const startEngine = async (folder: string, port: number): Promise<S3Engine> => {
  try {
    return await startS3({ path: folder, port });
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'listen') throw explainPort(error, port, 'LOCAL_S3_PORT');
    throw new StartError(
      `Files can't be kept in ${folder}: see that you may write there, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
};

/**
 * Files at an endpoint of S3, or without one in an engine of its own that keeps them in the folder.
 * @throws StartError when the port is taken or the folder can't be used
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
      } catch (cause) {
        throw new StartError(
          `No bucket can be had at ${endpoint}: see that S3 runs there and that you may use it.`,
          { cause },
        );
      }
    },
    async close() {
      await engine?.close();
    },
  };
};
