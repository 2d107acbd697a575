import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { listEntries } from '../../../functions/api/documents/index-entries.ts';

import { documentKeys } from '../../../functions/api/documents/keys.ts';

const at = '2026-01-01T00:00:00.000Z';

/** Creates a document as it is stored. */
export const newDocument = (
  fields: Partial<StoredDocument> & Pick<StoredDocument, 'id' | 'authorId'>,
): StoredDocument => ({
  title: `Note ${fields.id}`,
  type: 'text',
  tags: [],
  size: 0,
  visibility: 'private',
  sharedWith: [],
  createdAt: at,
  updatedAt: at,
  version: 1,
  ...fields,
});

/** Returns the items of a document: its record and its index entries. */
export const storedItems = (document: StoredDocument) => [
  { ...document, ...documentKeys.record.at({ id: document.id }) },
  ...listEntries(document),
];
