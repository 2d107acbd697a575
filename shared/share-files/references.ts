import { findCssReferences } from './css-references.ts';
import { findHtmlReferences } from './html-references.ts';
import { findMarkdownReferences } from './markdown-references.ts';
import type { FoundReference, Reference } from './reference.ts';
import { findScriptReferences } from './script-references.ts';
import { getFileType, getPageKind } from './types.ts';

type Find = (text: string) => FoundReference[];

const finders: ReadonlyMap<string, Find> = new Map([
  ['text/html', findHtmlReferences],
  ['image/svg+xml', findHtmlReferences],
  ['text/css', findCssReferences],
  ['text/javascript', findScriptReferences],
]);

const getFinder = (path: string): Find | undefined =>
  getPageKind(path) === 'markdown' ? findMarkdownReferences : finders.get(getFileType(path));

/** Whether a file can refer to others, so that its text is needed to find missing ones: HTML, SVG, CSS, scripts and Markdown. */
export const hasReferences = (path: string): boolean => getFinder(path) !== undefined;

/** Adds their lines to references, which are in any order. */
const addLines = (text: string, found: readonly FoundReference[]): Reference[] => {
  let line = 1;
  let next = text.indexOf('\n');
  return found
    .toSorted((one, other) => one.start - other.start)
    .map((reference) => {
      while (next !== -1 && next < reference.start) {
        line += 1;
        next = text.indexOf('\n', next + 1);
      }
      return { ...reference, line };
    });
};

/**
 * Finds the addresses in the text of a file, by their places: in HTML and SVG those of elements, styles and scripts, in CSS, in
 * scripts those of modules and texts that begin with `/`, and in Markdown. At most 20,000; none in other files. Takes time linear
 * in the length of the text, and never throws.
 */
export const findReferences = (path: string, text: string): Reference[] =>
  addLines(text, getFinder(path)?.(text) ?? []);

/** What an address within the share leads to. */
export interface Target {
  /** The path of a file or folder; empty for the root. One out of the share begins with `../`. */
  readonly path: string;
  /** Whether it was written from the root of the host, such as `/assets/app.js`. */
  readonly isRoot: boolean;
}

/** A host and folder that no address names. */
const host = 'http://share.invalid';
const folder = '/~/';

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
};

/** Removes what browsers remove from an address. */
const trim = (url: string): string => url.replace(/^[\0-\x20]+/, '').replace(/[\t\n\r]+/g, '');

/**
 * Resolves an address as browsers do, without query and fragment. Returns `undefined` if it leads out of the share (another
 * scheme or host) or to the same page (a fragment, or a query only).
 * @param from the path of the file that has it; the folder of a page with `<base>` (see `getBase`) ends with `/`
 */
export const resolveReference = (from: string, url: string): Target | undefined => {
  const address = trim(url).replaceAll('\\', '/');
  if (address === '' || /^[?#]/.test(address) || address.startsWith('//')) return undefined;
  const base = `${host}${folder}${from.split('/').map(encodeURIComponent).join('/')}`;
  const resolved = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (resolved?.origin !== host) return undefined;
  const isRoot = address.startsWith('/');
  if (isRoot) return { path: decode(resolved.pathname.slice(1)), isRoot };
  const isWithin = resolved.pathname.startsWith(folder);
  const path = isWithin ? resolved.pathname.slice(folder.length) : `..${resolved.pathname}`;
  return { path: decode(path), isRoot };
};

/** Where a page resolves its addresses from, and the `<base>` that says so. */
export interface Base {
  /** The page itself, or a folder, which is empty or ends with `/`; `undefined` if it is out of the share. */
  readonly from: string | undefined;
  readonly reference?: Reference;
  /** Whether the folder isn’t in the share, so that its root takes its place: pages are built for a folder of a host. */
  readonly isReplaced: boolean;
}

/** Finds from where a page resolves its addresses: by its first `<base>`. */
export const findBase = (
  path: string,
  references: readonly Reference[],
  paths: ReadonlySet<string>,
): Base => {
  const reference = references.find(({ kind }) => kind === 'base');
  if (!reference || trim(reference.url) === '') return { from: path, isReplaced: false };
  const target = resolveReference(path, reference.url);
  if (!target) return { from: undefined, reference, isReplaced: false };
  const from = target.path.replace(/[^/]+$/, '');
  const isReplaced = target.isRoot && ![...paths].some((one) => one.startsWith(from));
  return { from: isReplaced ? '' : from, reference, isReplaced };
};

/** Returns the file that a path leads to: itself, or the `index.html` of the folder; `undefined` if there is none. */
export const findFile = (paths: ReadonlySet<string>, path: string): string | undefined => {
  if (paths.has(path)) return path;
  const index = path === '' || path.endsWith('/') ? `${path}index.html` : `${path}/index.html`;
  return paths.has(index) ? index : undefined;
};
