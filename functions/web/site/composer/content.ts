/** What can be shared: bytes of UTF-8. The API checks it, too; here it is told before anything is sent. */
export const mostBytes = { markdown: 512 * 1024, html: 2 * 1024 * 1024 } as const;

export type Language = keyof typeof mostBytes;

const languages: Readonly<Record<string, Language>> = {
  md: 'markdown',
  markdown: 'markdown',
  txt: 'markdown',
  html: 'html',
  htm: 'html',
};

/** The language of a file by its name; `undefined` for one that can't be shared. */
export const detectLanguage = (fileName: string): Language | undefined => {
  const [, extension = ''] = fileName.match(/\.(\w+)$/) ?? [];
  return languages[extension.toLowerCase()];
};

/** How many bytes a text has as UTF-8. */
export const countBytes = (text: string): number => new TextEncoder().encode(text).length;

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A number of bytes for people: `512 KB`. What is too much is never rounded down to what is allowed. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${digits.format(bytes)} bytes`;
  const [unit, name] = bytes < 1024 * 1024 ? [1024, 'KB'] : [1024 * 1024, 'MB'];
  return `${digits.format(Math.ceil((bytes / unit) * 10) / 10)} ${name}`;
};
