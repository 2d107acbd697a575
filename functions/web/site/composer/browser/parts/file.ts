import {
  detectLanguage,
  toTitle,
} from '../../../../../../shared/markdown/files/content-language.ts';
import { decodeUtf8 } from '../../../../../../shared/text/utf8.ts';
import { unreachable } from '../../../../browser/client/api-error.ts';
import type { Language } from '../../../../browser/editor/text-editor.ts';
import { languageTexts } from '../../../../browser/texts.ts';
import { formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';

/** What files are shared as. */
export interface FilesContent {
  /** Their names, for messages and as a title. */
  readonly name: string;
  readonly title: string;
  readonly language: Language;
  readonly text: string;
}

/** An error about an unsupported file, with a message for users. */
export class FileError extends Error {}

/** Says that a content is too large. */
export const tooLargeText = (language: Language, bytes: number): string =>
  texts.tooLarge(languageTexts[language], formatBytes(bytes), formatBytes(mostBytes[language]));

/** Reads the exact text of a file. @throws FileError if it can’t be read or isn’t a text in UTF-8 */
const readText = async (file: File): Promise<string> => {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileError(texts.unreadable(file.name));
  });
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new FileError(texts.wrongEncoding(file.name));
  return text;
};

const assertSize = (language: Language, bytes: number): void => {
  if (bytes > mostBytes[language]) throw new FileError(tooLargeText(language, bytes));
};

/** Loaded with the first code: most texts are written here. */
const loadWriter = () =>
  import('../../../../../../shared/markdown/files/files-to-markdown.ts').catch(() => {
    throw new FileError(unreachable(undefined).message);
  });

/**
 * Reads files for sharing. A single one of Markdown, HTML or plain text is the content; any other, and several, become
 * blocks of code in Markdown.
 * @throws FileError if they are too large, or one isn’t a text in UTF-8
 */
export const readFiles = async (files: readonly File[]): Promise<FilesContent> => {
  const [first] = files;
  const names = files.map(({ name }) => name).join(', ');
  const language = files.length === 1 && first ? detectLanguage(first.name) : undefined;
  if (first && language) {
    assertSize(language, first.size);
    const text = await readText(first);
    return {
      name: names,
      title: toTitle(first.name),
      language,
      text: text.replace(/^\uFEFF/, ''),
    };
  }
  assertSize(
    'markdown',
    files.reduce((sum, { size }) => sum + size, 0),
  );
  const { filesToMarkdown } = await loadWriter();
  const read = files.map(async (file) => ({ name: file.name, text: await readText(file) }));
  const text = filesToMarkdown(await Promise.all(read));
  return { name: names, title: names, language: 'markdown', text };
};
