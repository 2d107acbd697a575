import type { Actor } from '../../../../shared/auth/actor.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';

export const visibilities = ['private', 'everyone'] as const;

/** What a file is, by its bytes; a folder is listed among files. */
export const fileTypes = [
  'folder',
  'image',
  'video',
  'audio',
  'document',
  'archive',
  'other',
] as const;

export type FileType = (typeof fileTypes)[number];

/** A file or a folder as the table keeps it, without its keys. */
export interface StoredFile {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly type: FileType;
  /** By the bytes; of what is being uploaded, what it is called. Absent of folders. */
  readonly mimeType?: string;
  /** In bytes; 0 of a folder. */
  readonly size: number;
  /** The folder that it lies in; absent where it lies in none. */
  readonly folderId?: number;
  readonly visibility: (typeof visibilities)[number];
  /** The ids of those who see it beside its owner; never the owner's. */
  readonly sharedWith: readonly number[];
  /** Its owner's mark. */
  readonly isFavorite: boolean;
  /**
   * `uploading`: announced, seen by nobody until its bytes are there and checked. `removed`: seen by nobody any more, and
   * kept until its bytes are gone.
   */
  readonly status: 'uploading' | 'ready' | 'removed';
  /** The key of the object with its bytes; absent of folders. */
  readonly object?: string;
  /** The SHA-256 of its bytes in hex; of what is being uploaded, the one that was announced. */
  readonly checksum?: string;
  /** Of what is being uploaded: the times (ISO 8601) by which the upload must begin and be complete. */
  readonly uploadBy?: string;
  readonly completeBy?: string;
  /** Of what is being completed: the key that it is copied to, and until when (ISO 8601) nobody else does so. */
  readonly copyKey?: string;
  readonly copyLeaseUntil?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** How long before an upload that was announced must begin: for so long the form of it is good. */
export const formTtlMs = 15 * 60_000;

/** How long until it must be complete: 1 GB at 400 kbit/s. What it has reserved is given back then. */
export const uploadTtlMs = 6 * 3_600_000;

/** Is it over for an upload that was announced? */
export const isExpired = ({ completeBy = '' }: StoredFile): boolean =>
  Date.parse(completeBy) <= Date.now();

/** The same for what never existed and for what the caller may not know of or may not change. */
export const notFound = () => new AppError('NOT_FOUND', 'File not found.');

/** Does the actor see and change everybody's files (decisions.md#rights)? */
export const isManager = ({ permissions }: Actor): boolean => can(permissions, 'files:manage');

export const isReady = ({ status }: StoredFile): boolean => status === 'ready';

export const isFolder = ({ type }: StoredFile): boolean => type === 'folder';

/** May the actor change it? Somebody else's object is a 404 also to those who may read it (decisions.md#rights). */
export const canEdit = (actor: Actor, { ownerId }: StoredFile): boolean =>
  ownerId === actor.user.id || isManager(actor);

/** May the actor read it: the owner, those it is shared with, anybody where it is everyone's, and managers? */
export const canView = (actor: Actor, file: StoredFile): boolean =>
  isReady(file) &&
  (file.visibility === 'everyone' ||
    file.sharedWith.includes(actor.user.id) ||
    canEdit(actor, file));
