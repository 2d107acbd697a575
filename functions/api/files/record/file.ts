import type { Actor } from '../../../../shared/auth/actor.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';

export const visibilities = ['private', 'everyone'] as const;

/** Kinds of files, detected from the content. A folder is stored as a file. */
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

/** A file or folder as it is stored, without its keys. */
export interface StoredFile {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly type: FileType;
  /** Detected from the content; as announced while uploading. Absent for folders. */
  readonly mimeType?: string;
  /** In bytes; 0 for a folder. */
  readonly size: number;
  /** The parent folder; absent at the top level. */
  readonly folderId?: number;
  readonly visibility: (typeof visibilities)[number];
  /** Ids of the users it is shared with, without the owner. */
  readonly sharedWith: readonly number[];
  /** Set by the owner. */
  readonly isFavorite: boolean;
  /**
   * `uploading`: hidden until the upload is complete and checked. `trashed`: only in its owner's trash. `removed`: hidden, and
   * stored until its object is deleted.
   */
  readonly status: 'uploading' | 'ready' | 'trashed' | 'removed';
  /** When it was moved to the trash (ISO 8601). */
  readonly deletedAt?: string;
  /** The S3 key of the content; absent for folders. */
  readonly object?: string;
  /** Whether a thumbnail of the image is stored; absent for no. */
  readonly hasThumbnail?: boolean;
  /** SHA-256 of the content in hex; while uploading, the announced one. */
  readonly checksum?: string;
  /** While uploading: when the upload must start and be complete by (ISO 8601). */
  readonly uploadBy?: string;
  readonly completeBy?: string;
  /** While completing: the key of the copy, and the end of the lease to make it (ISO 8601). */
  readonly copyKey?: string;
  readonly copyLeaseUntil?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** What only uploads and downloads need. */
type Stored = 'object' | 'uploadBy' | 'completeBy' | 'copyKey' | 'copyLeaseUntil';

/** A file as lists show it. */
export type ListedFile = Omit<StoredFile, Stored>;

/** Parses a stored file. */
export const parseFile = itemParser<StoredFile>('file', ['id', 'ownerId', 'status', 'version']);

/** How long an upload form is valid. */
export const formTtlMs = 15 * 60_000;

/** How long an upload may take (1 GB at 400 kbit/s). After that its reserved storage is released. */
export const uploadTtlMs = 6 * 3_600_000;

/** Returns whether an upload was not completed in time. */
export const isExpired = ({ completeBy = '' }: StoredFile): boolean =>
  Date.parse(completeBy) <= Date.now();

/** Creates the same error for a missing file and for one the caller can't view or edit. */
export const notFoundError = () => new AppError('NOT_FOUND', 'File not found.');

/** Returns whether the actor can view and edit all files (decisions.md#rights). */
export const isManager = ({ permissions }: Actor): boolean => can(permissions, 'files:manage');

export const isReady = ({ status }: ListedFile): boolean => status === 'ready';

export const isFolder = ({ type }: ListedFile): boolean => type === 'folder';

/** Returns whether the actor can edit the file. Readers who can't get a 404 (decisions.md#rights). */
export const canEdit = (actor: Actor, { ownerId }: ListedFile): boolean =>
  ownerId === actor.user.id || isManager(actor);

export const fileActions = ['manage', 'delete'] as const;

/** Lists what the actor can do with a file beyond reading it. */
export const listActions = (actor: Actor, file: ListedFile): (typeof fileActions)[number][] =>
  fileActions.filter((action) => {
    const permission = action === 'manage' ? 'files:update' : 'files:delete';
    return canEdit(actor, file) && can(actor.permissions, permission);
  });

/** Returns whether the actor can view the file: its owner, its readers and managers can; if public, everyone. */
export const canView = (actor: Actor, file: ListedFile): boolean =>
  isReady(file) &&
  (file.visibility === 'everyone' ||
    file.sharedWith.includes(actor.user.id) ||
    canEdit(actor, file));
