import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ApiError } from '../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../functions/web/browser/client/client.ts';
import type { Data } from '../../../../functions/web/browser/client/endpoints.ts';
import { createUpload } from '../../client/upload.ts';
import { CliError } from '../error-mapping.ts';
import { interruption as signal } from '../interruption.ts';
import { note } from '../terminal/output.ts';
import { createBar } from '../terminal/progress.ts';

/** How often an upload starts, the first time included. */
const maxStarts = 5;

/** Opens a file without reading it. @throws CliError for a folder */
const openFile = async (path: string): Promise<File> => {
  if ((await stat(path)).isDirectory()) throw new CliError(`${path} is a folder.`);
  // Node.js 20 calls it experimental.
  process.removeAllListeners('warning');
  return new File([await openAsBlob(path)], basename(path));
};

const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'UNREACHABLE' || error.code === 'TIMEOUT');

/**
 * Stores a file. Starts again when the connection is lost; if it is given up, nothing is left.
 * @throws ApiError; the reason of the interruption
 */
export const putFile = async (
  client: Client,
  file: File,
  folder: string,
  onProgress: (part: number) => void = () => {},
): Promise<Data<'POST /api/files/{id}/complete'>> => {
  const upload = createUpload(client, file, { folder });
  try {
    for (let start = 1; ; start++) {
      try {
        return await upload.run({ onProgress, signal });
      } catch (error) {
        if (!isLost(error) || start === maxStarts) throw error;
        note(`The connection was lost: ${file.name} starts again.`);
      }
    }
  } catch (error) {
    await upload.cancel();
    throw error;
  }
};

/** Stores a file of this machine, as `putFile` does, with a progress bar. */
export const put = async (
  client: Client,
  path: string,
  folder: string,
): Promise<Data<'POST /api/files/{id}/complete'>> => {
  const file = await openFile(path);
  const bar = await createBar(basename(path));
  try {
    return await putFile(client, file, folder, bar.update);
  } finally {
    bar.stop();
  }
};
