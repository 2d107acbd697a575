import { expect } from 'vitest';
import { notifyReaders as notifyOfDocument } from '../../../functions/api/documents/work.ts';
import { notifyReaders as notifyOfFile } from '../../../functions/api/files/work.ts';
import type { Sharing } from '../../../shared/records/readers.ts';
import * as documents from '../documents/documents.ts';
import * as storedDocuments from '../documents/stored.ts';
import * as files from '../files/files.ts';
import * as storedFiles from '../files/stored.ts';
import type { Answer } from '../service/call.ts';
import { type Caller, createRequests } from './requests.ts';

/** A stored record, with the fields that both types have. */
interface Named {
  readonly id: number;
  readonly name: string;
  readonly visibility?: 'private' | 'everyone';
  readonly sharedWith?: readonly number[];
}

interface RecordTypeOptions {
  readonly group: 'documents' | 'files';
  readonly singular: 'document' | 'file';
  /** The name's field in a record, and in `sort`. */
  readonly nameField: 'title' | 'name';
  readonly create: (owner: Caller, name: string) => Promise<Answer>;
  /** Returns the items of a stored record. */
  readonly toItems: (ownerId: number, record: Named) => readonly object[];
  readonly notifyReaders: (sharing: Sharing) => Promise<void>;
}

const createRecordType = (options: RecordTypeOptions) => ({
  ...options,
  ...createRequests(options.group),
  /** Creates a record and returns its id. */
  newRecord: async (owner: Caller, name = 'A plan'): Promise<number> => {
    const response = await options.create(owner, name);
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return response.body.data.id;
  },
});

export type RecordType = ReturnType<typeof createRecordType>;

/** The types of records that a user owns and shares with readers. */
export const recordTypes = {
  documents: createRecordType({
    group: 'documents',
    singular: 'document',
    nameField: 'title',
    create: (owner, title) => documents.create(owner, { title }),
    toItems: (authorId, { name, ...fields }) =>
      storedDocuments.storedItems(
        storedDocuments.newDocument({ authorId, title: name, ...fields }),
      ),
    notifyReaders: notifyOfDocument,
  }),
  files: createRecordType({
    group: 'files',
    singular: 'file',
    nameField: 'name',
    create: (owner, name) => files.upload(owner, 'Hello', { name }),
    toItems: (ownerId, fields) =>
      storedFiles.storedItems(storedFiles.newFile({ ownerId, ...fields })),
    notifyReaders: notifyOfFile,
  }),
} as const;
