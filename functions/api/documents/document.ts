import type { Actor } from '../../../shared/auth/actor.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { TextsRef } from '../../../shared/storage/stored-text.ts';

export const visibilities = ['private', 'everyone'] as const;

/** A document as the table keeps it, without its keys and its content. */
export interface StoredDocument {
  readonly id: number;
  readonly authorId: number;
  readonly title: string;
  readonly type: string;
  readonly folder?: string;
  readonly tags: readonly string[];
  /** Of the content, in bytes of UTF-8. */
  readonly size: number;
  readonly visibility: (typeof visibilities)[number];
  /** The ids of those who see it beside its author; never the author's. */
  readonly sharedWith: readonly number[];
  /** Where the content is; absent where there is none. */
  readonly texts?: TextsRef;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** Since when it has been in the trash. */
  readonly deletedAt?: string;
}

/** How long a document stays in the trash before it is deleted for good (decisions.md#documents). */
export const keptInTrashMs = 30 * 86_400_000;

/** When a document that went into the trash at this time is deleted for good (ISO 8601). */
export const getPurgeTime = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + keptInTrashMs).toISOString();

/** Is it over for a document in the trash, whatever of it is still stored? */
export const isPurged = ({ deletedAt }: StoredDocument): boolean =>
  deletedAt !== undefined && Date.parse(deletedAt) + keptInTrashMs <= Date.now();

/** The same for what never existed and for what the caller may not know of or may not change. */
export const notFound = () => new AppError('NOT_FOUND', 'There is no such document for you');

/** Does the actor see and change everybody's documents (decisions.md#rights)? */
export const isManager = ({ permissions }: Actor): boolean => can(permissions, 'documents:manage');

/** May the actor read it: the author, those it is shared with, anybody where it is everyone's, and managers? */
export const canView = (actor: Actor, document: StoredDocument): boolean =>
  document.visibility === 'everyone' ||
  document.sharedWith.includes(actor.user.id) ||
  canEdit(actor, document);

/** May the actor change it? Somebody else's object is a 404 also to those who may read it (decisions.md#rights). */
export const canEdit = (actor: Actor, { authorId }: StoredDocument): boolean =>
  authorId === actor.user.id || isManager(actor);
