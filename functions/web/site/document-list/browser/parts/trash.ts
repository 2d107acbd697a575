import { createTrash } from '../../../../browser/record-sharing/trash.ts';
import { api } from '../../../../browser/shell/api.ts';
import { documentsTexts as texts } from '../../texts.ts';
import { type Document, deletions, list, selection } from './state.ts';

/** What is done with documents in the trash. */
export const { restore, askToPurge } = createTrash<Document>({
  list,
  selection,
  getName: ({ title }) => title,
  countSome: texts.someDocuments,
  restore: ({ id }) => api.call('POST /api/documents/{id}/restore', { params: { id } }),
  purge: ({ id }) => api.call('DELETE /api/documents/trash/{id}', { params: { id } }),
  onRestored: deletions.show,
  reload: () => list.load(),
});
