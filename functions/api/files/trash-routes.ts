import * as z from 'zod';
import { Deleted, paginated, Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { pageQuery } from '../../../shared/lists/pagination.ts';
import { sortBy } from '../../../shared/lists/sort.ts';
import { purge } from './delete.ts';
import { getVersion, params, toFileResponse } from './one-file.ts';
import { File, FileTrashPage, toTrashedResponse } from './schemas.ts';
import { listTrash, restore } from './trash.ts';

export const trashRoutes = [
  route({
    endpoint: 'GET /api/files/trash',
    access: 'files:view',
    summary: 'List files in the trash',
    description:
      'Returns your deleted files, last deleted first. Each is kept for 30 days and counts towards your quota.',
    query: z.object({ ...pageQuery, ...sortBy(['deletedAt']) }),
    output: FileTrashPage,
    readAhead: listTrash,
    handle: async ({ actor, query, ahead }) =>
      paginated(await (ahead ?? listTrash(actor.user.id, query)), (found) =>
        toTrashedResponse(actor, found),
      ),
  }),
  route({
    endpoint: 'POST /api/files/{id}/restore',
    access: 'files:delete',
    summary: 'Restore a file',
    description:
      'Takes the file out of the trash, shared with the same users as before, into its folder or, if that is gone, to the top level.',
    params,
    output: Success(File),
    auditAction: 'file.restore',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) =>
      toFileResponse(actor, await restore(actor, id, ifMatch, recorder), 'Restored'),
  }),
  route({
    endpoint: 'DELETE /api/files/trash/{id}',
    access: 'files:delete',
    summary: 'Delete a file from the trash',
    description:
      'Deletes a file that is in the trash. This can’t be undone. The content is gone when the response arrives.',
    params,
    output: Deleted,
    auditAction: 'file.purge',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, ifMatch, recorder }) => {
      await purge(actor, id, ifMatch, recorder);
      return success({ id }, 'Permanently deleted');
    },
  }),
];
