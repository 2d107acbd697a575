import * as z from 'zod';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../shared/http/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { endLimits } from '../../api/share/limits.ts';
import { canReaderEnd } from '../../api/share/reading/end-token.ts';
import { find } from '../../api/share/reading/reading.ts';
import { assertHasOwner } from '../../api/share/record/owner.ts';
import { assertOpen, notFound, type StoredShare } from '../../api/share/record/share.ts';
import { resolveShareId } from '../../api/share/record/slugs.ts';
import { ShareId } from '../../api/share/request-fields.ts';
import { readTheme } from '../layout/theme.ts';
import { pageHeaders, replyWithErrorPage } from './page-reply.ts';
import { endPage } from './simple-pages.ts';

const errors = {
  NOT_FOUND: 'The share doesn’t exist, or this reader can’t end it.',
  GONE: 'The share has ended or was taken down.',
} as const;

const Token = z.string().max(2_048).optional().meta({
  description: 'From the page of a share with a password or a view limit.',
});

/** @throws AppError NOT_FOUND unless the reader can end the share */
const assertReaderCanEnd = async (share: StoredShare, token: string | undefined): Promise<void> => {
  if (!(await canReaderEnd(share, token))) throw notFound();
  await assertHasOwner(share);
};

/** End a share as its reader, without JavaScript. Its owner has to allow it. */
export const endRoutes = [
  route({
    endpoint: 'GET /s/{id}/end',
    access: 'public',
    summary: 'Show the end form',
    description: 'Changes nothing. Only for shares whose readers can end them.',
    params: ShareId,
    query: z.object({ token: Token }),
    headers: z.object(encodingHeaders),
    produces: 'html',
    output: Representation,
    errors,
    failurePage: replyWithErrorPage,
    handle: async ({ params, query: { token }, headers, cookies }) => {
      const found = await find(await resolveShareId(params.id));
      assertOpen(found);
      await assertReaderCanEnd(found.share, token);
      const page = endPage(found.share.id, token, readTheme(cookies));
      return negotiate(page, headers, { headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/end',
    access: 'public',
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
    handle: async ({ params: { id }, body: { token }, audit }) => {
      // Loaded when a reader ends a share, which few do.
      const { closeShare } = await import('../../api/share/ending/close.ts');
      await closeShare(id, 'reader', (share) => assertReaderCanEnd(share, token), audit);
      return new Reply('', { headers: { location: `/s/${id}` } });
    },
  }),
];
