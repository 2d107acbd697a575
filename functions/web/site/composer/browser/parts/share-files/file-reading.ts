import { maxTitleLength } from '../../../../../../../shared/input/share-limits.ts';
import {
  detectLanguage,
  toTitle,
} from '../../../../../../../shared/markdown/files/content-language.ts';
import { filesToMarkdown } from '../../../../../../../shared/markdown/files/files-to-markdown.ts';
import { type DecodedText, decodeText } from '../../../../../../../shared/text/decode.ts';
import type { Language } from '../../../../../browser/editor/text-editor.ts';
import { formatBytes, mostBytes } from '../../../content.ts';
import { fileTexts as texts } from '../../../file-texts.ts';
import { FileError, tooLargeText } from '../file.ts';

/** What files are shared as. */
export interface FilesContent {
  /** Their names, for messages. */
  readonly name: string;
  /** Empty for Markdown that may have one in its front matter. */
  readonly title: string;
  readonly language: Language;
  readonly text: string;
  /** Says which files aren’t in UTF-8, and how they were read; empty if all are. */
  readonly readAs: string;
}

/** Reads the exact text of a file. @throws FileError if it can’t be read or isn’t a text */
const readText = async (file: File): Promise<DecodedText> => {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileError(texts.unreadable(file.name));
  });
  const decoded = decodeText(bytes);
  if (!decoded) throw new FileError(texts.wrongEncoding(file.name));
  return decoded;
};

const sayEncodings = (files: readonly (DecodedText & { readonly name: string })[]): string =>
  files
    .map(({ name, encoding }) => (encoding === undefined ? '' : texts.readAs(name, encoding)))
    .filter(Boolean)
    .join(' ');

const assertSize = (language: Language, bytes: number): void => {
  if (bytes > mostBytes[language]) throw new FileError(tooLargeText(language, formatBytes(bytes)));
};

/**
 * Reads files for sharing. A single one of Markdown or HTML is the content; any other, and several, become blocks of code
 * in Markdown.
 * @throws FileError if they are too large, or one isn’t a text
 */
export const readFiles = async (files: readonly File[]): Promise<FilesContent> => {
  const [first] = files;
  const names = files.map(({ name }) => name).join(', ');
  const language = files.length === 1 && first ? detectLanguage(first.name) : undefined;
  if (first && language) {
    assertSize(language, first.size);
    const decoded = await readText(first);
    const text = decoded.text.replace(/^\uFEFF/, '');
    const mayHaveTitle = language === 'markdown' && text.startsWith('---');
    return {
      name: names,
      title: mayHaveTitle ? '' : toTitle(names).slice(0, maxTitleLength),
      language,
      text,
      readAs: sayEncodings([{ ...decoded, name: names }]),
    };
  }
  assertSize(
    'markdown',
    files.reduce((sum, { size }) => sum + size, 0),
  );
  const read = await Promise.all(
    files.map(async (file) => ({ name: file.name, ...(await readText(file)) })),
  );
  const text = filesToMarkdown(read);
  const title = names.slice(0, maxTitleLength);
  const readAs = sayEncodings(read);
  return { name: names, title, language: 'markdown', text, readAs };
};
