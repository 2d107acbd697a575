import {
  type SealedContent,
  sealContent,
} from '../../../../functions/web/browser/sealed/content.ts';
import { type PlainFile, sealUpload } from '../../../../functions/web/browser/sealed/files.ts';
import type { SealKey } from '../../../../functions/web/browser/sealed/key.ts';
import {
  getEnvelopeBytes,
  mostSealableBytes,
} from '../../../../functions/web/browser/sealed/size.ts';
import { SealedError } from '../../../../shared/sealed/envelope.ts';
import { maxFileBytes, maxMarkdownBytes } from '../../../../shared/share-files/limits.ts';
import { showPath } from '../../../../shared/share-files/paths.ts';
import { getFileType, getPageKind } from '../../../../shared/share-files/types.ts';
import { countBytes } from '../../../../shared/text/count-bytes.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { toText } from '../commands/content.ts';
import type { Shared } from '../commands/shared.ts';
import { CliError } from '../error-mapping.ts';
import type { ReadyFile, ReadyFiles } from '../folder/prepare.ts';

/** What is sealed of something to share: a text, and files that are downloads. */
interface Plain extends Pick<SealedContent, 'language' | 'text'> {
  readonly files: readonly PlainFile[];
}

/** A sealed content: its envelope, and the envelopes of its files by paths that tell nothing. */
export interface SealedShared extends Pick<SealedContent, 'language'> {
  readonly content: string;
  readonly files: readonly ReadyFile[];
}

const toPlainFile = ({ path, bytes }: ReadyFile): PlainFile => ({
  name: path,
  type: getFileType(path, bytes),
  bytes,
});

const toPlainFiles = ({ files, main }: ReadyFiles): Plain => {
  const page = files.find(({ path }) => path === main);
  const others = files.filter((file) => file !== page).map(toPlainFile);
  const language = page && getPageKind(page.path);
  if (!page || !language) return { language: 'markdown', text: '', files: files.map(toPlainFile) };
  return { language, text: toText(page.bytes, page.path), files: others };
};

/** Returns what is sealed: the page as the text, and all else as files. */
const toPlain = async (shared: Shared): Promise<Plain> => {
  if ('files' in shared) return toPlainFiles(shared.files);
  if ('file' in shared) {
    const { name: path } = shared.file;
    const bytes = new Uint8Array(await shared.file.arrayBuffer());
    return { language: 'markdown', text: '', files: [toPlainFile({ path, bytes })] };
  }
  const { content, language } = shared.text;
  return { language, text: content, files: [] };
};

const tooLong = (): CliError =>
  new CliError('The text is larger than 3.5 MB, the most that can be sealed. Share it in parts.');

/** Refuses Markdown that the composer couldn't save, and a page would convert for too long. @throws CliError */
const assertMarkdownSize = ({ language, text }: Pick<SealedContent, 'language' | 'text'>): void => {
  if (language !== 'markdown' || countBytes(text) <= maxMarkdownBytes) return;
  throw new CliError(
    `This is larger than ${formatBytes(maxMarkdownBytes)}, the most of Markdown and of lines. Put it into a folder beside a short page: there it is a download.`,
  );
};

/** Seals the text of a share with what it says of its files. @throws CliError for a text that is too long */
export const sealText = async (key: SealKey, content: SealedContent): Promise<string> => {
  assertMarkdownSize(content);
  return sealContent(key, content).catch((error: unknown) => {
    throw error instanceof SealedError ? tooLong() : error;
  });
};

/**
 * Seals what is to be shared, on this machine.
 * @throws CliError that names what is too large
 */
export const sealShared = async (key: SealKey, shared: Shared): Promise<SealedShared> => {
  const { language, text, files } = await toPlain(shared);
  assertMarkdownSize({ language, text });
  const large = files.filter(({ bytes }) => getEnvelopeBytes(bytes.length) > maxFileBytes);
  if (large.length > 0) {
    const names = large.map(({ name }) => showPath(name)).join(', ');
    const most = formatBytes(mostSealableBytes(maxFileBytes));
    throw new CliError(`Too large: ${names}. A file of a sealed share can have ${most}.`);
  }
  const sealed = [];
  // One by one: together, all would be in memory three times.
  for (const file of files) sealed.push(await sealUpload(key, file));
  const named = sealed.map(({ file }) => file);
  const content = await sealText(key, { language, text, files: named });
  return {
    ...{ language, content },
    files: sealed.map(({ file, bytes }) => ({ path: file.path, bytes })),
  };
};
