import * as z from 'zod';
import { parseSubjectId } from '../../../shared/audit/record-diff.ts';
import { Deleted, paginated, Success, success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { emptyAsUndefined, isTrue } from '../../../shared/lists/filters.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { remove } from './delete.ts';
import { download } from './download.ts';
import {
  CreateFolderInput,
  PresignInput,
  toFileEdit,
  toNewFile,
  toPendingUpload,
  UpdateFileInput,
  UploadInput,
} from './input.ts';
import { type FileFilter, list, readAhead } from './list.ts';
import { getVersion, params, toFileResponse } from './one-file.ts';
import { fileTypes } from './record/file.ts';
import { createFolder, type FoundFile, read, update } from './record/files.ts';
import { readUsage } from './record/usage.ts';
import { Download, File, FilePage, loadResponse, toResponse, Upload, Usage } from './schemas.ts';
import { sharingRoutes } from './sharing-routes.ts';
import { thumbnailRoutes } from './thumbnail-routes.ts';
import { trashRoutes } from './trash-routes.ts';
import { complete, presign, replayPresigned } from './uploads/direct-upload.ts';
import { upload } from './uploads/upload.ts';

const FileQuery = z.object({
  ...pageQuery,
  search: z.preprocess(
    emptyAsUndefined,
    z.string().max(200).optional().meta({
      description:
        'Finds files whose name has words that start with each of these. Covers the first 12 words of a name.',
    }),
  ),
  folder: z.preprocess(
    emptyAsUndefined,
    z.string().trim().max(3_000).optional().meta({
      description: 'The path of one of your folders, such as `Photos/2026`; `/` is the top level.',
    }),
  ),
  type: z.preprocess(
    emptyAsUndefined,
    z.enum(fileTypes, `must be one of ${fileTypes.join(', ')}`).optional(),
  ),
  favorite: isTrue,
  isFavorite: isTrue.meta({ description: 'The same as `favorite`.' }),
  shared: isTrue.meta({
    description: '`true` for what other users share with you, without what is visible to everyone.',
  }),
  sort: sortBy(['createdAt', 'name']).sort.meta({
    description:
      'The order; a leading `-` reverses it. `name` is available for all files, shared ones, a search, and a folder, where subfolders come first.',
  }),
});

const DownloadQuery = z.object({
  inline: z.preprocess(
    emptyAsUndefined,
    z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .transform((text) => text === 'true')
      .meta({
        description:
          'Display the file instead of saving it. Applies to common images, videos and sounds, PDF and text.',
      }),
  ),
});

const tooLarge = 'The file exceeds 4 MB or your quota.';
const folderErrors = {
  CONFLICT: 'A folder with this name already exists there, or the limit of folders is reached.',
} as const;

const toFilter = ({
  search,
  folder,
  type,
  favorite,
  isFavorite,
  shared,
  sort,
}: z.output<typeof FileQuery>): FileFilter => ({
  ...{ search, folder, type, favorite: favorite ?? isFavorite, shared },
  sort: sort?.by ?? 'createdAt',
});

export const routes = [
  route({
    endpoint: 'GET /api/files',
    access: 'files:view',
    summary: 'List files',
    description:
      'Returns your files and folders, files shared with you and files visible to everyone, newest first. Use one filter at a time.',
    query: FileQuery,
    output: FilePage,
    readAhead: (userId, query) => readAhead(userId, toFilter(query), query),
    handle: async ({ actor, query, ahead }) =>
      paginated(await list(actor, toFilter(query), query, ahead), ({ owner, ...found }) =>
        toResponse(actor, found, owner),
      ),
  }),
  route({
    endpoint: 'GET /api/files/usage',
    access: 'files:view',
    summary: 'Get your storage usage',
    description: 'Returns how much you store, with reserved uploads, and your quota.',
    output: Success(Usage),
    handle: async ({ actor }) => success(await readUsage(actor.user.id)),
  }),
  route({
    endpoint: 'POST /api/files/upload',
    access: 'files:create',
    summary: 'Upload a file',
    description:
      'Stores a file of up to 4 MB. For larger files, use `POST /api/files/presign`. The quota is checked atomically.',
    status: 201,
    body: UploadInput,
    accepts: 'multipart',
    output: Success(File),
    errors: { PAYLOAD_TOO_LARGE: tooLarge },
    auditAction: 'file.upload',
    idempotency: {
      replay: async ({ actor }, subject) =>
        toFileResponse(actor, await read(actor, parseSubjectId(subject)), 'Uploaded'),
    },
    versionOf: getVersion,
    handle: async ({ actor, body, recorder }) =>
      toFileResponse(actor, await upload(actor, toNewFile(body), recorder), 'Uploaded'),
  }),
  route({
    endpoint: 'POST /api/files/presign',
    access: 'files:create',
    summary: 'Create an upload form',
    description:
      'Returns a form for uploading a file of up to 1 GB straight to S3. Afterwards, call `POST /api/files/{id}/complete`. The size is reserved in your quota until then, for at most 6 hours.',
    status: 201,
    body: PresignInput,
    output: Success(Upload),
    errors: {
      PAYLOAD_TOO_LARGE: 'The file exceeds 1 GB or your quota.',
      RATE_LIMITED: 'The forms of the last hours add up to twice your quota, used or not.',
    },
    auditAction: 'file.presign',
    idempotency: {
      replay: async ({ actor }, subject) =>
        success(await replayPresigned(actor, parseSubjectId(subject)), 'Ready for upload'),
    },
    handle: async ({ actor, body, recorder }) =>
      success(await presign(actor, toPendingUpload(body), recorder), 'Ready for upload'),
  }),
  route({
    endpoint: 'POST /api/files/{id}/complete',
    access: 'files:create',
    summary: 'Complete an upload',
    description:
      'Turns an upload to S3 into a file after checking its size and checksum. Repeating the request returns the same file.',
    params,
    output: Success(File),
    errors: { CONFLICT: 'The content is missing, or its size or checksum differs.' },
    auditAction: 'file.complete',
    handle: async ({ actor, params: { id }, recorder }) =>
      toFileResponse(actor, await complete(actor, id, recorder), 'Uploaded'),
  }),
  route({
    endpoint: 'POST /api/files/folders',
    access: 'files:create',
    summary: 'Create a folder',
    description: 'Folder names are unique within their folder.',
    status: 201,
    body: CreateFolderInput,
    output: Success(File),
    errors: folderErrors,
    auditAction: 'file.create-folder',
    idempotency: {
      replay: async ({ actor }, subject) =>
        toFileResponse(actor, await read(actor, parseSubjectId(subject)), 'Created'),
    },
    versionOf: getVersion,
    handle: async ({ actor, body: { name, folder }, recorder }) =>
      toFileResponse(
        actor,
        await createFolder(actor, { name, folder: folder ?? '' }, recorder),
        'Created',
      ),
  }),
  route({
    endpoint: 'GET /api/files/{id}',
    access: 'files:view',
    summary: 'Get a file or folder',
    description: 'Returns the metadata, not the content.',
    params,
    output: Success(File),
    versionOf: getVersion,
    handle: async ({ actor, params: { id } }) =>
      success(await loadResponse(actor, await read(actor, id))),
  }),
  route({
    endpoint: 'GET /api/files/{id}/download',
    access: 'files:view',
    summary: 'Download a file',
    description:
      'Redirects to a signed S3 URL, which is valid until `expiresAt`; HEAD to one for HEAD. Folders can’t be downloaded.',
    params,
    query: DownloadQuery,
    status: 302,
    output: Success(Download),
    errors: { CONFLICT: 'Folders can’t be downloaded.' },
    handle: async ({ actor, params: { id }, query: { inline }, isHead }) => {
      const found = await download(actor, id, { inline, isHead });
      return new Reply(success(found), { headers: { location: found.url } });
    },
  }),
  route({
    endpoint: 'PUT /api/files/{id}',
    access: 'files:update',
    summary: 'Update a file or folder',
    description:
      'Renames, moves, marks or shares it. Changes only the fields you send; `null` clears a field. Only its owner, or a user with `files:manage`, can do this.',
    params,
    body: UpdateFileInput,
    output: Success(File),
    errors: folderErrors,
    auditAction: 'file.update',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const toEdit = async (found: FoundFile) =>
        toFileEdit(
          body,
          'owner' in body ? await loadResponse(actor, found) : toResponse(actor, found, ''),
        );
      return toFileResponse(actor, await update(actor, id, toEdit, ifMatch, recorder), 'Saved');
    },
  }),
  route({
    endpoint: 'DELETE /api/files/{id}',
    access: 'files:delete',
    summary: 'Move a file to the trash',
    description:
      'The file can be restored for 30 days. An empty folder or an unfinished upload is deleted at once.',
    params,
    output: Deleted,
    errors: { CONFLICT: 'The folder is not empty.' },
    auditAction: 'file.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      const isTrashed = await remove(actor, id, ifMatch, recorder);
      return success({ id }, isTrashed ? 'Moved to the trash' : 'Deleted');
    },
  }),
  ...sharingRoutes,
  ...thumbnailRoutes,
  ...trashRoutes,
];
