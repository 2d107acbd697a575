import * as z from 'zod';
import {
  encodingHeaders,
  negotiate,
  Representation,
} from '../../../../shared/http/content/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { codeLimits, codeTryLimits } from '../../../api/share/requests/limits.ts';
import { ShareId } from '../../../api/share/requests/request-fields.ts';
import { readTheme } from '../../layout/theme.ts';
import { pageHeaders, replyWithErrorPage } from '../page-reply.ts';

// Loaded with the first link that asks for a code, of which there are few.
const load = () => import('./answers.ts');

const errors = {
  NOT_FOUND: 'The link doesn’t exist, or asks for no code.',
  GONE: 'The link was revoked.',
} as const;

/** Prove who the recipient of a link is, without JavaScript (decisions.md#recipients-by-email). */
export const codeRoutes = [
  route({
    endpoint: 'GET /s/{id}/code',
    access: 'public',
    summary: 'Show the form for a code',
    description: 'Uses no view.',
    params: ShareId,
    headers: z.object(encodingHeaders),
    produces: 'html',
    output: Representation,
    errors,
    failurePage: replyWithErrorPage,
    handle: async ({ params, headers, cookies }) => {
      const page = await (await load()).showCode(params.id, { theme: readTheme(cookies) });
      return negotiate(page, headers, { headers: pageHeaders() });
    },
  }),
  route({
    endpoint: 'POST /s/{id}/code',
    access: 'public',
    summary: 'Send a code',
    description: 'Emails six digits: 1 a minute, 3 an hour for a network, 10 a day.',
    status: 303,
    params: ShareId,
    body: z.object({}),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors,
    limits: codeLimits,
    auditAction: 'none',
    failurePage: replyWithErrorPage,
    handle: async ({ params: { id }, client, cookies }) =>
      (await load()).answerSend({ id, cookies }, client.network),
  }),
  route({
    endpoint: 'POST /s/{id}/proof',
    access: 'public',
    summary: 'Check a code',
    description: 'Of the newest, 5 tries. A cookie keeps the right one for 12 hours.',
    status: 303,
    params: ShareId,
    body: z.object({ code: z.string().max(100).default('') }),
    accepts: 'form',
    produces: 'html',
    output: z.string(),
    errors: { ...errors, UNAUTHORIZED: 'The code isn’t right.' },
    limits: codeTryLimits,
    auditAction: 'none',
    failurePage: replyWithErrorPage,
    handle: async ({ params: { id }, body, cookies }) =>
      (await load()).answerCode({ id, cookies }, body.code),
  }),
];
