// The script of the preview's frame for a page with files. The addresses of files are made here, because those that another
// origin makes can't be loaded.

import { type Files, followAddresses } from './addresses.ts';

/** A file: its bytes, or a text in which marks stand for the addresses of files before it. */
interface Part {
  readonly path: string;
  readonly type: string;
  readonly text?: string;
  readonly bytes?: Blob;
}

/** A page with its files, from the composer. */
interface Page {
  readonly path: string;
  readonly html: string;
  readonly parts: readonly Part[];
  readonly mark: string;
  readonly modules: string;
}

/** What comes before the content of a head. A script before the doctype would cause quirks mode. */
const beforeHead =
  /^\ufeff?(?:\s|<!--[\s\S]*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!--[\s\S]*?-->)*(?:<html[^>]*>)?(?:\s|<!--[\s\S]*?-->)*(?:<head[^>]*>)?/i;

const toImportMap = ({ parts, modules }: Page, urls: readonly string[]): string => {
  const scripts = parts.flatMap(({ path, type }, at) =>
    type === 'text/javascript'
      ? [[modules + encodeURI(path).replaceAll("'", '%27'), urls[at]]]
      : [],
  );
  if (scripts.length === 0) return '';
  const map = JSON.stringify({ imports: Object.fromEntries(scripts) }).replaceAll('<', '\\u003c');
  return `<script type="importmap">${map}</script>`;
};

/** Returns whether a message is a page with its files. */
export const isPage = (data: unknown): data is Page =>
  typeof data === 'object' && data !== null && 'parts' in data && Array.isArray(data.parts);

/** Makes the files of a page loadable, and returns its document. Links to other files are reported to `pageOrigin`. */
export const toDocument = (page: Page, pageOrigin: string): string => {
  const urls: string[] = [];
  const byPath = new Map<string, string>([[page.path, '']]);
  const mark = new RegExp(`${page.mark}(\\d+)\\.`, 'g');
  const fill = (text: string) => text.replace(mark, (_, at) => urls[at] ?? '');
  for (const { path, type, text, bytes } of page.parts) {
    const url = URL.createObjectURL(new Blob([bytes ?? fill(text ?? '')], { type }));
    urls.push(url);
    byPath.set(path, url);
  }
  const files: Files = { page: page.path, byPath };
  followAddresses(files, (path) => parent.postMessage({ open: path }, pageOrigin));
  const html = fill(page.html);
  const [start = ''] = beforeHead.exec(html) ?? [];
  return start + toImportMap(page, urls) + html.slice(start.length);
};
