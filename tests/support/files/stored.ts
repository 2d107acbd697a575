import type { StoredFile } from '../../../functions/api/files/record/file.ts';
import { listEntries } from '../../../functions/api/files/record/index-entries.ts';

import { fileKeys } from '../../../functions/api/files/record/keys.ts';

const at = '2026-01-01T00:00:00.000Z';

/** Creates a file as it is stored. */
export const newFile = (
  fields: Partial<StoredFile> & Pick<StoredFile, 'id' | 'ownerId'>,
): StoredFile => ({
  name: `File ${fields.id}`,
  type: 'other',
  size: 0,
  visibility: 'private',
  sharedWith: [],
  isFavorite: false,
  status: 'ready',
  createdAt: at,
  updatedAt: at,
  version: 1,
  ...fields,
});

/** Returns the items of a file: its record and its index entries. */
export const storedItems = (file: StoredFile) => [
  { ...file, ...fileKeys.record.at({ id: file.id }) },
  ...listEntries(file),
];
