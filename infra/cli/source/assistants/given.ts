import { maxFileBytes, maxHtmlBytes } from '../../../../shared/share-files/limits.ts';
import { getFileType } from '../../../../shared/share-files/types.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { assertMarkdownSize, type ContentOptions, toContent, toText } from '../commands/content.ts';
import { isShownAlone, type Shared } from '../commands/shared.ts';
import { CliError } from '../error-mapping.ts';
import { readChecked } from '../folder/checked-file.ts';
import { maxArchiveBytes, readArchive } from '../folder/given.ts';
import { type PageOptions, prepareFiles } from '../folder/prepare.ts';
import { listFolder } from '../folder/walk.ts';
import type { Place } from './confinement.ts';

/** The most bytes of a message that the service takes, without what is around its content. */
export const maxServiceBytes = 4 * 1024 * 1024 - 64 * 1024;

/** How a file or folder is shared whose name doesn’t tell. */
export interface GivenOptions extends Pick<ContentOptions, 'language'>, PageOptions {}

/**
 * Reads a folder, a ZIP archive or a file to share, as `handbill share` does: a page by its ending, a picture or a PDF by itself,
 * and any other text as lines.
 * @throws CliError that names all problems
 */
export const readToShare = async (
  { real, name, isFolder }: Place,
  { language, ...options }: GivenOptions,
): Promise<Shared> => {
  if (isFolder) return { files: await prepareFiles(name, await listFolder(real), options) };
  if (/\.zip$/i.test(name)) {
    return { files: await readArchive(name, await readChecked(real, maxArchiveBytes), options) };
  }
  const bytes = await readChecked(real, maxHtmlBytes);
  const file = { path: name, size: bytes.length, read: async () => bytes };
  if (options.main !== undefined) return { files: await prepareFiles(name, [file], options) };
  if (language === undefined && isShownAlone.test(getFileType(name, bytes))) {
    if (bytes.length > maxFileBytes) {
      throw new CliError(`${name} is larger than ${formatBytes(maxFileBytes)}.`);
    }
    return { files: { name, fileName: name, files: [{ path: name, bytes }] } };
  }
  const text = toContent(toText(bytes, name), { name, ...(language && { language }) });
  if (!options.isSealed) assertMarkdownSize(text);
  return { text };
};

/** The most bytes of a document’s text. */
const maxDocumentBytes = 2 * 1024 * 1024;

/** Reads the text of a document. @throws CliError if it is none, or too large */
export const readDocument = async ({ real, name, isFolder }: Place): Promise<string> => {
  if (isFolder) throw new CliError(`${name} is a folder. Name a file.`);
  return toText(await readChecked(real, maxDocumentBytes), name);
};

/** The most bytes of a file in a message, in Base64 and with what is around it. */
const maxPutBytes = Math.floor((maxServiceBytes * 3) / 4);

/** Reads one file of a share. @throws CliError if it is too large */
export const readShareFile = async ({ real, name, isFolder }: Place): Promise<Buffer> => {
  if (isFolder) {
    throw new CliError(`${name} is a folder. Name a file, or send the folder by share_update.`);
  }
  return readChecked(real, maxPutBytes);
};
