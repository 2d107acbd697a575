import { encodePath } from '../../share-files/addresses.ts';
import { findFile, resolveReference } from '../../share-files/references.ts';
import { escapeHtml } from '../../text/html.ts';
import { decodeText } from '../page/decode-text.ts';
import { mapSrcset, ownFileScheme } from './addresses.ts';

/** The files of a share whose main page is Markdown. */
export interface OwnFiles {
  /** The path of the page. */
  readonly main: string;
  /** The paths of all files. */
  readonly paths: readonly string[];
}

const addresses = / (href|src|srcset)="([^"]*)"/g;
const tags = /<(?:a|img|source) [^>]*>/g;

/** What follows the path in an address. */
const suffix = /[?#].*$/s;

/** Creates what marks the addresses of a share’s own files, as escaped attributes. Others stay as they are. */
const createMarker = ({ main, paths }: OwnFiles) => {
  const known = new Set(paths);
  return (value: string): string => {
    const address = decodeText(value);
    // Nobody else writes the scheme.
    if (address.toLowerCase().includes(ownFileScheme)) return '';
    const target = resolveReference(main, address);
    const path = target && findFile(known, target.path);
    if (path === undefined) return value;
    const [rest = ''] = suffix.exec(address) ?? [];
    if (path === main && rest.startsWith('#')) return escapeHtml(rest);
    return `${ownFileScheme}${encodePath(path)}${escapeHtml(rest)}`;
  };
};

/**
 * Marks the links and images of a well-formed fragment that lead to files of the share, by a scheme that `placeOwnFiles` replaces
 * for each reader. Takes time linear in its length.
 */
export const markOwnFiles = (html: string, files: OwnFiles): string => {
  const mark = createMarker(files);
  return html.replace(tags, (tag) =>
    tag.replace(addresses, (_, name: string, value: string) => {
      const marked = name === 'srcset' ? mapSrcset(value, mark) : mark(value);
      return ` ${name}="${marked}"`;
    }),
  );
};
