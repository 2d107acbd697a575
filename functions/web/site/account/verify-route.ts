import * as z from 'zod';
import { isLeaving } from '../../../../shared/auth/user.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { route } from '../../../../shared/http/route.ts';
import { isMailOn } from '../../../../shared/runtime/settings.ts';
import { withNext } from '../../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../../layout/error-page.ts';
import { pagePolicy } from '../../layout/policy.ts';
import { readTheme } from '../../layout/theme.ts';
import { visitHeaders } from '../../layout/visit.ts';
import { signInFirstPage, verifyPage } from './verify-pages.ts';

/** The route of the page that verification links lead to, and users who must verify their address first. */
export const verifyRoute = route({
  endpoint: 'GET /verify',
  access: 'optional',
  scope: 'session',
  isForUnverified: true,
  isForLeaving: true,
  summary: 'Show the email verification page',
  description:
    'The page that a verification link leads to. It changes nothing by itself: a signed-in user verifies the address by a click. Without a `token`, it sends the link.',
  query: z.object({
    token: z.string().max(256).default(''),
    next: z.string().optional(),
  }),
  headers: z.object(visitHeaders),
  output: z.string(),
  produces: 'html',
  redirects: 'For users whose account waits to be deleted: the page where they can keep it.',
  failurePage: replyWithErrorPage,
  handle: async ({ actor, query, headers, cookies, target }) => {
    if (actor && isLeaving(actor.user)) {
      return new Reply('', { status: 303, headers: { location: withNext('/leaving', target) } });
    }
    const visit = { ...query, next: query.next, theme: readTheme(cookies) };
    const isUnknown = headers['sec-fetch-site'] === 'cross-site';
    const body = actor
      ? verifyPage(actor.user, visit, isMailOn())
      : signInFirstPage(visit, isUnknown);
    return new Reply(body, {
      headers: {
        'content-security-policy': pagePolicy(),
        'cross-origin-opener-policy': 'same-origin',
      },
    });
  },
});
