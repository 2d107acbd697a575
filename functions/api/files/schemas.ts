import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { examplePage, Paginated } from '../../../shared/http/envelope.ts';
import { Reader } from '../../../shared/records/readers.ts';
import { getPurgeTime } from '../../../shared/records/trash.ts';
import { readAuthor } from '../../../shared/users/person.ts';
import {
  canEdit,
  fileActions,
  fileTypes,
  isReady,
  type ListedFile,
  listActions,
  notFoundError,
  visibilities,
} from './record/file.ts';
import type { FoundFile } from './record/files.ts';
import { folderPath } from './record/folders.ts';

const createdAt = '2026-11-21T12:00:00.000Z';

const exampleFile = {
  id: 244_212_480_012_288,
  name: 'Holidays.mp4',
  type: 'video' as const,
  mimeType: 'video/mp4',
  size: 104_857_600,
  path: '/Videos/2026/Holidays.mp4',
  folder: 'Videos/2026',
  isFavorite: false,
  owner: 'Ann Example',
  owner_id: 244_212_480_000_000,
  visibility: 'private' as const,
  sharedWith: [244_212_480_004_096],
  actions: ['manage' as const, 'delete' as const],
  status: 'ready' as const,
  hasThumbnail: false,
  checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  createdAt,
  updatedAt: createdAt,
  version: 1,
};

