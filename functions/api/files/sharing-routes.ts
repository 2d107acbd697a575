import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { Readers } from '../../../shared/records/readers.ts';
import { getVersion, params, toFileResponse } from './one-file.ts';
import { File, FileReaders } from './schemas.ts';
import { readReaders, share, unshare } from './sharing.ts';

export const sharingRoutes = [
  route({
    endpoint: 'GET /api/files/{id}/readers',
    access: 'files:update',
    summary: 'List readers of a file',
    description:
      'Returns the users with their names. Only its owner, or a user with `files:manage`, can do this.',
    params,
    output: Success(FileReaders),
    handle: async ({ actor, params: { id } }) =>
      success([...(await readReaders(actor, id)).readers]),
  }),
  route({
    endpoint: 'POST /api/files/{id}/share',
    access: 'files:update',
    summary: 'Share a file with users',
    description:
      'Lets up to 20 users read the file and notifies those who are new. Folders can’t be shared.',
    params,
    body: Readers,
    output: Success(File),
    auditAction: 'file.share',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) =>
      toFileResponse(actor, await share(actor, id, body.userIds, ifMatch, recorder), 'Shared'),
  }),
  route({
    endpoint: 'POST /api/files/{id}/unshare',
    access: 'files:update',
    summary: 'Unshare a file',
    description: 'Stops sharing the file with these users. Users it isn’t shared with are ignored.',
    params,
    body: Readers,
    output: Success(File),
    auditAction: 'file.unshare',
    versionOf: getVersion,
    handle: async ({ actor, params: { id }, body, ifMatch, recorder }) => {
      const unshared = await unshare(actor, id, body.userIds, ifMatch, recorder);
      return toFileResponse(actor, unshared, 'Unshared');
    },
  }),
];
