import { getFolder } from './draft-file.ts';

/** A reference of a text to another file of the share. */
export interface Target {
  /** The path of the file. */
  readonly path: string;
  /** The reference as it is written, and where. UTF-16 units. */
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/** A text with its references. */
export interface LinkedText {
  readonly path: string;
  readonly text: string;
  readonly targets: readonly Target[];
}

/** New paths by those of before. */
export type Moves = ReadonlyMap<string, string>;

const normalize = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
};

/**
 * Plans to rename a file or folder. A name with slashes moves it, beginning at its folder; one that begins with a slash,
 * at the root.
 */
export const planRename = (paths: readonly string[], path: string, name: string): Moves => {
  const typed = name.trim().normalize('NFC');
  const renamed = normalize(typed.startsWith('/') ? typed : getFolder(path) + typed);
  if (typed === '' || renamed === path || renamed === '') return new Map();
  const moved = paths.filter((one) => one === path || one.startsWith(`${path}/`));
  return new Map(moved.map((one) => [one, renamed + one.slice(path.length)]));
};

/** Percent-encodes what has a meaning in addresses, HTML, CSS or Markdown. */
const encode = (path: string): string =>
  path.replace(/[^\p{L}\p{N}/._~-]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

/** Returns the shortest relative address of a path from a file. */
export const toRelative = (from: string, path: string): string => {
  const folders = getFolder(from).split('/').slice(0, -1);
  const parts = path.split('/');
  let common = 0;
  while (common < folders.length && common < parts.length - 1 && folders[common] === parts[common])
    common++;
  const relative = [...folders.slice(common).map(() => '..'), ...parts.slice(common)].join('/');
  // A colon would be that of a scheme.
  return encode(relative);
};

/** Writes a reference to a new path, in the style of the former: from the root or relative, with its query and fragment. */
const rewrite = (url: string, from: string, path: string): string => {
  const [, suffix = ''] = /^[^?#]*(.*)$/s.exec(url) ?? [];
  if (url.startsWith('/')) return `/${encode(path)}${suffix}`;
  const relative = toRelative(from, path);
  // Modules import each other by a path that begins with a dot.
  const dot = url.startsWith('.') && !relative.startsWith('../') ? './' : '';
  return dot + relative + suffix;
};

/** A text that was changed, under its new path. */
interface Followed {
  readonly path: string;
  readonly text: string;
  readonly references: number;
}

/** Returns the texts whose references change when files move, with the references to where the files are then. */
export const followMoves = (texts: readonly LinkedText[], moves: Moves): readonly Followed[] =>
  texts.flatMap(({ path: before, text, targets }) => {
    const from = moves.get(before) ?? before;
    let [written, at, references] = ['', 0, 0];
    for (const { path, url, start, end } of targets) {
      const to = moves.get(path) ?? path;
      // What is within one folder that moves as a whole stays as it is written.
      const isSame = url.startsWith('/')
        ? to === path
        : toRelative(from, to) === toRelative(before, path);
      if (isSame) continue;
      written += text.slice(at, start) + rewrite(url, from, to);
      at = end;
      references++;
    }
    return references === 0 ? [] : [{ path: from, text: written + text.slice(at), references }];
  });
