import * as z from 'zod';
import { route } from '../../../../shared/http/route.ts';
import { pageQuery } from '../../../../shared/lists/pagination.ts';
import { sortBy } from '../../../../shared/lists/sort.ts';
import { ShareId } from '../requests/request-fields.ts';
import { markSeen } from './news.ts';
import { readReceived } from './read.ts';
import { ReceivedShareList, Seen, SeenInput, Unlisted } from './schemas.ts';
import { unlist } from './unlist.ts';

/** What others share with the caller (decisions.md#shared-with-me). */
export const receivedRoutes = [
  route({
    endpoint: 'GET /api/share/received',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'List shares for you',
    description:
      'Lists the shares of others that name you as a reader, and those for all members, the newest first by when they were shared. A page can be short or empty: go on while there is a `nextCursor`.',
    query: z.object({ ...pageQuery, ...sortBy(['sharedAt']) }),
    output: ReceivedShareList,
    readAhead: readReceived,
    handle: async ({ actor, query, ahead }) => ahead ?? readReceived(actor.user.id, query),
  }),
  route({
    endpoint: 'PUT /api/share/received/seen',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Mark shares for you as seen',
    description:
      'What was shared with you until then is no longer new. Repeating the request changes nothing.',
    body: SeenInput,
    output: Seen,
    auditAction: 'none',
    handle: async ({ actor, body }) => {
      const now = Date.now();
      const until = body.until === undefined ? now : Math.min(now, Date.parse(body.until));
      const seenAt = await markSeen(actor.user.id, new Date(until).toISOString());
      return { seenAt, message: 'Marked as seen' };
    },
  }),
  route({
    endpoint: 'DELETE /api/share/received/{id}',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Remove a share from your list',
    description:
      'Removes a share of someone else from your list. You can still open it. Repeating the request changes nothing.',
    params: ShareId,
    output: Unlisted,
    auditAction: 'none',
    handle: async ({ actor, params: { id } }) => {
      await unlist(actor.user.id, id);
      return { id, message: 'Removed from your list' };
    },
  }),
];
