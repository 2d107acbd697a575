import type { Language } from '../../../../browser/editor/text-editor.ts';
import { languageTexts } from '../../../../browser/texts.ts';
import { detectLanguage, formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';

/** A file that can be shared. */
export interface TextFile {
  readonly name: string;
  readonly language: Language;
  readonly text: string;
}

/** An error about an unsupported file, with a message for users. */
export class FileError extends Error {}

/** Says that a content is too large. */
export const tooLargeText = (language: Language, bytes: number): string =>
  texts.tooLarge(languageTexts[language], formatBytes(bytes), formatBytes(mostBytes[language]));

/**
 * Reads a text file for sharing.
 * @throws FileError if the type is unsupported, the file is too large or it isn't UTF-8
 */
export const readTextFile = async (file: File): Promise<TextFile> => {
  const { name, size } = file;
  const language = detectLanguage(name);
  if (!language) throw new FileError(texts.wrongType);
  if (size > mostBytes[language]) throw new FileError(tooLargeText(language, size));
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileError(texts.unreadable(name));
  });
  try {
    return { name, language, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new FileError(texts.wrongEncoding(name));
  }
};
