import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { openFile, type SealedFile } from '../../../../functions/web/browser/sealed/content.ts';
import { showPath } from '../../../../shared/share-files/paths.ts';
import { toSource } from '../commands/reading.ts';
import { fetchFile, saveFolder } from '../folder/save.ts';
import { interruption as signal } from '../interruption.ts';
import { note, printJson, printStream, printText } from '../terminal/output.ts';
import { toSavedPaths } from './file-names.ts';
import { connectToRead, type KeyedShare } from './link.ts';
import { explainSealed, type OpenedShare, openAny } from './open.ts';

/** How a sealed share is printed or saved. */
interface GetOptions {
  readonly passphrase?: string | true;
  readonly output?: string;
  readonly json?: true;
}

const readFile = async (
  { share: { filesUrl = '' }, key }: OpenedShare,
  file: SealedFile,
): Promise<Uint8Array> => {
  const bytes = await fetchFile(filesUrl, { path: file.path });
  return openFile(key, file, new Uint8Array(bytes)).catch((error: unknown) => {
    throw explainSealed(error, showPath(file.name));
  });
};

/** Saves the text, if there is one, and the files as a new folder. */
const saveAll = async (opened: OpenedShare, output: string): Promise<void> => {
  const { text, language, files } = opened.content;
  const page = language === 'html' ? 'index.html' : 'index.md';
  const pages = text === '' ? [] : [{ path: page, read: async () => text }];
  const paths = toSavedPaths(
    files,
    pages.map(({ path }) => path),
  );
  const others = files.map((file, at) => ({
    path: paths[at] ?? '',
    read: () => readFile(opened, file),
  }));
  await saveFolder([...pages, ...others], output);
  for (const [at, { name }] of files.entries()) {
    const path = paths[at] ?? '';
    if (path !== name.normalize('NFC')) note(`${showPath(name)} is saved as ${path}.`);
  }
};

const saveOrPrint = async (bytes: Uint8Array | string, output: string | undefined) => {
  if (output !== undefined) await writeFile(output, bytes, { flag: 'wx' });
  else if (typeof bytes === 'string') printText(bytes);
  else await printStream(Readable.from([Buffer.from(bytes)]), signal);
};

/** Returns a share as JSON: what the service says of it, with the text and the names of the files in the place of envelopes. */
const toJson = ({ share, content: { text, language, files } }: OpenedShare) => {
  const { html: _, main: __, filesUrl: ___, fileTotals: ____, ...rest } = share;
  const named = files.map(({ name, type, size }) => ({ name, type, size }));
  return { ...rest, content: text, language, files: named };
};

/**
 * Opens a sealed share on this machine, and prints or saves it.
 * @throws ApiError; CliError for what can't be opened, of which nothing is shown
 */
export const getSealed = async (
  keyed: KeyedShare,
  { passphrase, output, json }: GetOptions,
): Promise<void> => {
  const opened = await openAny(await connectToRead(keyed), keyed, passphrase);
  const { text, language, files } = opened.content;
  if (json) return printJson(toJson(opened));
  const [first, ...others] = files;
  if (!first) return saveOrPrint(toSource({ language, content: text }), output);
  if (text === '' && others.length === 0) return saveOrPrint(await readFile(opened, first), output);
  if (output !== undefined) return saveAll(opened, output);
  printText(toSource({ language, content: text }));
  note(
    `It has files: ${files.map(({ name }) => showPath(name)).join(', ')}. --output <folder> saves them.`,
  );
};
