import type { Actor } from '../../../shared/auth/actor.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { isFolder } from './record/file.ts';
import { read } from './record/files.ts';
import { canDisplayInline, contentDisposition, getServedType } from './uploads/media.ts';
import { signDownload } from './uploads/objects.ts';

const minute = 60;

/** A player asks for a film piece by piece, for as long as somebody watches. */
const toSeconds = (mimeType: string, isInline: boolean): number =>
  isInline && !mimeType.startsWith('image/') ? 60 * minute : 5 * minute;

/** Where a file is read, and until when (ISO 8601). */
export interface Download {
  readonly url: string;
  readonly expiresAt: string;
}

/**
 * A signed URL of S3's from which a file is read: saved under its name, or, where that is asked for and nothing in it can
 * run, shown.
 * @throws AppError NOT_FOUND; CONFLICT for a folder
 */
export const download = async (
  actor: Actor,
  id: number,
  wantsInline: boolean,
): Promise<Download> => {
  const { file } = await read(actor, id);
  const { object, name, mimeType = 'application/octet-stream' } = file;
  if (isFolder(file) || object === undefined) {
    throw new AppError('CONFLICT', 'Folders can’t be downloaded.');
  }
  const isInline = wantsInline && canDisplayInline(mimeType);
  const expiresIn = toSeconds(mimeType, isInline);
  const url = await signDownload(object, {
    disposition: contentDisposition(name, isInline ? 'inline' : 'attachment'),
    contentType: getServedType(mimeType),
    expiresIn,
  });
  return { url, expiresAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
};
