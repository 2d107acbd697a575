import { signal } from '@preact/signals';
import { checkPaths, chooseMain } from '../../../../../../../shared/share-files/paths.ts';
import { getPageKind } from '../../../../../../../shared/share-files/types.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { shareFilesTexts as texts } from '../../../share-files-texts.ts';
import { editor, noteExactText, setLanguage } from '../content.ts';
import { showAll } from '../state.ts';
import { getOpenedEditor, takeTexts } from './editing.ts';
import { type DraftFile, type FileSet, getName, isEditable } from './model/draft-file.ts';
import { type Moves, planRename } from './model/moves.ts';
import { allFiles, clearFiles, fileSet, isSingle, main, opened, others, setFiles } from './set.ts';
import { listWorkFiles } from './work/work-files.ts';
import { runTask } from './work/worker.ts';

/** Whether the tree is shown. On phones, it is in the place of the text. */
export const isTreeShown = signal(true);

const narrow = matchMedia('(max-width: 45rem)');

/** Opens a file, at a line from 1 if one is given. */
export const openFile = (path: string, line?: number): void => {
  opened.value = path;
  if (narrow.matches) isTreeShown.value = false;
  if (line !== undefined) getOpenedEditor()?.goToLine(line);
};

/** Lists the files that can be the main page. */
export const listPages = (): readonly string[] =>
  allFiles.value.map(({ path }) => path).filter((path) => getPageKind(path) !== undefined);

/** The state that an undo goes back to. */
interface Before {
  readonly set: FileSet;
  readonly text: string;
  readonly opened: string;
}

const takeBefore = (): Before | undefined => {
  takeTexts();
  const set = fileSet.value;
  return set && { set, text: editor.getText(), opened: opened.value };
};

const putMain = (path: string, text: string): void => {
  editor.load(text);
  noteExactText(text);
  setLanguage(getPageKind(path) ?? 'markdown');
};

const goBack = ({ set, text, opened: path }: Before): void => {
  if (set.main !== main.value) putMain(set.main, text);
  else if (editor.getText() !== text) editor.setText(text);
  setFiles(set);
  opened.value = path;
  showAll();
};

const offerUndo = (text: string, before: Before): void => {
  toast({ text, action: { label: texts.undo, run: () => goBack(before) } });
};

const toText = (path: string, text: string, type: string): DraftFile => {
  const bytes = new Blob([text]);
  return { path, type, size: bytes.size, bytes, text };
};

/** Returns the files with another page in the place of the main one, whose text becomes that of the composer. */
const exchangeMain = (set: FileSet, path: string, isMainKept: boolean): FileSet | undefined => {
  const page = set.others.find((file) => file.path === path);
  if (page?.text === undefined) return undefined;
  const before = toText(
    set.main,
    editor.getText(),
    `text/${getPageKind(set.main) === 'html' ? 'html' : 'plain'}`,
  );
  const rest = set.others.filter((file) => file !== page);
  putMain(path, page.text);
  return { main: path, others: isMainKept ? [...rest, before] : rest };
};

/** Makes a file the page that readers see first. */
export const setMain = (path: string): void => {
  takeTexts();
  const set = fileSet.value;
  if (!set || path === set.main) return;
  const wasOpen = opened.value === set.main;
  const next = exchangeMain(set, path, true);
  if (!next) return;
  setFiles(next);
  if (wasOpen) opened.value = path;
  showAll();
};

/** Whether a file can become the main page. */
export const canBeMain = (path: string): boolean =>
  path !== main.value &&
  getPageKind(path) !== undefined &&
  others.value.some((file) => file.path === path && file.text !== undefined && isEditable(file));

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** Removes a file, or a folder with its files. The main page goes if another page can take its place. */
export const remove = (path: string): void => {
  const before = takeBefore();
  if (!before) return;
  const { set } = before;
  const left = set.others.filter((file) => !isWithin(file.path, path));
  if (isSingle.value) {
    clearFiles();
    showAll();
    offerUndo(texts.removed(getName(path)), before);
    return;
  }
  let next: FileSet | undefined = { ...set, others: left };
  if (isWithin(set.main, path)) {
    const { main: first, candidates = [] } = chooseMain(
      left.filter(({ text }) => text !== undefined).map((file) => file.path),
    );
    const page = first ?? candidates[0];
    if (page === undefined) {
      toast({ text: texts.mainStays });
      return;
    }
    next = exchangeMain(next, page, false);
  }
  if (!next) return;
  setFiles(next);
  showAll();
  offerUndo(texts.removed(getName(path)), before);
};

/** Removes files that can’t be uploaded, or weren’t. */
export const removeAll = (paths: readonly string[]): void => {
  const before = takeBefore();
  if (!before || paths.length === 0) return;
  const { set } = before;
  setFiles({ ...set, others: set.others.filter(({ path }) => !paths.includes(path)) });
  offerUndo(texts.canceled(paths.length), before);
};

/** Applies new paths, and texts whose references follow. */
const applyMoves = (
  { set }: Before,
  moves: Moves,
  changed: ReadonlyMap<string, string>,
): FileSet => {
  const move = (path: string) => moves.get(path) ?? path;
  const mainText = changed.get(move(set.main));
  if (mainText !== undefined && !isSingle.value) editor.setText(mainText);
  return {
    main: move(set.main),
    others: set.others.map((file) => {
      const path = move(file.path);
      const text = changed.get(path);
      return text === undefined ? { ...file, path } : toText(path, text, file.type);
    }),
  };
};

/**
 * Renames a file or folder; references of texts follow. Returns why it can’t be; `undefined` once it is.
 */
export const rename = async (path: string, name: string): Promise<string | undefined> => {
  const before = takeBefore();
  if (!before) return undefined;
  const paths = allFiles.value.map((file) => file.path);
  const moves = planRename(paths, path, name);
  if (moves.size === 0) return undefined;
  const moved = allFiles.value.map((file) => ({
    ...file,
    path: moves.get(file.path) ?? file.path,
  }));
  const problem = checkPaths(moved, moves.get(main.value) ?? main.value)[0];
  if (problem) return problem.message;
  const kind = getPageKind(main.value);
  const newMain = moves.get(main.value);
  if (newMain !== undefined && getPageKind(newMain) !== kind) return texts.mainKind;
  const followed = await runTask({ task: 'follow', files: listWorkFiles(), moves }).catch(() => []);
  const newTexts = new Map(followed.map((one) => [one.path, one.text]));
  const wasOpened = opened.value;
  setFiles(applyMoves(before, moves, newTexts));
  opened.value = moves.get(wasOpened) ?? wasOpened;
  showAll();
  const references = followed.reduce((sum, one) => sum + one.references, 0);
  offerUndo(texts.renamed(getName(name.trim()), references), before);
  return undefined;
};
