import { maxHtmlGzipBytes } from '../../../../../../shared/share-files/limits.ts';
import type { Language } from '../../../../browser/editor/text-editor.ts';
import { languageTexts } from '../../../../browser/texts.ts';
import { formatBytes, getMostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';
import { isSealed } from './sealing/sealed.ts';

/** An error about an unsupported file, with a message for users. */
export class FileError extends Error {}

/** Says that a content is too large, of which this much is used, and for HTML what else can be done. */
export const tooLargeText = (language: Language, used: string): string => {
  const most = formatBytes(getMostBytes(language, isSealed.value));
  if (isSealed.value) return texts.tooLarge(texts.sealedText, used, most);
  if (language === 'markdown') return texts.tooLarge(languageTexts.markdown, used, most);
  const both = texts.htmlMost(most, formatBytes(maxHtmlGzipBytes));
  return `${texts.tooLarge(languageTexts.html, used, both)} ${texts.asFiles}`;
};
