import { createHash } from 'node:crypto';
import { type AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import { checkPaths, chooseMain } from '../../../../shared/share-files/paths.ts';
import { getPageKind } from '../../../../shared/share-files/types.ts';
import type { Manifest } from '../files/manifest.ts';
import { listReusable } from '../files/merge.ts';
import { refusePaths } from '../files/refused-paths.ts';
import type { Language } from '../record/share.ts';
import type { UsedUpload } from '../uploads/use.ts';
import { readSentFiles } from './read-sent-files.ts';
import type { SentFiles } from './sent-files.ts';

/** A file that a request names by its bytes. */
interface NamedFile {
  readonly path: string;
  /** In hex. */
  readonly sha256: string;
}

/** What a request says of the files of a share. */
export interface AskedFiles {
  /** Those in its body. */
  readonly sent?: SentFiles | undefined;
  readonly upload?: string | null | undefined;
  readonly files?: readonly NamedFile[] | null | undefined;
  readonly main?: string | null | undefined;
  /** One file, in the place of the share’s file of this path or beside its files. */
  readonly put?: { readonly path: string; readonly bytes: Uint8Array };
  /** Whether the share is to be its one file. */
  readonly isOnly?: true;
  /** Creates the error of files whose bytes aren’t stored, if not that of an invalid field. */
  readonly lost?: (paths: string) => AppError;
}

/** Bytes in memory, or those of an object. */
interface SizedBytes {
  /** In bytes. */
  readonly size: number;
  readonly bytes?: Uint8Array;
  readonly object?: string;
}

/** A file of a share. */
export interface ChosenFile extends NamedFile, SizedBytes {}

/** The files of a share, and the one that readers see first. */
export interface ChosenFiles {
  readonly files: readonly ChosenFile[];
  /** The path of a page, or of the only file. */
  readonly main: string;
}

/** A share that is changed. */
export interface FormerContent {
  readonly source: string;
  readonly language: Language;
  readonly manifest: Manifest | undefined;
  /** Whether the share is its one file. */
  readonly isOnly: boolean;
}

/** Creates a file of bytes in memory. */
export const toChosenFile = (path: string, bytes: Uint8Array): ChosenFile => ({
  path,
  bytes,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

const defaultMain: Readonly<Record<Language, string>> = {
  html: 'index.html',
  markdown: 'index.md',
};

/** Returns the path of a share’s main page, if it has files. One that is its one file has no page. */
const getMain = ({ manifest, isOnly }: FormerContent): string | undefined =>
  isOnly ? undefined : manifest?.main;

/** Returns the main page of a share as a file. */
const toMainFile = (former: FormerContent): ChosenFile =>
  toChosenFile(getMain(former) ?? defaultMain[former.language], Buffer.from(former.source));

/** Returns the files that a share has now, its main page in memory. */
export const listFiles = (former: FormerContent): readonly ChosenFile[] => {
  const { manifest } = former;
  const main = toMainFile(former);
  if (!manifest) return [main];
  return manifest.files.map((file) => (file.object === undefined ? main : file));
};

/** Finds the bytes of named files among those of an upload and of the share. @throws AppError VALIDATION_ERROR, or `lost` */
const findNamed = (
  named: readonly NamedFile[],
  upload: UsedUpload | undefined,
  former: FormerContent | undefined,
  lost?: AskedFiles['lost'],
): readonly ChosenFile[] => {
  const own = former ? [...listReusable(former.manifest), ...listFiles(former)] : [];
  // Of the same bytes, those that the share has already are kept.
  const sent = upload?.files.filter(({ object }) => object !== undefined) ?? [];
  const known = new Map<string, SizedBytes>([...sent, ...own].map((file) => [file.sha256, file]));
  const unknown = named.filter(({ sha256 }) => !known.has(sha256));
  if (unknown.length > 0) {
    const paths = unknown.slice(0, 3).map(({ path }) => path);
    const more = unknown.length > paths.length ? ` and ${unknown.length - paths.length} more` : '';
    const where = upload ? 'neither the upload nor the share has' : 'the share doesn’t have';
    const shown = `${paths.join(', ')}${more}`;
    throw lost?.(shown) ?? invalidField('files', `names bytes that ${where}: ${shown}`);
  }
  return named.flatMap(({ path, sha256 }) => {
    const { size, bytes, object } = known.get(sha256) ?? {};
    if (size === undefined) return [];
    return [
      { path, sha256, size, ...(bytes && { bytes }), ...(object !== undefined && { object }) },
    ];
  });
};

/** What is asked of the content of a share. */
export interface AskedContent extends AskedFiles {
  readonly content?: string | undefined;
  readonly language?: Language | undefined;
}

/** Returns the files of a share with one put among them. */
const putFile = (
  { path, bytes }: NonNullable<AskedFiles['put']>,
  former: FormerContent | undefined,
): readonly ChosenFile[] => [
  ...(former ? listFiles(former) : []).filter((file) => file.path !== path),
  toChosenFile(path, bytes),
];

const withEnding = (path: string, language: Language): string =>
  getPageKind(path) === language
    ? path
    : `${path.replace(/\.[^./]*$/, '')}${language === 'html' ? '.html' : '.md'}`;

/** Returns the path of a main page whose text is given. */
const getTextPath = (
  { main, language }: AskedContent,
  former: FormerContent | undefined,
): string => {
  const kind = language ?? former?.language ?? 'html';
  return main ?? withEnding((former && getMain(former)) ?? defaultMain[kind], kind);
};

const chooseFiles = async (
  asked: AskedContent,
  upload: UsedUpload | undefined,
  former: FormerContent | undefined,
): Promise<readonly ChosenFile[] | undefined> => {
  const { sent, content, lost, put } = asked;
  if (put) return putFile(put, former);
  const page = content === undefined ? undefined : getTextPath(asked, former);
  // Its bytes are those of the text.
  const files = asked.files?.filter(({ path }) => path !== page) ?? asked.files;
  if (sent) return (await readSentFiles(sent)).map(({ path, bytes }) => toChosenFile(path, bytes));
  if (files === null) return [];
  if (files) return findNamed(files, upload, former, lost);
  return upload && findNamed(upload.files, upload, former);
};

/** @throws AppError VALIDATION_ERROR for a path that is no page, or of another language than is asked for */
const assertPage = (path: string, language: Language | undefined): void => {
  const kind = getPageKind(path);
  if (kind === undefined) throw invalidField('main', 'must be an HTML or Markdown file');
  if (language !== undefined && kind !== language) {
    throw invalidField('main', `must be a file in ${language === 'html' ? 'HTML' : 'Markdown'}`);
  }
};

const noPage = (): AppError =>
  invalidField('files', 'must have an HTML or Markdown file, which is the page, or be one file');

/** Returns the text of a main page that only its language is changed of. */
const findKeptText = (
  { language, main }: AskedContent,
  former: FormerContent | undefined,
): string | undefined =>
  former && language !== undefined && language !== former.language && main == null
    ? former.source
    : undefined;

/** Returns the pages in the language that is asked for among files that a request brings. */
const findBrought = (
  { sent, upload, files, language }: AskedContent,
  paths: readonly string[],
): readonly string[] =>
  language !== undefined && (sent || upload != null || files)
    ? paths.filter((path) => getPageKind(path) === language)
    : [];

/** Chooses the main page: `content`, the file that is asked for or was it, the best one, or the only file. */
const chooseMainOf = (
  files: readonly ChosenFile[],
  asked: AskedContent,
  former: FormerContent | undefined,
): ChosenFiles => {
  const { content, language, main, isOnly, put } = asked;
  // One more file leaves the page as it is, also of a share that had no other.
  const keepsPage = put !== undefined && former?.isOnly === false;
  const before = former && (keepsPage ? toMainFile(former).path : getMain(former));
  if (main != null) assertPage(main, language);
  const paths = files.map(({ path }) => path);
  const brought = findBrought(asked, paths);
  const text = content ?? (brought.length > 0 ? undefined : findKeptText(asked, former));
  if (text !== undefined) {
    const path = getTextPath({ main, language }, former);
    const others = files.filter(
      (file) => file.path !== path && (main != null || file.path !== before),
    );
    return { main: path, files: [toChosenFile(path, Buffer.from(text)), ...others] };
  }
  const pages = brought.length > 0 ? brought : paths;
  const wanted = main ?? (before !== undefined && pages.includes(before) ? before : undefined);
  if (wanted !== undefined) {
    if (paths.includes(wanted)) return { main: wanted, files };
    throw invalidField('main', 'must be the path of one of the files');
  }
  const choice = chooseMain(pages);
  const chosen = choice.main ?? choice.candidates[0];
  if (chosen !== undefined) {
    assertPage(chosen, language);
    return { main: chosen, files };
  }
  const [only] = files;
  const canBeOnly = !former || former.isOnly || isOnly;
  if (canBeOnly && only && files.length === 1) return { main: only.path, files };
  if (!former) throw noPage();
  const page = toMainFile(former);
  return { main: page.path, files: [page, ...files] };
};

/**
 * Chooses the files of a share and its main page, whose text is `content` if it is given. A change that names none keeps those
 * that the share has, and one without a page keeps the page. Paths and sizes are checked.
 * @throws AppError VALIDATION_ERROR or PAYLOAD_TOO_LARGE that names what is wrong
 */
export const chooseContent = async (
  asked: AskedContent,
  upload: UsedUpload | undefined,
  former?: FormerContent,
): Promise<ChosenFiles> => {
  const files = (await chooseFiles(asked, upload, former)) ?? (former ? listFiles(former) : []);
  const chosen = chooseMainOf(files, asked, former);
  const problems = checkPaths(chosen.files, chosen.main);
  if (problems.length > 0) throw refusePaths(problems);
  return chosen;
};
