import type { Actor } from '../../../shared/auth/actor.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { notFoundError } from './record/file.ts';
import {
  type FoundFile,
  findEditable,
  nextFile,
  read,
  retryOnConflict,
  write,
} from './record/files.ts';
import { findThumbnail, thumbnailWrite } from './record/thumbnail.ts';
import { canHaveThumbnail } from './uploads/media.ts';

/**
 * Stores the thumbnail of an image, or replaces it.
 * @throws AppError NOT_FOUND unless the actor is the owner; CONFLICT if the file can't have one
 */
export const storeThumbnail = (actor: Actor, id: number, bytes: Uint8Array): Promise<FoundFile> =>
  retryOnConflict(async () => {
    const { file: before, tree } = await findEditable(actor, id);
    if (before.ownerId !== actor.user.id) throw notFoundError();
    if (!canHaveThumbnail(before.mimeType)) {
      throw new AppError('CONFLICT', 'Only images other than SVG can have a thumbnail.');
    }
    const after = nextFile(before, { hasThumbnail: true });
    const steps = [{ write: thumbnailWrite(id, bytes) }];
    return (await write(before, after, undefined, steps)) ? { file: after, tree } : undefined;
  });

/**
 * Reads the thumbnail of a file that the actor can view.
 * @throws AppError NOT_FOUND, also if the file has none
 */
export const readThumbnail = async (actor: Actor, id: number): Promise<Uint8Array> => {
  const [, bytes] = await Promise.all([read(actor, id), findThumbnail(id)]);
  if (!bytes) throw notFoundError();
  return bytes;
};
