import { getPageKind } from '../../../../../../../shared/share-files/types.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import type { OpenedShare, Sealer } from '../sealing/sealer.ts';
import { type DraftFile, type FileSet, isEditable } from './model/draft-file.ts';
import { findFreePath, readText } from './model/incoming.ts';
import { uploads } from './sending.ts';
import { beginWith, noteBytes, others } from './set.ts';
import { refused } from './taking.ts';

/** A stored share with its files. */
export type ShareWithFiles = Extract<Data<'GET /api/share'>, { version: number }>;

/** The number of files that are read at once. */
const concurrency = 4;

/** Removes the script that pages are served with in frames. The hash of the file tells whether all else is exact. */
const withoutFrameScript = async (
  served: Blob,
  sha256: string | undefined,
): Promise<Blob | undefined> => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await served.arrayBuffer());
  const exact = new Blob([text.replace(/<script>.*?<\/script>/s, '')]);
  return (await uploads.hash(exact)) === sha256 ? exact : undefined;
};

/** Reads the exact bytes of a file of a share. Returns `undefined` if they can’t be had. */
const read = async (url: string, { path, size, sha256 }: DraftFile): Promise<Blob | undefined> => {
  const address = url + path.split('/').map(encodeURIComponent).join('/');
  const response = await fetch(address).catch(() => undefined);
  const served = response?.ok ? await response.blob() : undefined;
  return !served || served.size === size ? served : withoutFrameScript(served, sha256);
};

/** Reads a file of a sealed share. Returns `undefined` if it can’t be had, or isn’t the one that the content names. */
const readSealed = async (
  url: string,
  { sealed, size }: DraftFile,
  sealer: Sealer,
): Promise<Blob | undefined> => {
  if (!sealed) return undefined;
  try {
    const response = await fetch(url + sealed.path);
    const envelope = new Uint8Array(await response.arrayBuffer());
    return new Blob([await sealer.openFile({ id: sealed.id, size }, envelope)]);
  } catch {
    return undefined;
  }
};

/** Reads the bytes of stored files that aren’t here: first texts, which may refer to others. */
const readAll = async (
  url: string,
  files: readonly DraftFile[],
  take: (file: DraftFile, bytes: Blob, text: string | undefined) => void,
  sealer?: Sealer,
): Promise<void> => {
  const left = files
    .filter(({ bytes }) => !bytes)
    .sort((one, other) => Number(isEditable(other)) - Number(isEditable(one)));
  const readNext = async (): Promise<void> => {
    for (let file = left.shift(); file; file = left.shift()) {
      const bytes = sealer ? await readSealed(url, file, sealer) : await read(url, file);
      if (bytes) take(file, bytes, await readText(file, bytes));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, readNext));
};

/** Where the files of the edited share can be read, and what opens them if they are sealed. */
let stored: { readonly url: string; readonly sealer?: Sealer } = { url: '' };

/** Reads the stored files that the draft has and the page hasn’t. */
export const readAbsent = (): Promise<void> =>
  readAll(
    stored.url,
    others.value,
    ({ path }, bytes, text) => noteBytes(path, bytes, text),
    stored.sealer,
  );

const toSet = ({ files = [], main = '' }: ShareWithFiles): FileSet => ({
  main,
  others: getPageKind(main) === undefined ? files : files.filter(({ path }) => path !== main),
});

/** Shows the files of the edited share, and reads them. */
export const beginWithStored = (share: ShareWithFiles): void => {
  stored = { url: share.filesUrl ?? '' };
  beginWith(toSet(share), `stored-${share.version}`, true);
  void readAbsent();
};

/** Reads files and shows them as those of a copy, which are uploaded again. */
const copy = async (
  share: ShareWithFiles,
  { main, others: found }: FileSet,
  sealer?: Sealer,
): Promise<void> => {
  const copied = new Map<string, DraftFile>();
  const take = ({ path, size, type }: DraftFile, bytes: Blob, text: string | undefined) => {
    copied.set(path, { path, size, type, bytes, ...(text !== undefined && { text }) });
  };
  await readAll(share.filesUrl ?? '', found, take, sealer);
  const unread = found.filter(({ path }) => !copied.has(path));
  refused.value = unread.map(({ path }) => ({ path, message: texts.unreadable(path) }));
  const copies = found.flatMap(({ path }) => copied.get(path) ?? []);
  beginWith({ main, others: copies }, `copy-${share.version}`, false);
};

/** Reads the files of a share and shows them as those of its copy. */
export const beginWithCopy = (share: ShareWithFiles): Promise<void> => copy(share, toSet(share));

/** Names the files of a sealed share as its content does, which has none of its main page. */
const toSealedSet = ({ files = [] }: ShareWithFiles, opened: OpenedShare): FileSet => {
  const { language, text, files: named } = opened.content;
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const found: DraftFile[] = [];
  for (const { path: at, id, name, type, size } of named) {
    const path = findFreePath(
      name,
      found.map((file) => file.path),
    );
    found.push({ path, size, type, sha256: hashes.get(at) ?? '', sealed: { path: at, id } });
  }
  const [first] = found;
  const isAlone = text === '' && first && found.length === 1;
  if (isAlone && getPageKind(first.path) === undefined) return { main: first.path, others: found };
  const page = language === 'html' ? 'index.html' : 'index.md';
  return {
    main: findFreePath(
      page,
      found.map((file) => file.path),
    ),
    others: found,
  };
};

/** Shows the files of the edited share, which is sealed, and reads them. */
export const beginWithSealed = (share: ShareWithFiles, opened: OpenedShare): void => {
  stored = { url: share.filesUrl ?? '', sealer: opened.sealer };
  beginWith(toSealedSet(share, opened), `stored-${share.version}`, true);
  void readAbsent();
};

/** Reads the files of a sealed share and shows them as those of its copy, which are sealed again. */
export const beginWithSealedCopy = (share: ShareWithFiles, opened: OpenedShare): Promise<void> =>
  copy(share, toSealedSet(share, opened), opened.sealer);
