import { createHash } from 'node:crypto';
import { filesToMarkdown } from '../../../../shared/markdown/files/files-to-markdown.ts';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { AppError, invalidField } from '../../../../shared/runtime/errors.ts';
import type { MissingReference } from '../../../../shared/share-files/missing.ts';
import { checkPaths } from '../../../../shared/share-files/paths.ts';
import { getFileType, getPageKind, unknownType } from '../../../../shared/share-files/types.ts';
import { decodeText } from '../../../../shared/text/decode.ts';
import type { Manifest } from '../files/manifest.ts';
import { readShareObject, readShareObjectStart } from '../files/objects.ts';
import { refusePaths } from '../files/refused-paths.ts';
import type { SealedInfo } from '../record/sealed.ts';
import type { Language } from '../record/share.ts';
import type { ChosenFile, ChosenFiles } from './chosen-files.ts';
import { isShownAsText } from './shown-alone.ts';

/** How many objects are read or put at the same time. */
export const objectsAtOnce = 16;

/** A file of a share with its type. */
export interface PreparedFile extends ChosenFile {
  readonly type: string;
}

/** What a share will have. */
export interface PreparedContent {
  readonly language: Language;
  readonly source: string;
  /** Absent for a text that is shown as lines. */
  readonly files?: {
    readonly main: string;
    readonly files: readonly PreparedFile[];
    /** Whether the share is its one file. */
    readonly isOnly: boolean;
  };
  readonly missing: readonly MissingReference[];
  /** Of an envelope, which nothing is rendered from. */
  readonly sealed?: SealedInfo | undefined;
  /** The encoding that the main page was read in, unless it is UTF-8. */
  readonly readAs?: string | undefined;
}

/** A text of a file, and whether its bytes are another one’s. */
interface FileText {
  readonly text: string;
  readonly encoding?: string | undefined;
}

/** Loads what finds references, which only shares with files need. */
const loadReferences = async () => {
  const [{ hasReferences }, { rewriteRoots }, { findMissing }] = await Promise.all([
    import('../../../../shared/share-files/references.ts'),
    import('../../../../shared/share-files/rewrite-roots.ts'),
    import('../../../../shared/share-files/missing.ts'),
  ]);
  return { hasReferences, rewriteRoots, findMissing };
};

const lostObject = (path: string): AppError =>
  new AppError('CONFLICT', `The bytes of ${path} are no longer stored. Send the file again.`);

const readBytes = async (shareId: string, file: ChosenFile): Promise<Uint8Array> => {
  const { path, bytes, object } = file;
  const read = bytes ?? (object === undefined ? undefined : await readShareObject(shareId, object));
  if (!read) throw lostObject(path);
  return read;
};

const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Reads the texts of files by their paths. Files that are no text have none. */
const readTexts = async (
  shareId: string,
  files: readonly ChosenFile[],
): Promise<ReadonlyMap<string, FileText>> => {
  const texts = new Map<string, FileText>();
  await forEachAtOnce(files, objectsAtOnce, async (file) => {
    const decoded = decodeText(await readBytes(shareId, file));
    if (!decoded) return;
    const { text, encoding } = decoded;
    texts.set(file.path, { text: withoutByteOrderMark(text), encoding });
  });
  return texts;
};

/** Returns the type of a file, by its ending and where that isn’t enough its first bytes. */
const findType = async (
  shareId: string,
  { path, sha256, bytes, object }: ChosenFile,
  former: Manifest | undefined,
): Promise<string> => {
  const known = former?.files.find((file) => file.path === path && file.sha256 === sha256);
  if (known) return known.type;
  const needsBytes = /^(image\/(?!svg)|application\/octet-stream$)/.test(getFileType(path));
  const start = needsBytes && !bytes && object !== undefined;
  return getFileType(path, start ? await readShareObjectStart(shareId, object) : bytes);
};

/** Returns a file with a new text. */
const withText = (file: ChosenFile, text: string): ChosenFile => {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path: file.path, bytes, size: bytes.length, sha256 };
};

/** What is shown of a file that is the share: a picture, or a link to it. */
const describeOnly = (path: string, type: string): string => {
  const target = encodeURI(path).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
  return `${type.startsWith('image/') ? '!' : ''}[${path.replace(/[[\]\\]/g, '\\$&')}](${target})`;
};

/** Returns a share that is its one file: a text as lines, anything else as it is. */
const prepareOnly = async (
  shareId: string,
  file: ChosenFile,
  former: Manifest | undefined,
): Promise<PreparedContent> => {
  const { path } = file;
  const bytes = await readBytes(shareId, file);
  const decoded = isShownAsText({ name: path, bytes }) ? decodeText(bytes) : undefined;
  if (decoded) {
    const source = filesToMarkdown([{ name: path, text: decoded.text }]);
    return { language: 'markdown', source, missing: [], readAs: decoded.encoding };
  }
  const type = await findType(shareId, file, former);
  return {
    language: 'markdown',
    source: describeOnly(path, type),
    files: { main: path, files: [{ ...file, type }], isOnly: true },
    missing: [],
  };
};

/**
 * Reads the pages, styles and scripts of a share, and prepares what is stored: texts in UTF-8, their references to the root
 * made relative, and the type of each file. Finds references to files that the share doesn’t have.
 * @throws AppError VALIDATION_ERROR for a main page that is no text; CONFLICT for an object that was deleted;
 *   PAYLOAD_TOO_LARGE if the files exceed a limit then
 */
export const prepareContent = async (
  shareId: string,
  { files, main }: ChosenFiles,
  former?: Manifest,
): Promise<PreparedContent> => {
  const language = getPageKind(main);
  const [first] = files;
  if (language === undefined && first) return prepareOnly(shareId, first, former);
  const { hasReferences, rewriteRoots, findMissing } = await loadReferences();
  const texts = await readTexts(
    shareId,
    files.filter(({ path }) => hasReferences(path)),
  );
  const page = texts.get(main);
  if (language === undefined || !page) {
    throw invalidField(
      'files',
      `has a main page that is no text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252: ${main}`,
    );
  }
  const paths = new Set(files.map(({ path }) => path));
  const sources = new Map(
    [...texts].map(([path, { text }]) => [path, rewriteRoots(path, text, paths)]),
  );
  const rewritten = files.map((file): ChosenFile => {
    const [found, source] = [texts.get(file.path), sources.get(file.path)];
    if (!found || source === undefined) return file;
    const isSame = source === found.text && found.encoding === undefined;
    return isSame && file.path !== main ? file : withText(file, source);
  });
  const problems = checkPaths(rewritten, main);
  if (problems.length > 0) throw refusePaths(problems);
  const types = new Map<string, string>();
  await forEachAtOnce(rewritten, objectsAtOnce, async (file) => {
    types.set(file.path, await findType(shareId, file, former));
  });
  const prepared = rewritten.map((file) => ({
    ...file,
    type: types.get(file.path) ?? unknownType,
  }));
  return {
    language,
    source: sources.get(main) ?? page.text,
    files: { main, files: prepared, isOnly: false },
    missing: findMissing(files.map(({ path }) => ({ path, text: sources.get(path) }))),
    readAs: page.encoding,
  };
};
