import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { maxFiles, maxHtmlBytes } from '../../../../shared/share-files/limits.ts';
import { isLeftOut } from '../../../../shared/share-files/paths.ts';
import { CliError } from '../error-mapping.ts';
import { readChecked } from './checked-file.ts';
import type { LocalFile } from './local-file.ts';

/** How many files and folders are looked at: of a home folder, only the first. */
const maxEntries = 10_000;

/** Whether a path in a folder is left out: dot-files, what systems add, and the packages of a project. */
const isExcluded = (path: string): boolean => isLeftOut(path) || /^node_modules(\/|$)/.test(path);

/** Returns the path of a place in a folder, with `/`, empty for the folder itself; `undefined` if it is outside. */
export const findInside = (root: string, place: string): string | undefined => {
  const path = relative(root, place);
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path.replaceAll(sep, '/');
};

/** Lists the files of one folder, and what is wrong with it. */
class FolderWalk {
  readonly files: LocalFile[] = [];
  readonly problems: string[] = [];
  readonly #root: string;
  readonly #name: string;
  #entries = 0;

  constructor(root: string, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** @param above the folders that it is in, where links may lead back to */
  async visit(place: string, path: string, above: readonly string[]): Promise<void> {
    const entries = await readdir(place, { withFileTypes: true });
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      const found = path === '' ? entry.name : `${path}/${entry.name}`;
      if (!isExcluded(found)) await this.#visitEntry(entry, join(place, entry.name), found, above);
    }
  }

  async #visitEntry(
    entry: Dirent,
    place: string,
    path: string,
    above: readonly string[],
  ): Promise<void> {
    this.#entries += 1;
    if (this.#entries > maxEntries) {
      throw new CliError(
        `${this.#name} has more than ${maxEntries} files and folders. A share can have ${maxFiles} files.`,
      );
    }
    const target = entry.isSymbolicLink() ? await this.#follow(place, path) : place;
    if (target === undefined) return;
    const found = await stat(target);
    if (found.isDirectory()) {
      if (above.includes(target))
        this.problems.push(`${path} is a link to a folder that it is in.`);
      else await this.visit(target, path, [...above, target]);
    } else if (found.isFile()) {
      this.files.push({ path, size: found.size, read: () => readChecked(target, maxHtmlBytes) });
    } else {
      this.problems.push(`${path} is neither a file nor a folder.`);
    }
  }

  /** Returns where a link leads, unless that is nowhere, outside, or left out. */
  async #follow(place: string, path: string): Promise<string | undefined> {
    const target = await realpath(place).catch(() => undefined);
    if (target === undefined) {
      this.problems.push(`${path} is a link that leads nowhere.`);
      return undefined;
    }
    const inside = findInside(this.#root, target);
    if (inside !== undefined && !isExcluded(inside)) return target;
    this.problems.push(
      inside === undefined
        ? `${path} is a link that leads out of ${this.#name}.`
        : `${path} is a link to ${inside}, which is left out.`,
    );
    return undefined;
  }
}

/**
 * Lists the files of a folder and its folders, but for dot-files, what systems add, and `node_modules` at its top. Links are
 * followed within it; nothing outside is read.
 * @throws CliError that names all links and other entries that can't be shared
 */
export const listFolder = async (folder: string): Promise<readonly LocalFile[]> => {
  const root = await realpath(folder);
  const walk = new FolderWalk(root, folder);
  await walk.visit(root, '', [root]);
  if (walk.problems.length > 0) throw new CliError(walk.problems.join('\n'));
  return walk.files;
};

/** Returns the path that a file or folder has in a share of several: that from here, or its name if it is elsewhere. */
export const toSharePath = (place: string, name: string): string =>
  findInside(process.cwd(), place) ?? name;
