import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { filesTexts as texts } from '../../texts.ts';
import { askToMove } from './move-dialog.tsx';
import { type File, reload, rightsOf, selection } from './state.ts';

/** Moves each file to its folder: one request each. Says what failed, and returns what was moved. */
const moveEach = async (
  files: readonly File[],
  to: (file: File) => string | null,
  again: (files: readonly File[]) => unknown,
): Promise<readonly File[]> => {
  const { done, failed } = await runForEach(files, (file) =>
    api.call('PUT /api/files/{id}', { params: { id: file.id }, body: { folder: to(file) ?? '' } }),
  );
  await reload();
  if (failed[0]) {
    const rest = failed.map(({ item }) => item);
    const names = formatList(rest.map(({ name }) => `“${name}”`));
    showFailure(texts.notMoved(names, failed[0].error.message), () => again(rest));
  }
  return done;
};

const moveBack = (files: readonly File[]): unknown =>
  moveEach(files, ({ folder }) => folder, moveBack);

/** Moves files and folders to a folder, which can be undone. */
export const move = async (files: readonly File[], folder: string): Promise<void> => {
  const movable = files.filter((file) => rightsOf(file).mayMove && (file.folder ?? '') !== folder);
  if (!movable[0]) {
    if (files.length > 0) toast({ text: texts.onlyOwn, kind: 'bad' });
    return;
  }
  selection.value = new Set();
  const done = await moveEach(
    movable,
    () => folder,
    (rest) => move(rest, folder),
  );
  if (done[0]) {
    const place = folder || texts.shows.folders;
    const text =
      done.length === 1
        ? texts.moved(done[0].name, place)
        : texts.movedSome(formatNumber(done.length), place);
    toast({ text, action: { label: texts.undo, run: () => moveBack(done) } });
  }
};

/** Lets the user choose where files are moved to. */
export const chooseFolder = (files: readonly File[]): void => {
  const movable = files.filter((file) => rightsOf(file).mayMove);
  if (movable.length === 0) {
    toast({ text: texts.onlyOwn, kind: 'bad' });
    return;
  }
  askToMove(movable, move);
};
