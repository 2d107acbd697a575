// What is done with a file by a click, loaded by the first one.
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { type File, list } from './state.ts';

/** Marks a file as a favorite, or no longer, at once; puts it back if the service refuses. */
export const toggleFavorite = async (file: File): Promise<void> => {
  const { id, isFavorite } = file;
  const show = (next: boolean) => {
    list.items.value = list.items.value?.map((one) =>
      one.id === id ? { ...one, isFavorite: next } : one,
    );
  };
  show(!isFavorite);
  try {
    await api.call('PUT /api/files/{id}', { params: { id }, body: { isFavorite: !isFavorite } });
  } catch (error) {
    show(isFavorite);
    showFailure((error as Error).message, () => toggleFavorite(file));
  }
};

/** Downloads a file by leaving for it, or says why it can’t be. */
export const download = async (file: File, leave: (file: File) => void): Promise<void> => {
  try {
    // It redirects to storage, whose response scripts can’t read: the browser follows.
    await api.call('GET /api/files/{id}/download', { params: { id: file.id } });
    leave(file);
  } catch (error) {
    showFailure((error as Error).message, () => download(file, leave));
  }
};
