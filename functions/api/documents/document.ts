import type { Actor } from '../../../shared/auth/actor.ts';
import { itemParser } from '../../../shared/db/item-parser.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { TextsRef } from '../../../shared/storage/stored-text.ts';

export const visibilities = ['private', 'everyone'] as const;

/** A document as it is stored, without its keys and content. */
export interface StoredDocument {
  readonly id: number;
  readonly authorId: number;
  readonly title: string;
  readonly type: string;
  readonly folder?: string;
  readonly tags: readonly string[];
  /** Size of the content in bytes (UTF-8). */
  readonly size: number;
  readonly visibility: (typeof visibilities)[number];
  /** Ids of the users it is shared with, without the author. */
  readonly sharedWith: readonly number[];
  /** Where the content is stored; absent without content. */
  readonly texts?: TextsRef;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** When it was moved to the trash (ISO 8601). */
  readonly deletedAt?: string;
}

/** A document as lists show it. */
export type ListedDocument = Omit<StoredDocument, 'texts'>;

/** Parses a stored document. */
export const parseDocument = itemParser<StoredDocument>('document', ['id', 'authorId', 'version']);

/** How long a document stays in the trash before it is permanently deleted (decisions.md#documents). */
export const trashRetentionMs = 30 * 86_400_000;

/** Returns when a document moved to the trash at `deletedAt` is permanently deleted (ISO 8601). */
export const getPurgeTime = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + trashRetentionMs).toISOString();

/** Returns whether the retention time of a document in the trash is over, even if it is still stored. */
export const isPurged = ({ deletedAt }: StoredDocument): boolean =>
  deletedAt !== undefined && Date.parse(deletedAt) + trashRetentionMs <= Date.now();

/** Creates the same error for a missing document and for one the caller can't view or edit. */
export const notFoundError = () => new AppError('NOT_FOUND', 'Document not found.');

/** Returns whether the actor can view and edit all documents (decisions.md#rights). */
export const isManager = ({ permissions }: Actor): boolean => can(permissions, 'documents:manage');

/** Returns whether the actor can view the document: its author, its readers and managers can; if public, everyone. */
export const canView = (actor: Actor, document: ListedDocument): boolean =>
  document.visibility === 'everyone' ||
  document.sharedWith.includes(actor.user.id) ||
  canEdit(actor, document);

/** Returns whether the actor can edit the document. Readers who can't get a 404 (decisions.md#rights). */
export const canEdit = (actor: Actor, { authorId }: ListedDocument): boolean =>
  authorId === actor.user.id || isManager(actor);
