import * as z from 'zod';
import { idField } from '../../../shared/db/ids.ts';
import { FilePart, getFilePart } from '../../../shared/http/multipart.ts';
import { label, oneLine, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { describeIssue } from '../../../shared/input/validation-messages.ts';
import { maxReaders } from '../../../shared/records/readers.ts';
import { visibilities } from './record/file.ts';
import type { FileEdit } from './record/files.ts';
import { maxFolderName } from './record/folders.ts';
import { File } from './schemas.ts';
import type { PendingUpload } from './uploads/direct-upload.ts';
import type { NewFile } from './uploads/upload.ts';

/** A name becomes part of paths and headers. */
const name = label(255)
  .regex(/^[^/\\]*$/, 'must not contain slashes')
  .refine((text) => text !== '.' && text !== '..', 'must not be . or ..');

const folder = optional(oneLine(3_000)).meta({
  description: 'The path of one of your folders, such as `Photos/2026`. Empty is the top level.',
});

const sha256 = z
  .string()
  .regex(
    /^([\dA-Fa-f]{64}|[\dA-Za-z+/]{43}=)$/,
    'must be the SHA-256 of the content in hex or base64',
  );

const toHex = (checksum: string): string =>
  checksum.length === 64 ? checksum.toLowerCase() : Buffer.from(checksum, 'base64').toString('hex');

/** The form of `POST /api/files/upload`. */
export const UploadInput = z.object({
  file: getFilePart('The file, up to 4 MB, with its name.').refine(
    (part) => !(part instanceof FilePart) || name.safeParse(part.name).success,
    {
      error: ({ input }) =>
        `has an invalid name, which ${name.safeParse((input as FilePart).name, { error: describeIssue }).error?.issues[0]?.message}`,
      abort: true,
    },
  ),
  folder,
});

/** The body of `POST /api/files/presign`. */
export const PresignInput = z
  .object({
    name,
    size: z
      .int('must be an integer')
      .nonnegative('must not be negative')
      .meta({ description: 'The exact size in bytes, up to 1 GB.' }),
    type: optional(
      z
        .string()
        .trim()
        .max(200)
        .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+="?[\w.+-]+"?)*$/, 'must be a media type'),
    ).meta({
      description:
        'The media type of the upload. The type of the file is detected from its content.',
    }),
    folder,
    checksum: optional(sha256).meta({
      description: 'The SHA-256 of the content in hex or base64. S3 refuses different content.',
    }),
  })
  .meta({
    id: 'PresignInput',
    examples: [{ name: 'Holidays.mp4', size: 104_857_600, type: 'video/mp4', folder: 'Videos' }],
  });

/** The body of `POST /api/files/folders`. */
export const CreateFolderInput = z
  .object({
    name: name.max(maxFolderName, `must be at most ${maxFolderName} characters`),
    folder,
  })
  .meta({ id: 'CreateFolderInput', examples: [{ name: '2026', folder: 'Photos' }] });

const fileChange = recordChange(
  File,
  {
    name: name.optional(),
    folder,
    isFavorite: optional(z.boolean()),
    visibility: optional(z.enum(visibilities, `must be one of ${visibilities.join(', ')}`)),
    sharedWith: optional(
      z.array(idField('a user')).max(maxReaders, `must contain at most ${maxReaders} users`),
    ).meta({ description: 'Ids of all users it is shared with.' }),
  },
  { elsewhere: { path: 'is changed by name and folder' }, sets: ['sharedWith'] },
);

/** The body of `PUT /api/files/{id}`: changes the fields that are sent. */
export const UpdateFileInput = z.object(fileChange.shape).meta({
  id: 'UpdateFileInput',
  examples: [{ name: 'Summer.mp4', folder: 'Videos/2026', isFavorite: true }],
});

/** Converts the form to a new file. */
export const toNewFile = ({ file, folder: path }: z.output<typeof UploadInput>): NewFile => ({
  name: name.parse(file.name),
  bytes: file.bytes,
  folder: path ?? '',
});

/** Converts the body to a pending upload. */
export const toPendingUpload = (input: z.output<typeof PresignInput>): PendingUpload => ({
  name: input.name,
  size: input.size,
  contentType: input.type ?? 'application/octet-stream',
  checksum: input.checksum == null ? undefined : toHex(input.checksum),
  folder: input.folder ?? '',
});

/**
 * Converts the body to the changes from the file as the API shows it.
 * @throws AppError VALIDATION_ERROR for a field that can't be changed
 */
export const toFileEdit = (
  body: z.output<typeof UpdateFileInput>,
  shown: z.output<typeof File>,
): FileEdit => {
  const input = fileChange.changes(body, shown);
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.folder !== undefined && { folder: input.folder ?? '' }),
    ...(input.isFavorite !== undefined && { isFavorite: input.isFavorite ?? false }),
    ...(input.visibility !== undefined && { visibility: input.visibility ?? 'private' }),
    ...(input.sharedWith !== undefined && { sharedWith: input.sharedWith ?? [] }),
  };
};
