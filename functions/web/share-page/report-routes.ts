import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { admit } from '../../api/share/reading/admission.ts';
import { reportLimits } from '../../api/share/requests/limits.ts';
import { ReportReason, ShareId } from '../../api/share/requests/request-fields.ts';
import { readTheme } from '../layout/theme.ts';
import { pageHeaders, replyWithErrorPage } from './page-reply.ts';
import { reportedPage, reportPage } from './simple-pages.ts';
import { sharePageTexts as texts } from './texts.ts';

const errors = {
  UNAUTHORIZED: 'The share isn’t open to all, and the caller isn’t signed in.',
  GONE: 'The share has ended or was taken down.',
} as const;

/** Who can’t prove to be the recipient of a link that asks for a code can report it all the same. */
const admitReporter = (id: string, actor: Actor | undefined, cookies: readonly string[]) =>
  admit(id, { actor, cookies, afterEnd: 'any', asReporter: true });

/** Report a share without JavaScript and without opening it. */
export const reportRoutes = [
  route({
    endpoint: 'GET /s/{id}/report',
    access: 'optional',
    scope: 'session',
    summary: 'Show the report form',
    description: 'With `sent=true`, the page confirms the report.',
    params: ShareId,
    query: z.object({ sent: z.enum(['true']).optional() }),
    headers: z.object(encodingHeaders),
    produces: 'html',
    output: Representation,
    errors,
    failurePage: replyWithErrorPage,
    handle: async ({ actor, params, query: { sent }, headers, cookies }) => {
      const theme = readTheme(cookies);
      // The share may have ended since the report. The address is as it was given: the id of a name tells that there is one.
      const page = sent
        ? reportedPage(params.id, theme)
        : reportPage(await admitReporter(params.id, actor, cookies), theme);
      return negotiate(page, headers, { headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/report',
    access: 'optional',
    scope: 'session',
    onlyIdentifies: true,
    summary: 'Report a share by form',
    description: 'Reports a share for moderation. No account is needed.',
    status: 303,
    params: ShareId,
    // Validated below, so that the form can be shown again with an invalid reason.
    body: z.object({ reason: z.string().max(10_000).default('') }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors,
    limits: reportLimits,
    auditAction: 'share.report',
    failurePage: replyWithErrorPage,
    handle: async ({ actor, params: { id }, body, recorder, cookies }) => {
      // Forms send a line break as two characters, but maxlength counts one.
      const reason = ReportReason.safeParse(body.reason.replaceAll('\r\n', '\n'));
      if (!reason.success) {
        const error = texts.reportWrong;
        const refused = { reason: body.reason.slice(0, 1_000), error };
        const { share } = await admitReporter(id, actor, cookies);
        return new Reply(reportPage({ addressId: id, share }, readTheme(cookies), refused), {
          status: new AppError('VALIDATION_ERROR', error).status,
          headers: pageHeaders(),
        });
      }
      // Loaded with a report, of which there are few.
      const { report } = await import('../../api/share/moderation/moderation.ts');
      const admission = await admitReporter(id, actor, cookies);
      await report(admission, reason.data, { actor, isNamed: false }, recorder);
      return new Reply('', { headers: { location: `/s/${id}/report?sent=true` } });
    },
  }),
];
