import type { Actor } from '../../../../shared/auth/actor.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { FilePart } from '../../../../shared/http/multipart.ts';
import { maxTitleLength } from '../../../../shared/input/share-limits.ts';
import { toTitle } from '../../../../shared/markdown/files/content-language.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { AppError, invalidField, missingPermission } from '../../../../shared/runtime/errors.ts';
import { maxFileBytes } from '../../../../shared/share-files/limits.ts';
import { getObject } from '../../../../shared/storage/bucket.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import {
  isFolder,
  isReady,
  notFoundError,
  parseFile,
  type StoredFile,
} from '../../files/record/file.ts';
import { fileKeys } from '../../files/record/keys.ts';
import type { Language } from '../record/share.ts';
import type { AskedFiles } from './chosen-files.ts';
import { toFilePath, toText, toTextContent } from './file-content.ts';
import { SentFiles } from './sent-files.ts';
import { isShownAsText } from './shown-alone.ts';

/** A stored file as the content of a new share. */
interface OwnFile {
  readonly content?: string;
  readonly language?: Language;
  readonly files?: AskedFiles;
  readonly fileTitle?: string;
  /** The encoding that it was read in, unless it is UTF-8. */
  readonly readAs?: string | undefined;
}

/** @throws AppError NOT_FOUND for a file that isn't the actor's, even if it is shared with them or they manage all files */
const findOwn = async ({ user }: Actor, id: number): Promise<StoredFile> => {
  const [item] = await batchGet([fileKeys.record.at({ id })]);
  const file = parseFile(item);
  if (!file || file.ownerId !== user.id || !isReady(file)) throw notFoundError();
  return file;
};

const tooLarge = ({ name, size }: StoredFile): AppError => {
  const limit = formatBytes(maxFileBytes);
  const message = `“${name}” has ${formatBytes(size)}. A file in a share can have ${limit}. Share it with people on the files page instead.`;
  const detail = { field: 'file', message: `must have at most ${limit}` };
  return new AppError('PAYLOAD_TOO_LARGE', message, { details: [detail] });
};

/**
 * Reads a stored file of the actor as the content of a new share: a text as its page or its lines, any other file as it is. The
 * share has a copy of it.
 * @throws AppError FORBIDDEN without `files:view`; NOT_FOUND for a file of someone else; VALIDATION_ERROR for a folder or an empty
 *   file; PAYLOAD_TOO_LARGE beyond 4 MB
 */
export const readOwnFile = async (actor: Actor, id: number): Promise<OwnFile> => {
  if (!can(actor.permissions, 'files:view')) throw missingPermission('files:view');
  const file = await findOwn(actor, id);
  if (isFolder(file) || file.object === undefined) {
    throw invalidField('file', 'must be a file, not a folder');
  }
  if (file.size === 0) throw invalidField('file', 'must not be empty');
  if (file.size > maxFileBytes) throw tooLarge(file);
  const bytes = await getObject(file.object);
  if (!bytes) throw notFoundError();
  const part = new FilePart(toFilePath(file.name), Buffer.from(bytes));
  if (!isShownAsText(part)) return { files: { sent: new SentFiles([part]) } };
  const { text, encoding } = toText(part.bytes, 'file');
  return {
    ...toTextContent(file.name, text),
    fileTitle: toTitle(file.name).slice(0, maxTitleLength),
    readAs: encoding,
  };
};
