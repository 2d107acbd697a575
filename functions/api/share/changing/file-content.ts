import type { FilePart } from '../../../../shared/http/multipart.ts';
import type { OtherContent } from '../../../../shared/http/route.ts';
import { detectLanguage } from '../../../../shared/markdown/files/content-language.ts';
import { filesToMarkdown } from '../../../../shared/markdown/files/files-to-markdown.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { maxPathLength } from '../../../../shared/share-files/limits.ts';
import { type DecodedText, decodeText } from '../../../../shared/text/decode.ts';
import { pattern } from '../../../../shared/text/pattern.ts';
import type { Language } from '../record/share.ts';
import { toSentFiles } from './sent-files.ts';
import { isDownload, isShownAlone } from './shown-alone.ts';

const decode = (bytes: Buffer, charset: string | undefined): DecodedText | undefined => {
  try {
    return decodeText(bytes, charset);
  } catch (cause) {
    throw invalidField('content-type', 'must name a known charset, such as utf-8', cause);
  }
};

/** Reads bytes as a text. @throws AppError VALIDATION_ERROR about `field` */
export const toText = (bytes: Buffer, field: string, charset?: string): DecodedText => {
  const decoded = decode(bytes, charset);
  if (decoded) return decoded;
  const expected = charset ?? 'UTF-8, in UTF-16 with a byte order mark, or in Windows-1252';
  throw invalidField(field, `must be text in ${expected}`);
};

/** Removes what some editors begin a text with. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** The content of a share that is a text. */
interface TextContent {
  readonly language: Language;
  readonly content: string;
}

/** A text as a file of lines, as in the composer. */
export const toFile = (name: string, text: string): TextContent => ({
  language: 'markdown',
  content: text && filesToMarkdown([{ name, text }]),
});

/** The text of a file: Markdown and HTML as a page, by the ending of its name, others as lines. */
export const toTextContent = (name: string, text: string): TextContent => {
  const language = detectLanguage(name);
  return language ? { language, content: withoutByteOrderMark(text) } : toFile(name, text);
};

/** What can’t stand in the path of a file. */
const notInPaths = pattern(String.raw`[\p{C}/\\]`, 'gu');

/** Converts the name of a file to a path in a share, from which files that begin with a dot are left out. */
export const toFilePath = (name: string): string =>
  name
    .replace(/^\.+/, '')
    .replace(notInPaths(), '_')
    .normalize('NFC')
    .slice(-maxPathLength)
    .toWellFormed();

/**
 * Converts a file to the fields of a share: Markdown and HTML become the content, pictures and downloads are files by themselves,
 * and other texts a block of code, as in the composer.
 * @throws AppError VALIDATION_ERROR for a file that is no text in a known encoding, though its name says that it is one
 */
export const toContent = (file: FilePart): OtherContent => {
  const { name, bytes } = file;
  const sent = toSentFiles([file]);
  if (sent.isArchive || isShownAlone(file) || isDownload(file)) return { fields: { sent } };
  const { text, encoding } = toText(bytes, 'file');
  return {
    fields: { fileName: name.slice(0, 255), ...toTextContent(name, text) },
    readAs: encoding,
  };
};