/** A file or folder in responses. */
export const File = z
  .object({
    id: z.int().positive(),
    name: z.string(),
    type: z.enum(fileTypes).meta({ description: 'The kind of file, detected from its content.' }),
    mimeType: z
      .string()
      .nullable()
      .meta({ description: 'The media type, detected from its content. `null` for a folder.' }),
    size: z.int().meta({ description: 'The size in bytes; 0 for a folder.' }),
    path: z.string().meta({
      description: 'Its folders and its name. Those who can’t change the file see only the name.',
    }),
    folder: z.string().nullable().meta({ description: 'The path of its folder.' }),
    isFavorite: z
      .boolean()
      .meta({ description: 'Whether you, as the owner, marked it as a favorite.' }),
    owner: z.string().meta({ description: 'The name of the owner.' }),
    owner_id: z.int().positive(),
    visibility: z.enum(visibilities).meta({
      description:
        'Who else can read it: no one (`private`) or every user with the permission (`everyone`).',
    }),
    sharedWith: z.array(z.int().positive()).meta({
      description:
        'Ids of the users it is shared with. Those who can’t change the file see only their own.',
    }),
    actions: z.array(z.enum(fileActions)).meta({
      description:
        'What you can do with it beyond reading: change its name, folder and readers (`manage`), move it to the trash (`delete`).',
    }),
    status: z
      .literal('ready')
      .meta({ description: 'Always `ready`: unfinished uploads are not listed.' }),
    hasThumbnail: z.boolean().meta({
      description: 'Whether `GET /api/files/{id}/thumbnail` returns a small picture of it.',
    }),
    checksum: z
      .string()
      .nullable()
      .meta({ description: 'The SHA-256 of the content in hex. `null` for a folder.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int().positive(),
  })
  .meta({ id: 'File', examples: [exampleFile] });

const exampleTrashed = {
  ...exampleFile,
  deletedAt: createdAt,
  purgedAt: '2026-12-21T12:00:00.000Z',
};

/** A file in the trash. */
export const TrashedFile = File.extend({
  deletedAt: z.iso.datetime(),
  purgedAt: z.iso.datetime().meta({ description: 'When it will be permanently deleted.' }),
}).meta({ id: 'TrashedFile', examples: [exampleTrashed] });

export const FileTrashPage = Paginated(TrashedFile).meta({
  id: 'FileTrashPage',
  examples: [examplePage(exampleTrashed)],
});

export const FilePage = Paginated(File).meta({
  id: 'FilePage',
  examples: [examplePage(exampleFile)],
});

/** The users with whom a file is shared. */
export const FileReaders = z.array(Reader).meta({
  id: 'FileReaders',
  examples: [[{ id: 244_212_480_004_096, name: 'Bob Example', avatar: null }]],
});

const exampleUpload = {
  id: exampleFile.id,
  url: 'https://handbill-files.s3.eu-central-1.amazonaws.com/',
  fields: { 'Content-Type': 'video/mp4', key: 'uploads/0mM8kF3o1tTzq2Qj9u0a5A', Policy: 'eyJ…' },
  expiresAt: '2026-11-21T12:15:00.000Z',
};

/** A form that uploads one file straight to S3. */
export const Upload = z
  .object({
    id: z.int().positive().meta({ description: 'The id of the future file.' }),
    url: z.url().meta({ description: 'Where to post the form as `multipart/form-data`.' }),
    fields: z
      .record(z.string(), z.string())
      .meta({ description: 'The form’s fields. Send them before the part `file`.' }),
    expiresAt: z.iso
      .datetime()
      .meta({ description: 'Start the upload before this time, and complete it within 6 hours.' }),
  })
  .meta({ id: 'Upload', examples: [exampleUpload] });

export const Usage = z
  .object({
    used: z.int().meta({
      description:
        'Bytes in use, including those in the trash and those reserved for unfinished uploads.',
    }),
    trashed: z.int().meta({
      description: 'Bytes in the trash, a part of `used`. Emptying the trash frees them.',
    }),
    submitted: z.int().meta({
      description:
        'Bytes that people handed in through share requests, a part of `used`. They are freed when these shares end or are deleted.',
    }),
    quota: z.int().meta({ description: 'The quota in bytes.' }),
    files: z.int().meta({ description: 'The number of files, without folders and the trash.' }),
  })
  .meta({
    id: 'FileUsage',
    examples: [{ used: 104_857_600, trashed: 0, submitted: 0, quota: 1_073_741_824, files: 1 }],
  });

export const Download = z
  .object({
    url: z.url().meta({ description: 'The same as in `Location`.' }),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'FileDownload',
    examples: [
      {
        url: 'https://handbill-files.s3.eu-central-1.amazonaws.com/files/Xk3o1tTzq2Qj9u0a5A0mM8?X-Amz-Signature=4f0e9a52',
        expiresAt: '2026-11-21T12:05:00.000Z',
      },
    ],
  });

/** Converts a file to the actor's view of it. */
export const toResponse = (
  actor: Actor,
  { file, tree }: FoundFile<ListedFile>,
  owner: string,
): z.output<typeof File> => {
  const isOwn = file.ownerId === actor.user.id;
  const names = canEdit(actor, file) ? folderPath(tree, file.folderId) : [];
  return {
    id: file.id,
    name: file.name,
    type: file.type,
    mimeType: file.mimeType ?? null,
    size: file.size,
    path: `/${[...names, file.name].join('/')}`,
    folder: names.length > 0 ? names.join('/') : null,
    isFavorite: isOwn && file.isFavorite,
    owner,
    owner_id: file.ownerId,
    visibility: file.visibility,
    sharedWith: file.sharedWith.filter(
      (userId) => userId === actor.user.id || canEdit(actor, file),
    ),
    actions: listActions(actor, file),
    status: 'ready',
    hasThumbnail: file.hasThumbnail === true && isReady(file),
    checksum: file.checksum ?? null,
    createdAt: file.createdAt,
    updatedAt: file.updatedAt,
    version: file.version,
  };
};

/** Converts a file in the actor's trash to the actor's view of it. */
export const toTrashedResponse = (
  actor: Actor,
  found: FoundFile<ListedFile>,
): z.output<typeof TrashedFile> => {
  const { deletedAt = found.file.updatedAt } = found.file;
  return {
    ...toResponse(actor, found, actor.user.name),
    deletedAt,
    purgedAt: getPurgeTime(deletedAt),
  };
};

/**
 * Converts a file to the actor's view of it, after reading its owner's name, unless the actor is the owner.
 * @throws AppError NOT_FOUND if the owner was removed
 */
export const loadResponse = async (
  actor: Actor,
  found: FoundFile,
): Promise<z.output<typeof File>> => {
  const owner = await readAuthor(actor, found.file.ownerId);
  if (!owner) throw notFoundError();
  return toResponse(actor, found, owner.name);
};
