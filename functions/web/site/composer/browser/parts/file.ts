import type { Language } from '../../../../browser/editor/text-editor.ts';
import { languageTexts } from '../../../../browser/texts.ts';
import { formatBytes, mostBytes } from '../../content.ts';
import { composerTexts as texts } from '../../texts.ts';

/** An error about an unsupported file, with a message for users. */
export class FileError extends Error {}

/** Says that a content is too large. */
export const tooLargeText = (language: Language, bytes: number): string =>
  texts.tooLarge(languageTexts[language], formatBytes(bytes), formatBytes(mostBytes[language]));
