import type { Language } from '../../browser/editor/text-editor.ts';

/** What can be shared: bytes of UTF-8. The API checks it, too; here it is told before anything is sent. */
export const mostBytes: Readonly<Record<Language, number>> = {
  markdown: 512 * 1024,
  html: 2 * 1024 * 1024,
};

/** Returns whether a text is the source of HTML, which Markdown would show as it is written. */
export const isHtmlSource = (text: string): boolean =>
  /^\s*<(?:!doctype html|(?:html|head|body|div|section|article|main|header|h[1-6]|p|table|ul|ol|style|script|svg)[\s>])/i.test(
    text,
  ) && /<\/[a-z][a-z0-9]*>\s*$/i.test(text);

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A number of bytes for people: `512 KB`. What is too much is never rounded down to what is allowed. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${digits.format(bytes)} bytes`;
  const [unit, name] = bytes < 1024 * 1024 ? [1024, 'KB'] : [1024 * 1024, 'MB'];
  return `${digits.format(Math.ceil((bytes / unit) * 10) / 10)} ${name}`;
};
