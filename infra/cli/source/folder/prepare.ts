import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import {
  maxHtmlBytes,
  maxHtmlGzipBytes,
  maxMarkdownBytes,
} from '../../../../shared/share-files/limits.ts';
import { checkPaths, chooseMain, tidyPaths } from '../../../../shared/share-files/paths.ts';
import { getPageKind } from '../../../../shared/share-files/types.ts';
import { formatBytes } from '../../../../shared/text/format-bytes.ts';
import { CliError, usageError } from '../error-mapping.ts';
import { note } from '../terminal/output.ts';
import type { LocalFile } from './local-file.ts';

const toGzip = promisify(gzip);

/** A file that can be sent. */
export interface ReadyFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files of a share, which the service takes as far as can be told here. */
export interface ReadyFiles {
  /** What was given, for people. */
  readonly name: string;
  /** What a new share is called that is given no title, unless its page has one. */
  readonly fileName?: string | undefined;
  readonly files: readonly ReadyFile[];
  /** The path of the file that readers see first; absent for a picture or PDF alone. */
  readonly main?: string;
}

/** How many files are read at once. */
const concurrency = 8;

/** The file that readers see first, and another that could be. */
interface Main {
  readonly main: string;
  readonly other?: string | undefined;
}

/** What is asked of the page of files. */
export interface PageOptions {
  /** The path of the file that readers see first. */
  readonly main?: string | undefined;
  /** Whether it is sealed here: files need no page then, and no service converts the Markdown. */
  readonly isSealed?: boolean | undefined;
}

/** Chooses the file that readers see first. @throws CliError if there is none, unless it is optional */
const findMain = (
  paths: readonly string[],
  name: string,
  { main: asked, isSealed }: PageOptions,
): Main | undefined => {
  const { main, candidates } = chooseMain(paths);
  if (asked !== undefined) {
    const path = asked
      .normalize('NFC')
      .replaceAll('\\', '/')
      .replace(/^(\.\/)+/, '');
    const isPage = !isSealed || getPageKind(path) !== undefined;
    if (paths.includes(path) && isPage) return { main: path };
    if (!isPage) throw usageError(`${asked} is no page. Choose an HTML or Markdown file.`);
    const others = [...(main === undefined ? candidates : [main])].slice(0, 5);
    const hint = others.length > 0 ? ` Pages are: ${others.join(', ')}.` : '';
    throw usageError(`${name} has no file ${asked}.${hint}`);
  }
  if (main !== undefined) return { main };
  const [first, other] = candidates;
  if (first === undefined) {
    if (isSealed) return undefined;
    throw new CliError(
      `${name} has no page to show first. Add an HTML or Markdown file, such as index.html.`,
    );
  }
  return { main: first, other };
};

/** Says why a file can't be the main page; `undefined` if it can. */
const findPageProblem = async (
  { path, bytes }: ReadyFile,
  isSealed = false,
): Promise<string | undefined> => {
  const kind = getPageKind(path);
  if (bytes.length === 0) return `${path} is empty.`;
  // Sealing tells what is too large.
  if (isSealed) return undefined;
  if (kind === 'markdown' && bytes.length > maxMarkdownBytes) {
    return `${path} is larger than ${formatBytes(maxMarkdownBytes)}.`;
  }
  if (kind !== 'html' || bytes.length <= maxHtmlGzipBytes) return undefined;
  if (bytes.length <= maxHtmlBytes && (await toGzip(bytes)).length <= maxHtmlGzipBytes) {
    return undefined;
  }
  return `${path} is too large. HTML can have ${formatBytes(maxHtmlBytes)}, and ${formatBytes(maxHtmlGzipBytes)} compressed: move images, styles, scripts and data to files beside it.`;
};

/**
 * Prepares files for a share: tidies their paths, chooses the main page, and checks everything before anything is sent.
 * @throws CliError that names all problems
 */
export const prepareFiles = async (
  name: string,
  given: readonly LocalFile[],
  options: PageOptions = {},
): Promise<ReadyFiles> => {
  const tidy = tidyPaths(given);
  if (tidy.length === 0) {
    throw new CliError(`${name} has no files to share: dot-files and node_modules are left out.`);
  }
  const paths = tidy.map(({ path }) => path);
  const { main, other } = findMain(paths, name, options) ?? {};
  const problems = checkPaths(tidy, main).map(({ message }) => message);
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  const read = new Map<string, Uint8Array>();
  await forEachAtOnce(tidy, concurrency, async (file) => {
    read.set(file.path, await file.read());
  });
  const files = tidy.map(({ path }) => ({ path, bytes: read.get(path) ?? new Uint8Array() }));
  const page = files.find(({ path }) => path === main);
  const problem = page && (await findPageProblem(page, options.isSealed));
  if (problem !== undefined) throw new CliError(problem);
  if (other !== undefined) {
    note(`${main} is shown first; --main chooses another, such as ${other}.`);
  }
  return { name, files, ...(main !== undefined && { main }) };
};

/** Prepares a page that no request takes at once. @throws CliError if it is too large for any */
export const preparePage = async (path: string, content: string): Promise<ReadyFiles> => {
  const page = { path, bytes: new TextEncoder().encode(content) };
  const problem = await findPageProblem(page);
  if (problem !== undefined) throw new CliError(problem);
  return { name: path, files: [page], main: path };
};
