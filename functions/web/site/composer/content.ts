import { maxHtmlBytes, maxMarkdownBytes } from '../../../../shared/share-files/limits.ts';
import type { Language } from '../../browser/editor/text-editor.ts';

/** What can be shared: bytes of UTF-8. The API checks it, too; here it is told before anything is sent. */
export const mostBytes: Readonly<Record<Language, number>> = {
  markdown: maxMarkdownBytes,
  html: maxHtmlBytes,
};

/** The most bytes of a text that is sealed: its envelope goes in one request, and isn't compressed. */
const mostSealedBytes = 3.5 * 1024 * 1024;

/** Returns what can be shared in a language, in bytes of UTF-8. */
export const getMostBytes = (language: Language, isSealed: boolean): number =>
  isSealed ? Math.min(mostBytes[language], mostSealedBytes) : mostBytes[language];

/** Returns whether a text is the source of a whole page, of which Markdown would show the content only. */
export const isHtmlPage = (text: string): boolean => /^\s*<(?:!doctype )?html[\s>]/i.test(text);

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A number of bytes for people: `512 KB`. What is too much is never rounded down to what is allowed. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${digits.format(bytes)} bytes`;
  const [unit, name] = bytes < 1024 * 1024 ? [1024, 'KB'] : [1024 * 1024, 'MB'];
  return `${digits.format(Math.ceil((bytes / unit) * 10) / 10)} ${name}`;
};
