import * as z from 'zod';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { reportRequest } from '../../api/share/intake/reports.ts';
import {
  getRequestStatus,
  type StoredRequest,
  type Submission,
} from '../../api/share/intake/request.ts';
import { requestRoutes } from '../../api/share/intake/routes.ts';
import { assertTakes, isAdmitted, visitRequest } from '../../api/share/intake/visit.ts';
import { passwordLimits, reportLimits, submissionLimits } from '../../api/share/requests/limits.ts';
import { ReportReason, ShareId } from '../../api/share/requests/request-fields.ts';
import { leadingToShare } from '../layout/addresses/share-address.ts';
import { pagePolicy } from '../layout/policy.ts';
import { readTheme } from '../layout/theme.ts';
import { formLimits, SubmissionForm } from './form.ts';
import { page, replyWithErrorPage, reportedPage, reportPage } from './notices.ts';
import { formPage, passwordPage, receiptPage } from './page.ts';
import { getTriedRequest, takeForm } from './taking.ts';
import { requestTexts as texts } from './texts.ts';

const errors = { GONE: 'The request is complete, closed or expired, or was taken down.' } as const;

const headers = z.object(encodingHeaders);
const pageHeaders = { 'content-security-policy': pagePolicy() };

const findReceipt = (
  { submitted }: StoredRequest,
  receipt: string | undefined,
): Submission | undefined => Object.values(submitted).find((one) => one.receipt === receipt);

export const routes = [
  ...requestRoutes,
  route({
    endpoint: 'GET /r/{id}',
    access: 'public',
    summary: 'Show a share request',
    description:
      'The page by which someone without an account hands content in. A request with a password asks for it first.',
    params: ShareId,
    query: z.object({
      receipt: z.string().max(20).optional().meta({
        description: 'Confirms what was handed in under this number.',
      }),
    }),
    headers,
    produces: 'html',
    output: Representation,
    errors,
    failurePage: leadingToShare(replyWithErrorPage),
    handle: async ({ params: { id }, query, headers: given, cookies }) => {
      const theme = readTheme(cookies);
      const visited = await visitRequest(id);
      const { request } = visited;
      const found = findReceipt(request, query.receipt);
      const isOpen = getRequestStatus(request) === 'open';
      if (found) {
        return negotiate(receiptPage(visited, found.receipt, isOpen, theme), given, {
          headers: pageHeaders,
        });
      }
      assertTakes(request);
      const body = (await isAdmitted(request, {}))
        ? formPage(visited, theme)
        : passwordPage(visited, theme);
      return negotiate(body, given, { headers: pageHeaders });
    },
  }),
  route({
    endpoint: 'POST /r/{id}',
    access: 'public',
    summary: 'Send content to a user',
    description:
      'Takes a text, files or both as one private share of the user who asks, and redirects to its receipt. The same form with the same content is taken once. With the password alone, the page shows the form.',
    redirects: 'Once the content is taken: the page with its receipt number.',
    params: ShareId,
    body: SubmissionForm,
    accepts: 'multipart',
    formLimits,
    produces: 'html',
    output: z.string(),
    errors: {
      ...errors,
      PAYLOAD_TOO_LARGE: 'It is more than 512 KB, or the storage of the user who asks is full.',
      UNPROCESSABLE: 'The Markdown takes more than 3 s of CPU time to convert.',
      UNAUTHORIZED: 'The password is missing or incorrect. The page asks for it again.',
    },
    limits: [
      ...passwordLimits(getTriedRequest),
      ...submissionLimits<Parameters<typeof takeForm>[0]>(({ body }) => body.claim !== undefined),
    ],
    auditAction: 'share.submit',
    failurePage: replyWithErrorPage,
    handle: takeForm,
  }),
  route({
    endpoint: 'GET /r/{id}/report',
    access: 'public',
    summary: 'Show the report form',
    description: 'With `sent=true`, the page confirms the report.',
    params: ShareId,
    query: z.object({ sent: z.enum(['true']).optional() }),
    headers,
    produces: 'html',
    output: Representation,
    errors,
    failurePage: leadingToShare(replyWithErrorPage),
    handle: async ({ params: { id }, query: { sent }, headers: given, cookies }) => {
      const theme = readTheme(cookies);
      // The request may have ended since the report.
      if (!sent) await visitRequest(id);
      return negotiate(sent ? reportedPage(id, theme) : reportPage(id, theme), given, {
        headers: pageHeaders,
      });
    },
  }),
  route({
    endpoint: 'POST /r/{id}/report',
    access: 'public',
    summary: 'Report a share request',
    description: 'Reports a share request for moderation. No account is needed.',
    status: 303,
    params: ShareId,
    // Validated below, so that the form can be shown again with an invalid reason.
    body: z.object({ reason: z.string().max(10_000).default('') }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors,
    limits: reportLimits,
    auditAction: 'request.report',
    failurePage: replyWithErrorPage,
    handle: async ({ params: { id }, body, recorder, cookies }) => {
      // Forms send a line break as two characters, but maxlength counts one.
      const reason = ReportReason.safeParse(body.reason.replaceAll('\r\n', '\n'));
      if (!reason.success) {
        const error = texts.reportWrong;
        const refused = { reason: body.reason.slice(0, 1_000), error };
        const { status } = new AppError('VALIDATION_ERROR', error);
        return page(reportPage(id, readTheme(cookies), refused), status);
      }
      const { request } = await visitRequest(id);
      await reportRequest(request, reason.data, recorder);
      return new Reply('', { headers: { location: `/r/${id}/report?sent=true` } });
    },
  }),
];
