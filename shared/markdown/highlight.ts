import hljs from 'highlight.js/lib/common';

/** A longer block stays plain: highlighting is some ten times slower than all the rest. UTF-16 units. */
const longestBlock = 16 * 1024;
/** So do all blocks once a conversion has used so much CPU: it never fails for what is mere decoration. Microseconds. */
const latestCpu = 400_000;

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
 * A highlighter for one conversion: escaped code of a common language as HTML with classes (`hljs-…`), or nothing where
 * the code stays as it is, because its language is another, or it would take too long.
 */
export const createHighlighter = () => {
  const start = usedCpu();
  return (language: string, code: string): string | undefined => {
    if (code.length > longestBlock || !hljs.getLanguage(language)) return undefined;
    if (usedCpu() - start > latestCpu) return undefined;
    return hljs.highlight(decode(code), { language, ignoreIllegals: true }).value;
  };
};
