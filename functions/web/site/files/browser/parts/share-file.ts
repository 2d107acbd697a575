import {
  openShareDialog,
  type SharingKind,
} from '../../../../browser/record-sharing/share-dialog.tsx';
import { sharingTexts } from '../../../../browser/record-sharing/texts.ts';
import { api } from '../../../../browser/shell/api.ts';
import { sharingTexts as texts } from '../../sharing-texts.ts';
import { type File, showFile } from './state.ts';

const files: SharingKind<File> = {
  describe: ({ id, name, owner, owner_id: ownerId }) => ({
    name,
    owner: { id: ownerId, name: owner },
    address: `/files?open=${id}`,
  }),
  // Who may read a file may not change it: its name and folder are its owner's.
  roles: { reader: sharingTexts.roles.reader },
  texts,
  readReaders: async ({ id }) => {
    const readers = await api.call('GET /api/files/{id}/readers', { params: { id } });
    return readers.map((one) => ({ ...one, role: 'reader' }));
  },
  share: ({ id }, userIds) =>
    api.call('POST /api/files/{id}/share', { params: { id }, body: { userIds } }),
  unshare: ({ id }, userIds) =>
    api.call('POST /api/files/{id}/unshare', { params: { id }, body: { userIds } }),
  getOpenTo: ({ visibility }) => (visibility === 'everyone' ? 'reader' : 'none'),
  setOpenTo: ({ id }, openTo) =>
    api.call('PUT /api/files/{id}', {
      params: { id },
      body: { visibility: openTo === 'none' ? 'private' : 'everyone' },
    }),
};

/** Opens the dialog that shows and changes who can read a file, for those who may manage it. */
export const shareFile = (file: File): void => openShareDialog(files, file, showFile);
