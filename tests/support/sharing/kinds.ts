import { expect } from 'vitest';
import { notifyReaders as notifyOfDocument } from '../../../functions/api/documents/work.ts';
import { notifyReaders as notifyOfFile } from '../../../functions/api/files/work.ts';
import type { Sharing } from '../../../shared/sharing/readers.ts';
import * as documents from '../documents/documents.ts';
import * as storedDocuments from '../documents/stored.ts';
import * as files from '../files/files.ts';
import * as storedFiles from '../files/stored.ts';
import type { Answer } from '../service/call.ts';
import { type Caller, createRequests } from './requests.ts';

/** A stored record, with the fields that both kinds have. */
interface Named {
  readonly id: number;
  readonly name: string;
  readonly visibility?: 'private' | 'everyone';
  readonly sharedWith?: readonly number[];
}

interface KindOptions {
  readonly group: 'documents' | 'files';
  readonly one: 'document' | 'file';
  /** The name's field in a record, and in `sort`. */
  readonly named: 'title' | 'name';
  readonly create: (owner: Caller, name: string) => Promise<Answer>;
  /** Returns the items of a stored record. */
  readonly store: (ownerId: number, record: Named) => readonly object[];
  readonly notifyReaders: (sharing: Sharing) => Promise<void>;
}

const createKind = (options: KindOptions) => ({
  ...options,
  ...createRequests(options.group),
  /** Creates a record and returns its id. */
  make: async (owner: Caller, name = 'A plan'): Promise<number> => {
    const response = await options.create(owner, name);
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return response.body.data.id;
  },
});

export type Kind = ReturnType<typeof createKind>;

/** The kinds of records that a user owns and shares with readers. */
export const kinds = {
  documents: createKind({
    group: 'documents',
    one: 'document',
    named: 'title',
    create: (owner, title) => documents.create(owner, { title }),
    store: (authorId, { name, ...fields }) =>
      storedDocuments.storedItems(
        storedDocuments.newDocument({ authorId, title: name, ...fields }),
      ),
    notifyReaders: notifyOfDocument,
  }),
  files: createKind({
    group: 'files',
    one: 'file',
    named: 'name',
    create: (owner, name) => files.upload(owner, 'Hello', { name }),
    store: (ownerId, fields) =>
      storedFiles.storedItems(storedFiles.newFile({ ownerId, ...fields })),
    notifyReaders: notifyOfFile,
  }),
} as const;
