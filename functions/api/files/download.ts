import type { Actor } from '../../../shared/auth/actor.ts';
import { read } from './record/files.ts';
import { type Download, type DownloadRequest, signFile } from './uploads/signed-download.ts';

/**
 * Signs an S3 URL that downloads a file under its name, or displays it if requested and safe.
 * @throws AppError NOT_FOUND; CONFLICT for a folder
 */
export const download = async (
  actor: Actor,
  id: number,
  request: DownloadRequest,
): Promise<Download> => signFile((await read(actor, id)).file, request);
