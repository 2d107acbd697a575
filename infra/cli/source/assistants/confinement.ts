import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { isLeftOut } from '../../../../shared/share-files/paths.ts';
import { toVisibleLine } from '../../../../shared/text/visible.ts';
import { CliError, usageError } from '../error-mapping.ts';
import { findInside } from '../folder/walk.ts';

/** What an assistant may read of this machine (decisions.md#assistants-on-your-machine). */
export interface Confinement {
  /**
   * Resolves the path of a tool's argument to the real path of a file or folder.
   * @throws CliError that names the path and the rule that it breaks
   */
  resolve(path: string): Promise<Place>;
}

/** A file or folder that may be read. */
export interface Place {
  /** Its real path, without links. */
  readonly real: string;
  /** Its last name, for titles and messages. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** Which folders are open. */
export interface ConfinementOptions {
  /** Folders; by default the working folder. */
  readonly roots?: readonly string[];
  /** Opens everything but what is left out of folders, too. */
  readonly isAnywhere?: boolean;
}

interface Root {
  readonly given: string;
  readonly real: string;
}

const openRoot = async (given: string): Promise<Root> => {
  const place = resolve(given);
  const real = await realpath(place).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) {
    throw usageError(`--root ${given} is no folder.`);
  }
  return { given: place, real };
};

/**
 * The working folder, unless the home folder is in it: programs with windows start others in `/`, where everything would be
 * open without anyone having said so.
 */
const openWorkingFolder = async (): Promise<readonly Root[]> => {
  const root = await openRoot(process.cwd());
  return findInside(root.real, await realpath(homedir()).catch(homedir)) === undefined
    ? [root]
    : [];
};

const refuse = (path: string, rule: string): CliError =>
  new CliError(`${toVisibleLine(path.slice(0, 1_000))}: ${rule}`);

const describe = (roots: readonly Root[]): string => roots.map(({ real }) => real).join(', ');

/**
 * Opens folders for an assistant.
 * @throws CliError for a root that is no folder
 */
export const createConfinement = async ({
  roots: given = [],
  isAnywhere = false,
}: ConfinementOptions): Promise<Confinement> => {
  const roots =
    given.length > 0 ? await Promise.all(given.map(openRoot)) : await openWorkingFolder();
  const [base = { given: process.cwd() }] = roots;

  /** Returns the path within the innermost root that has it, or that from the top of the disk where everything is open. */
  const findPath = (place: string, by: (root: Root) => readonly string[]): string | undefined => {
    const [shortest = isAnywhere ? place : undefined] = roots
      .flatMap(by)
      .map((folder) => findInside(folder, place))
      .filter((inside) => inside !== undefined)
      .toSorted((one, other) => one.length - other.length);
    return shortest;
  };

  const outside = (path: string): CliError =>
    roots.length === 0
      ? refuse(
          path,
          `no folder is open, because handbill mcp was started in ${process.cwd()}. Start it with --root and a folder.`,
        )
      : refuse(
          path,
          `is outside of ${describe(roots)}. Only files in there can be read; handbill mcp --root opens another folder.`,
        );

  return {
    resolve: async (path) => {
      if (path === '' || path.includes('\0'))
        throw refuse(path, 'is no path. Name a file or folder.');
      const place = resolve(base.given, path);
      // Before the disk is asked, so that nothing is told of what is outside.
      const asked = findPath(place, (root) => [root.given, root.real]);
      if (asked === undefined) throw outside(path);
      const real = await realpath(place).catch(() => undefined);
      if (real === undefined) throw refuse(path, 'there is no such file or folder.');
      const found = findPath(real, (root) => [root.real]);
      if (found === undefined) throw refuse(path, `leads out of ${describe(roots)} by a link.`);
      if (isLeftOut(asked) || isLeftOut(found)) {
        throw refuse(path, 'files and folders whose names begin with a dot are never read.');
      }
      const stats = await stat(real);
      if (!stats.isFile() && !stats.isDirectory()) {
        throw refuse(path, 'is neither a file nor a folder.');
      }
      return { real, name: basename(real), isFolder: stats.isDirectory() };
    },
  };
};
