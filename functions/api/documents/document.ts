import type { Actor } from '../../../shared/auth/actor.ts';
import { itemParser } from '../../../shared/db/item-parser.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import type { ReaderRole } from '../../../shared/records/readers.ts';
import type { GivenRole } from '../../../shared/records/sharing.ts';
import { AppError, invalidField, missingPermission } from '../../../shared/runtime/errors.ts';
import type { TextsRef } from '../../../shared/storage/stored-text.ts';

export const visibilities = ['private', 'everyone'] as const;

/** Someone changed title or content, last at a time (ISO 8601). */
interface Editing {
  readonly by: number;
  readonly at: string;
}

/** Where a content is stored. */
export interface ContentRef extends TextsRef {
  /** Identifies its beginning, if the content is in the bucket and a search reads that alone. */
  readonly beginning?: string;
}

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
  /** What everyone may do with a public document; absent for reading. */
  readonly everyoneRole?: 'editor';
  /** Ids of the users it is shared with, without the author. */
  readonly sharedWith: readonly number[];
  /** Ids of those it is shared with who may change title and content; absent without any. */
  readonly editors?: readonly number[];
  /** Who last changed title or content, unless removed, and when (ISO 8601); absent before the first change. */
  readonly edited?: { readonly by?: number; readonly at: string };
  /** Who changed title or content within `editingMs` before the last change, last first; absent before the first. */
  readonly editing?: readonly Editing[];
  /** When a revision was last kept (ISO 8601); absent before the first. */
  readonly revisedAt?: string;
  /** Where the content is stored; absent without content. */
  readonly texts?: ContentRef;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
  /** When it was moved to the trash (ISO 8601). */
  readonly deletedAt?: string;
}

/** A document as lists show it. */
export type ListedDocument = Omit<StoredDocument, 'texts' | 'editing' | 'revisedAt'>;

/** Parses a stored document. */
export const parseDocument = itemParser<StoredDocument>('document', ['id', 'authorId', 'version']);

/** Creates the same error for a missing document and for one the caller can't view or edit. */
export const notFoundError = () => new AppError('NOT_FOUND', 'Document not found.');

/** Returns whether the actor can view and change all documents (decisions.md#rights). */
export const isManager = ({ permissions }: Actor): boolean => can(permissions, 'documents:manage');

/** Returns whether the actor can view the document: its author, its readers and managers can; if public, everyone. */
export const canView = (actor: Actor, document: ListedDocument): boolean =>
  document.visibility === 'everyone' ||
  document.sharedWith.includes(actor.user.id) ||
  canManage(actor, document);

/**
 * Returns whether the document is the actor's to change in all its fields, to share and to delete. Others get a 404
 * (decisions.md#rights).
 */
export const canManage = (actor: Actor, { authorId }: ListedDocument): boolean =>
  authorId === actor.user.id || isManager(actor);

/**
 * Returns whether the actor's role lets them change title and content, without `documents:update`. An API token with
 * permissions of its own needs that, too, because it may do only what they name (decisions.md#documents).
 */
export const isEditor = (actor: Actor, document: ListedDocument): boolean => {
  const { id } = actor.user;
  const { visibility, everyoneRole, sharedWith, editors = [] } = document;
  const isByRole =
    (visibility === 'everyone' && everyoneRole === 'editor') ||
    (sharedWith.includes(id) && editors.includes(id));
  return isByRole && (!actor.isLimited || can(actor.permissions, 'documents:update'));
};

/** Returns whether the actor can change title and content of the document. */
export const canEdit = (actor: Actor, document: ListedDocument): boolean =>
  isEditor(actor, document) ||
  (canManage(actor, document) && can(actor.permissions, 'documents:update'));

/** @throws AppError FORBIDDEN without `documents:update`, unless the actor's role is the right */
export const assertMayUpdate = (actor: Actor) => (document: StoredDocument | undefined) => {
  const isByRole = document !== undefined && isEditor(actor, document);
  if (!isByRole && !can(actor.permissions, 'documents:update')) {
    throw missingPermission('documents:update');
  }
};

/** @throws AppError FORBIDDEN for a field that an editor can't change */
export const assertMayChange = (
  actor: Actor,
  document: StoredDocument,
  names: readonly string[],
): void => {
  if (canManage(actor, document)) return;
  const fields = names.filter((field) => field !== 'title' && field !== 'content');
  if (fields.length === 0) return;
  throw new AppError(
    'FORBIDDEN',
    `You can change only title and content of this document. Leave out ${fields.join(', ')}.`,
    { details: fields.map((field) => ({ field, message: 'is changed by the owner only' })) },
  );
};

export const documentActions = ['edit', 'manage', 'delete'] as const;

/** Lists what the actor can do with a document beyond reading it. */
export const listActions = (
  actor: Actor,
  document: ListedDocument,
): (typeof documentActions)[number][] =>
  documentActions.filter((action) => {
    if (action === 'edit') return canEdit(actor, document);
    const permission = action === 'manage' ? 'documents:update' : 'documents:delete';
    return canManage(actor, document) && can(actor.permissions, permission);
  });

/**
 * Returns what everyone may do with a document beyond reading, after a change: of one that isn't public, nothing.
 * @throws AppError VALIDATION_ERROR for `everyoneRole`
 */
export const toEveryoneRole = (
  visibility: StoredDocument['visibility'],
  asked: ReaderRole | undefined,
  before?: StoredDocument['everyoneRole'],
): StoredDocument['everyoneRole'] => {
  if (visibility === 'everyone') return asked ? (asked === 'editor' ? asked : undefined) : before;
  if (asked !== 'editor') return undefined;
  throw invalidField('everyoneRole', 'must be reader unless visibility is everyone');
};

/** Returns the fields of readers and their roles. Those who aren't readers have no role. */
export const withReaders = (
  { editors = [] }: StoredDocument,
  sharedWith: readonly number[],
  given?: GivenRole,
) => {
  const next = sharedWith.filter((id) =>
    given?.role && given.userIds.includes(id) ? given.role === 'editor' : editors.includes(id),
  );
  return { sharedWith, editors: next.length > 0 ? next : undefined };
};

/** How long after a change someone is said to be editing: pages save while their user types. */
const editingMs = 120_000;

/** How many people are said to be editing at once. */
export const maxEditing = 5;

/** Returns the fields of who has changed title or content, and when, after a change. */
export const withEdit = ({ editing = [] }: StoredDocument, by: number) => {
  const at = new Date().toISOString();
  const others = editing.filter((one) => one.by !== by && isRecent(one));
  return { edited: { by, at }, editing: [{ by, at }, ...others].slice(0, maxEditing) };
};

const isRecent = ({ at }: Editing): boolean => Date.parse(at) + editingMs > Date.now();

/** Lists the ids of those who are editing a document, last first. */
export const listEditing = ({ editing = [] }: StoredDocument): readonly number[] =>
  editing.filter(isRecent).map(({ by }) => by);

/** Returns the fields of who has changed title or content without a user who was removed. */
export const forgetEditor = ({ edited, editing }: StoredDocument, userId: number) => ({
  ...(edited && { edited: edited.by === userId ? { at: edited.at } : edited }),
  ...(editing && { editing: editing.filter(({ by }) => by !== userId) }),
});
