import * as z from 'zod';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../shared/http/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { ReportReason, ShareId } from '../../api/share/input.ts';
import { reportLimits } from '../../api/share/limits.ts';
import { report } from '../../api/share/moderation.ts';
import { find } from '../../api/share/reading/reading.ts';
import { assertHasOwner } from '../../api/share/record/owner.ts';
import { assertOpen } from '../../api/share/record/share.ts';
import { failed, pageHeaders } from './page-reply.ts';
import { reportedPage, reportPage } from './simple-pages.ts';
import { sharePageTexts as texts } from './texts.ts';

const errors = { GONE: 'The share has ended or was taken down.' } as const;

/** Reporting a share without a script, and without having opened it. */
export const reportRoutes = [
  route({
    endpoint: 'GET /s/{id}/report',
    access: 'public',
    summary: 'Show the report form',
    description: 'With `sent=true`, the page confirms the report.',
    params: ShareId,
    query: z.object({ sent: z.enum(['true']).optional() }),
    headers: z.object(encodingHeaders),
    produces: 'html',
    output: Representation,
    errors,
    failurePage: failed,
    handle: async ({ params: { id }, query: { sent }, headers }) => {
      // Who has reported it is thanked, whatever has become of it since.
      if (sent) return negotiate(reportedPage(id), headers, { headers: pageHeaders() });
      const found = await find(id);
      assertOpen(found);
      await assertHasOwner(found.share);
      return negotiate(reportPage(id), headers, { headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/report',
    access: 'public',
    summary: 'Submit the report form',
    description: 'Reports a share for moderation. No account is needed.',
    status: 303,
    params: ShareId,
    // Checked below, so that a reason that won't do is shown again in its form.
    body: z.object({ reason: z.string().max(10_000).default('') }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors,
    limits: reportLimits,
    auditAction: 'share.report',
    failurePage: failed,
    handle: async ({ params: { id }, body, audit }) => {
      // A form sends each line's end as two characters, a field counts it as one.
      const reason = ReportReason.safeParse(body.reason.replaceAll('\r\n', '\n'));
      if (!reason.success) {
        const wrong = texts.reportWrong;
        return new Reply(reportPage(id, { reason: body.reason.slice(0, 1_000), wrong }), {
          status: new AppError('VALIDATION_ERROR', wrong).status,
          headers: pageHeaders(),
        });
      }
      await report(id, reason.data, undefined, audit);
      return new Reply('', { headers: { location: `/s/${id}/report?sent=true` } });
    },
  }),
];
