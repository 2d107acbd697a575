import { openShareDialog, type SharingKind } from '../record-sharing/share-dialog.tsx';
import { sharingTexts } from '../record-sharing/texts.ts';
import { api } from '../shell/api.ts';
import { changeDocument, DocumentConflict, type DocumentSummary } from './document.ts';
import { documentTexts } from './texts.ts';

const documents: SharingKind<DocumentSummary> = {
  describe: ({ id, title, author }) => ({
    name: title,
    owner: author,
    address: `/documents/${id}`,
  }),
  roles: sharingTexts.roles,
  texts: documentTexts.sharing,
  readReaders: ({ id }) => api.call('GET /api/documents/{id}/readers', { params: { id } }),
  share: ({ id }, userIds, role) =>
    api.call('POST /api/documents/{id}/share', { params: { id }, body: { userIds, role } }),
  unshare: ({ id }, userIds) =>
    api.call('POST /api/documents/{id}/unshare', { params: { id }, body: { userIds } }),
  getOpenTo: ({ visibility, everyoneRole }) => (visibility === 'everyone' ? everyoneRole : 'none'),
  setOpenTo: (document, openTo) =>
    changeDocument(
      document,
      openTo === 'none'
        ? { visibility: 'private' }
        : { visibility: 'everyone', everyoneRole: openTo },
    ),
  getCurrent: (error) => (error instanceof DocumentConflict ? error.current : undefined),
};

/** Opens the dialog that shows and changes who can read and edit a document, for those who may manage it. */
export const shareDocument = (
  document: DocumentSummary,
  onChange: (document: DocumentSummary) => unknown,
  publish?: () => unknown,
): void => openShareDialog(documents, document, onChange, publish);
