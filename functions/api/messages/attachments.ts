import { batchGet } from '../../../shared/db/dynamodb.ts';
import { AppError, type ErrorDetail, invalidInput } from '../../../shared/runtime/errors.ts';
import { ownerExists } from '../../../shared/users/person.ts';
import { isFolder, isReady, parseFile, type StoredFile } from '../files/record/file.ts';
import { fileKeys } from '../files/record/keys.ts';
import { type Download, type DownloadRequest, signFile } from '../files/uploads/signed-download.ts';
import { openMailbox } from './mailbox.ts';
import type { Attachment } from './message.ts';

/** The most files of a message. */
export const maxAttachments = 10;

const findProblem = (userId: number, file: StoredFile | undefined): string | undefined => {
  if (!file || !isReady(file) || file.ownerId !== userId) return 'must be the id of a file you own';
  return isFolder(file) ? 'must not be a folder' : undefined;
};

/**
 * Reads the files that a user attaches to a message.
 * @throws AppError VALIDATION_ERROR, naming the wrong ones by their positions
 */
export const readAttachments = async (
  userId: number,
  ids: readonly number[],
): Promise<readonly Attachment[]> => {
  if (ids.length === 0) return [];
  const items = await batchGet(ids.map((id) => fileKeys.record.at({ id })));
  const files = items.map(parseFile);
  const details: ErrorDetail[] = files.flatMap((file, at) => {
    const message = findProblem(userId, file);
    return message === undefined ? [] : [{ field: `attachments.${at}`, message }];
  });
  if (details.length > 0) throw invalidInput(details);
  return files.flatMap((file) => (file ? [{ id: file.id, name: file.name, size: file.size }] : []));
};

const notFound = () => new AppError('NOT_FOUND', 'Attachment not found.');

/**
 * Signs a download of a file for a user who has a copy of the message that it is attached to (decisions.md#messages).
 * @throws AppError NOT_FOUND, also if the file or its owner was deleted since
 */
export const downloadAttachment = async (
  userId: number,
  { id, fileId }: { readonly id: number; readonly fileId: number },
  request: DownloadRequest,
): Promise<Download> => {
  const mailbox = await openMailbox(userId);
  const found = await mailbox.find(id, [fileKeys.record.at({ id: fileId })]);
  const isAttached = found?.message.attachments?.some((one) => one.id === fileId) ?? false;
  const file = parseFile(found?.items[0]);
  if (!isAttached || !file || !isReady(file) || !(await ownerExists(file.ownerId, userId))) {
    throw notFound();
  }
  return signFile(file, request);
};
