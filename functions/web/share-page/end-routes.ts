import * as z from 'zod';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { admitToEnd } from '../../api/share/reading/end-token.ts';
import { endLimits } from '../../api/share/requests/limits.ts';
import { ShareId } from '../../api/share/requests/request-fields.ts';
import { readTheme } from '../layout/theme.ts';
import { pageHeaders, replyWithErrorPage } from './page-reply.ts';
import { endPage } from './simple-pages.ts';

const errors = {
  UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
  NOT_FOUND: 'The share doesn’t exist, or this reader can’t end it.',
  GONE: 'The share has ended or was taken down.',
} as const;

const Token = z.string().max(2_048).optional().meta({
  description: 'From the page of a share with a password or a view limit.',
});

/** End a share as its reader, without JavaScript. Its owner has to allow it. */
export const endRoutes = [
  route({
    endpoint: 'GET /s/{id}/end',
    access: 'optional',
    scope: 'session',
    summary: 'Show the end form',
    description: 'Changes nothing. Only for shares whose readers can end them.',
    params: ShareId,
    query: z.object({ token: Token }),
    headers: z.object(encodingHeaders),
    produces: 'html',
    output: Representation,
    errors,
    failurePage: replyWithErrorPage,
    handle: async ({ actor, params, query: { token }, headers, cookies }) => {
      const page = endPage(
        await admitToEnd(params.id, { actor, token, cookies }),
        token,
        readTheme(cookies),
      );
      return negotiate(page, headers, { headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/end',
    access: 'optional',
    scope: 'session',
    onlyIdentifies: true,
    summary: 'End a share as a reader',
    description: 'The share responds with 410 from now on, and its owner is notified.',
    status: 303,
    params: ShareId,
    body: z.object({ token: Token }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors,
    limits: endLimits,
    auditAction: 'share.end',
    failurePage: replyWithErrorPage,
    handle: async ({ actor, params: { id }, body: { token }, recorder, cookies }) => {
      // Loaded when a reader ends a share, which few do.
      const { closeShare } = await import('../../api/share/ending/close.ts');
      await closeShare('reader', () => admitToEnd(id, { actor, token, cookies }), recorder);
      return new Reply('', { headers: { location: `/s/${id}` } });
    },
  }),
];
