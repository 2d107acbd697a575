import { languageTexts } from '../../../../browser/texts.ts';
import { detectLanguage, formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';

/** @typedef {{ name: string, language: 'markdown' | 'html', text: string }} TextFile */

/** A file that can't be shared; its message may be shown. */
export class FileError extends Error {}

/** @param {'markdown' | 'html'} language @param {number} bytes */
export const tooLargeText = (language, bytes) =>
  texts.tooLarge(languageTexts[language], formatBytes(bytes), formatBytes(mostBytes[language]));

/**
 * Reads a file that is to be shared.
 * @param {File} file
 * @returns {Promise<TextFile>}
 * @throws FileError for another type, for one that is too large, and for what is no text in UTF-8
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
