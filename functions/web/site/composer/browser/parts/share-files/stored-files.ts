import { getPageKind } from '../../../../../../../shared/share-files/types.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { type DraftFile, type FileSet, isEditable } from './model/draft-file.ts';
import { readText } from './model/incoming.ts';
import { uploads } from './sending.ts';
import { beginWith, noteBytes, others } from './set.ts';

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

/** Reads the bytes of stored files that aren’t here: first texts, which may refer to others. */
const readAll = async (
  url: string,
  files: readonly DraftFile[],
  take: (file: DraftFile, bytes: Blob, text: string | undefined) => void,
): Promise<void> => {
  const left = files
    .filter(({ bytes }) => !bytes)
    .sort((one, other) => Number(isEditable(other)) - Number(isEditable(one)));
  const readNext = async (): Promise<void> => {
    for (let file = left.shift(); file; file = left.shift()) {
      const bytes = await read(url, file);
      if (bytes) take(file, bytes, await readText(file, bytes));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, readNext));
};

/** Where the files of the edited share can be read. */
let storedUrl = '';

/** Reads the stored files that the draft has and the page hasn’t. */
export const readAbsent = (): Promise<void> =>
  readAll(storedUrl, others.value, ({ path }, bytes, text) => noteBytes(path, bytes, text));

const toSet = ({ files = [], main = '' }: ShareWithFiles): FileSet => ({
  main,
  others: getPageKind(main) === undefined ? files : files.filter(({ path }) => path !== main),
});

/** Shows the files of the edited share, and reads them. */
export const beginWithStored = (share: ShareWithFiles): void => {
  storedUrl = share.filesUrl ?? '';
  beginWith(toSet(share), `stored-${share.version}`, true);
  void readAbsent();
};

/** Reads the files of a share and shows them as those of its copy, which are uploaded again. */
export const beginWithCopy = async (share: ShareWithFiles): Promise<void> => {
  const { main, others: stored } = toSet(share);
  const copied: DraftFile[] = [];
  await readAll(share.filesUrl ?? '', stored, ({ path, size, type }, bytes, text) => {
    copied.push({ path, size, type, bytes, ...(text !== undefined && { text }) });
  });
  beginWith({ main, others: copied }, `copy-${share.version}`, false);
};
