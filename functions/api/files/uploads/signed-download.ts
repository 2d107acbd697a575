import { contentDisposition } from '../../../../shared/http/content/content-disposition.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { isFolder, type StoredFile } from '../record/file.ts';
import { canDisplayInline, getServedType } from './media.ts';
import { signDownload } from './objects.ts';

const minute = 60;

/** A player requests a film in parts for as long as it plays. */
const getLifetimeSeconds = (mimeType: string, isInline: boolean): number =>
  isInline && !mimeType.startsWith('image/') ? 60 * minute : 5 * minute;

/** How a file is asked for: displayed if that is safe, and by a HEAD request, whose signature differs. */
export interface DownloadRequest {
  readonly inline: boolean;
  readonly isHead: boolean;
}

/** A signed URL and when it expires (ISO 8601). */
export interface Download {
  readonly url: string;
  readonly expiresAt: string;
}

/**
 * Signs an S3 URL that downloads a file under its name, or displays it if requested and safe; for HEAD, one that answers
 * HEAD. Who may read the file is for the caller to check.
 * @throws AppError CONFLICT for a folder
 */
export const signFile = async (
  file: StoredFile,
  { inline, isHead }: DownloadRequest,
): Promise<Download> => {
  const { object, name, mimeType = 'application/octet-stream' } = file;
  if (isFolder(file) || object === undefined) {
    throw new AppError('CONFLICT', 'Folders can’t be downloaded.');
  }
  const isInline = inline && canDisplayInline(mimeType);
  const expiresIn = getLifetimeSeconds(mimeType, isInline);
  const url = await signDownload(object, {
    disposition: contentDisposition(name, isInline ? 'inline' : 'attachment'),
    contentType: getServedType(mimeType, isInline),
    expiresIn,
    isHead,
  });
  return { url, expiresAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
};
