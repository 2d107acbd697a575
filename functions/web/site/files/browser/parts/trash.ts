import { createTrash } from '../../../../browser/record-sharing/trash.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { trashTexts as texts } from '../../trash-texts.ts';
import { deletions, type File, list, loadFiles, selection } from './state.ts';

/** What is done with files in the trash. */
export const { restore, askToPurge } = createTrash<File>({
  list,
  selection,
  getName: ({ name }) => name,
  countSome: texts.someFiles,
  restore: ({ id }) => api.call('POST /api/files/{id}/restore', { params: { id } }),
  purge: ({ id }) => api.call('DELETE /api/files/trash/{id}', { params: { id } }),
  onRestored: deletions.show,
  reload: loadFiles,
});

/** The most files that are deleted at once: beyond, the question would wait for too many pages. */
const maxPurged = 2_000;

/** Asks before all files in the trash are deleted for good, also those that the list doesn’t show yet. */
export const emptyTrash = async (): Promise<void> => {
  const all: File[] = [];
  try {
    const query = { pageSize: 100 };
    for await (const file of api.items('GET /api/files/trash', { query, maxItems: maxPurged })) {
      all.push(file);
    }
  } catch (error) {
    showFailure((error as Error).message, emptyTrash);
    return;
  }
  // Those that the list has, as it takes away what is gone.
  const listed = new Map(list.items.value?.map((file) => [file.id, file]));
  await askToPurge(all.map((file) => listed.get(file.id) ?? file));
};
