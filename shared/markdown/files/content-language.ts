const languages: ReadonlyMap<string, 'markdown' | 'html'> = new Map([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['html', 'html'],
  ['htm', 'html'],
]);

/** The language of a file whose text is shared as a page, by its name; `undefined` for one that is shown as lines (decisions.md#plain-text). */
export const detectLanguage = (fileName: string): 'markdown' | 'html' | undefined => {
  const [, extension = ''] = fileName.match(/\.(\w+)$/) ?? [];
  return languages.get(extension.toLowerCase());
};

/** Whether a text without a name is HTML: it begins and ends with tags. */
export const isHtmlSource = (text: string): boolean =>
  /^\s*<(?:!doctype html|(?:html|head|body|div|section|article|main|header|h[1-6]|p|table|ul|ol|style|script|svg)[\s>])/i.test(
    text,
  ) && /<\/[a-z][a-z0-9]*>\s*$/i.test(text);

/** The title of a file that is shared: its name, without the extension where its text is shared as a page. */
export const toTitle = (fileName: string): string =>
  detectLanguage(fileName) ? fileName.replace(/\.\w+$/, '') : fileName;
