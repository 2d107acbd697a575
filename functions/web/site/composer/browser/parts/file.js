import { languageTexts } from '../../../../browser/texts.ts';
import { detectLanguage, formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';

/** @typedef {{ name: string, language: 'markdown' | 'html', text: string }} TextFile */

/** An error about an unsupported file, with a message for users. */
export class FileError extends Error {}

/** @param {'markdown' | 'html'} language @param {number} bytes */
export const tooLargeText = (language, bytes) =>
  texts.tooLarge(languageTexts[language], formatBytes(bytes), formatBytes(mostBytes[language]));

/**
 * Reads a text file for sharing.
 * @param {File} file
 * @returns {Promise<TextFile>}
 * @throws FileError if the type is unsupported, the file is too large or it isn't UTF-8
 */
export const readTextFile = async (file) => {
  const { name, size } = file;
  const language = detectLanguage(name);
  if (!language) throw new FileError(texts.wrongType);
  if (size > mostBytes[language]) throw new FileError(tooLargeText(language, size));
  const bytes = await file.arrayBuffer().catch(() => {
    throw new FileError(texts.unreadable(name));
  });
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { name, language, text };
  } catch {
    throw new FileError(texts.wrongEncoding(name));
  }
};
