/** A reference of a text to another file. */
export interface Reference {
  readonly url: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly kind: string;
}
export interface MissingFile {
  readonly path: string;
  readonly from: string;
  readonly line: number;
  readonly advice?: string;
}
const html = /\b(src|href)\s*=\s*["']([^"']+)["']/g;
const css = /(url)\(\s*["']?([^"')]+)["']?\s*\)/g;
const markdown = /(!?)\[[^\]]*\]\(([^)\s]+)\)/g;
export const findReferences = (path: string, text: string): Reference[] => {
  const pattern = /\.html?$/.test(path) ? html : /\.css$/.test(path) ? css : /\.md$/.test(path) ? markdown : undefined;
  if (!pattern) return [];
  return [...text.matchAll(pattern)].map((match) => {
    const url = match[2] ?? '';
    const start = match.index + match[0].lastIndexOf(url);
    const tag = text.slice(Math.max(0, text.lastIndexOf('<', start)), start);
    const isLink = /^<a\b/.test(tag) || match[1] === '' && pattern === markdown;
    return { url, start, end: start + url.length, line: text.slice(0, start).split('\n').length, kind: isLink ? 'link' : /^<img|^!/.test(tag) || match[1] === '!' ? 'image' : 'style' };
  });
};
export const resolveReference = (from: string, url: string): { path: string; isRoot: boolean } | undefined => {
  if (/^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(url)) return undefined;
  const { pathname } = new URL(url, `https://x.invalid/${from}`);
  return { path: decodeURIComponent(pathname).slice(1), isRoot: url.startsWith('/') };
};
export const findMissing = (files: readonly { path: string; text?: string }[]): MissingFile[] => {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, text }) => text === undefined ? [] : findReferences(path, text).flatMap(({ url, line }) => {
    const found = resolveReference(path, url);
    return found && !paths.has(found.path) && !paths.has(`${found.path}index.html`) ? [{ path: found.path, from: path, line }] : [];
  }));
};
