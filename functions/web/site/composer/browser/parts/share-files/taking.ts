import { signal } from '@preact/signals';
import { chooseMain } from '../../../../../../../shared/share-files/paths.ts';
import { getFileType, getPageKind } from '../../../../../../../shared/share-files/types.ts';
import { decodeText } from '../../../../../../../shared/text/decode.ts';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import { editor, language, noteExactText, setLanguage } from '../content.ts';
import { contentError } from '../elements.ts';
import { takeSnapshot } from '../fields.ts';
import { FileError } from '../file.ts';
import { tell } from '../notice.ts';
import { isSealed, takeFileTitle } from '../sealing/sealed.ts';
import { noteChange, offerUndo, showAll } from '../state.ts';
import { getOpenedEditor, takeTexts } from './editing.ts';
import { readFiles } from './file-reading.ts';
import type { DraftFile } from './model/draft-file.ts';
import {
  findFreePath,
  type IncomingFile,
  partBySize,
  type Refused,
  takeFiles as takeWithinLimits,
  toDraftFile,
} from './model/incoming.ts';
import { toRelative } from './model/moves.ts';
import { type Brought, type Found, readFound } from './reading.ts';
import { allFiles, fileSet, isSingle, main, opened, others, setFiles } from './set.ts';
import { askMain } from './view/main-choice.tsx';

/** Files that weren’t taken, until the user has read why. */
export const refused = signal<readonly Refused[]>([]);

const isImage = ({ path, bytes }: IncomingFile): boolean =>
  /^image\//.test(getFileType(path)) || /^image\//.test(bytes.type);

/** Types that become a text or blocks of code, as before there were files. */
const isCode = ({ path }: IncomingFile): boolean => {
  const type = getFileType(path);
  return /^text\/|json$/.test(type) || type === 'application/octet-stream';
};

/** Replaces the content with that of text files. */
const replaceContent = async (files: readonly File[]): Promise<void> => {
  const { name, title: fileTitle, language: found, text, readAs } = await readFiles(files);
  const before = takeSnapshot();
  editor.setText(text);
  noteExactText(text);
  setLanguage(found);
  takeFileTitle(fileTitle);
  noteChange();
  if (before.content !== '') offerUndo(`${texts.replaced(name)} ${readAs}`.trim(), before);
  else tell(readAs);
};

/** The name of the main page where only its text was written. */
const nameMain = (): string => (language.value === 'html' ? 'index.html' : 'index.md');

const chooseAmong = async (paths: readonly string[]): Promise<string | undefined> => {
  const choice = chooseMain(paths);
  if (choice.main !== undefined) return choice.main;
  const [first] = choice.candidates;
  return choice.candidates.length > 1 ? askMain(choice.candidates) : first;
};

/** Makes the text of a file that of the composer. */
const openMain = (path: string, text: string): void => {
  const kind = getPageKind(path) ?? 'markdown';
  editor.load(text);
  noteExactText(text);
  setLanguage(kind);
};

/** Reads files and notes those that are refused. */
const accept = async (
  incoming: readonly IncomingFile[],
  present: readonly { readonly path: string; readonly size: number }[],
): Promise<readonly DraftFile[]> => {
  const sized = incoming.map((file) => ({ ...file, size: file.bytes.size }));
  const { taken, refused: not } = takeWithinLimits(present, sized);
  refused.value = [...refused.value, ...not];
  const read = await Promise.all(
    taken.map((file) =>
      toDraftFile(file).catch(() => {
        const { path } = file;
        refused.value = [...refused.value, { path, message: texts.unreadable(path) }];
        return [];
      }),
    ),
  );
  return read.flat();
};

/** Leaves out what only a main page can be as large as. */
const leaveLarge = (files: readonly DraftFile[], path: string | undefined) => {
  const { taken, refused: not } = partBySize(files, path);
  refused.value = [...refused.value, ...not];
  return taken;
};

/** Begins a share with files: with one of them as its main page, or with the text that is written. */
const begin = async (incoming: readonly IncomingFile[]): Promise<void> => {
  const before = takeSnapshot();
  const files = await accept(incoming, []);
  if (files.length === 0) return;
  const path = await chooseAmong(files.map((file) => file.path));
  const page = files.find((file) => file.path === path);
  const rest = leaveLarge(files, path);
  const text = page?.bytes && decodeText(await page.bytes.arrayBuffer())?.text;
  const [single] = files;
  if (page && text !== undefined) {
    openMain(page.path, text);
    setFiles({ main: page.path, others: rest.filter((file) => file !== page) });
    if (before.content.trim() !== '') offerUndo(texts.replaced(page.path), before);
  } else if (single && files.length === 1 && before.content.trim() === '') {
    setFiles({ main: single.path, others: files });
  } else {
    setFiles({ main: nameMain(), others: rest });
  }
  opened.value = main.value;
  showAll();
};

