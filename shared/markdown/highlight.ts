import hljs from 'highlight.js/lib/common';

/**
 * Maximum length of a highlighted block in UTF-16 units, because highlighting takes about ten times as long as the
 * rest.
 */
const maxBlockLength = 16 * 1024;
/** CPU time in microseconds after which blocks stay plain, so that decoration never fails a conversion. */
const maxCpu = 400_000;

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
};

const decode = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity);

const usedCpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/**
 * Creates the highlighter of one conversion. It converts escaped code of a common language to HTML with classes
 * (`hljs-…`), or returns `undefined` if the language is unknown or highlighting would take too long.
 */
export const createHighlighter = () => {
  const start = usedCpu();
  return (language: string, code: string): string | undefined => {
    if (code.length > maxBlockLength || !hljs.getLanguage(language)) return undefined;
    if (usedCpu() - start > maxCpu) return undefined;
    return hljs.highlight(decode(code), { language, ignoreIllegals: true }).value;
  };
};