/** Gives a share that was one file a main page: one of its files, or a new text. */
const giveMain = async (files: readonly DraftFile[]): Promise<void> => {
  const path = await chooseAmong(files.map((file) => file.path));
  const page = files.find((file) => file.path === path);
  if (page?.text !== undefined) openMain(page.path, page.text);
  const name = page?.text === undefined ? nameMain() : page.path;
  setFiles({ main: name, others: files.filter((file) => file.path !== name) });
  opened.value = name;
  showAll();
};

/** Adds files beside those that are there. One at the path of the main page becomes its text. */
const add = async (incoming: readonly IncomingFile[]): Promise<readonly DraftFile[]> => {
  takeTexts();
  const set = fileSet.value;
  if (!set) return [];
  const files = leaveLarge(await accept(incoming, allFiles.value), set.main);
  const page = isSingle.value ? undefined : files.find(({ path }) => path === set.main);
  if (page?.text !== undefined) editor.setText(page.text);
  if (isSingle.value && files.length > 0) {
    await giveMain([...others.value, ...files]);
    return files;
  }
  const added = files.filter((file) => file !== page);
  const paths = new Set(added.map(({ path }) => path));
  const kept = others.value.filter(({ path }) => !paths.has(path));
  if (files.length > 0) setFiles({ ...set, others: [...kept, ...added] });
  return files;
};

const escapeAttribute = (text: string): string =>
  text.replace(/[&"]/g, (sign) => (sign === '&' ? '&amp;' : '&quot;'));

/** Writes images into the text that is open. */
const insertImages = (paths: readonly string[], from: string): void => {
  const target = getOpenedEditor() ?? editor;
  const selection = target.getSelection();
  const images = paths.map((path) => {
    const [name = ''] = (path.split('/').at(-1) ?? '').split(/\.[^.]*$/);
    const address = toRelative(from, path);
    return getPageKind(from) === 'html'
      ? `<img src="${escapeAttribute(address)}" alt="${escapeAttribute(name)}">`
      : `![${name.replace(/[[\]\\]/g, '\\$&')}](${address})`;
  });
  const insert = images.join('\n');
  const at = selection.from + insert.length;
  target.edit({ change: { ...selection, insert }, selection: { from: at, to: at } });
};

/** Adds images beside the text that is open, and writes them into it. */
const addImages = async (images: readonly IncomingFile[]): Promise<void> => {
  if (!fileSet.value) setFiles({ main: nameMain(), others: [] });
  const taken = allFiles.value.map(({ path }) => path);
  const named = images.map(({ path, bytes }) => {
    const free = findFreePath(path.slice(path.lastIndexOf('/') + 1), taken);
    taken.push(free);
    return { path: free, bytes };
  });
  const added = await add(named);
  if (added.length > 0)
    insertImages(
      added.map(({ path }) => path),
      opened.value || main.value,
    );
};

/** Whether images are written into the text: into a page, and unless they were brought to the tree. Of a sealed share they are downloads. */
const takesImages = (event: Event): boolean => {
  if (isSealed.value) return false;
  const isPage = !fileSet.value || getPageKind(opened.value || main.value) !== undefined;
  const isForTree =
    fileSet.value !== undefined &&
    (event.type === 'change' ||
      (event.target instanceof Element && event.target.closest('.tree') !== null));
  return isPage && !isForTree;
};

const takeBrought = async (brought: Brought, event: Event): Promise<void> => {
  const { files, isFolder } = brought;
  refused.value = brought.refused;
  if (files.length === 0) {
    if (!fileSet.value)
      contentError.textContent = brought.refused.map(({ message }) => message).join(' ');
    return;
  }
  if (!isFolder && files.every(isImage) && takesImages(event)) return addImages(files);
  if (fileSet.value) return void (await add(files));
  const isText =
    !isFolder &&
    files.every(isCode) &&
    (files.length === 1 || files.every(({ path }) => getPageKind(path) === undefined));
  if (!isText) return begin(files);
  const read = files.map(({ bytes }) => bytes).filter((one) => one instanceof File);
  await replaceContent(read).catch((error) => {
    if (!isSealed.value || !(error instanceof FileError)) throw error;
    // What can't be the text of a sealed share can be a file of it.
    return begin(files);
  });
};

/** Takes files, folders and archives. */
export const take = async (found: readonly Found[], event: Event): Promise<void> => {
  contentError.textContent = '';
  try {
    const brought = await readFound(found, !fileSet.value, (name) => tell(texts.unpacking(name)));
    tell('');
    await takeBrought(brought, event);
    if (event.type === 'drop') (getOpenedEditor() ?? editor).focus();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    contentError.textContent = error.message;
  }
};

/** Adds files that were chosen for missing ones, at the paths of those that have their names. */
export const takeAt = async (incoming: readonly IncomingFile[]): Promise<void> => {
  refused.value = [];
  await add(incoming);
};
