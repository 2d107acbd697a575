import * as z from 'zod';
import { Reply } from '../../../../shared/http/reply.ts';
import { route } from '../../../../shared/http/route.ts';
import { getDestination, withNext } from '../../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../../layout/error-page.ts';
import { pagePolicy } from '../../layout/policy.ts';
import { readTheme } from '../../layout/theme.ts';
import { visitHeaders } from '../../layout/visit.ts';
import { leavingPage } from './leaving-page.ts';

const leadTo = (location: string): Reply<string> =>
  new Reply('', { status: 303, headers: { location } });

/** The route of the page where users can keep an account that waits to be deleted. They see no other. */
export const leavingRoute = route({
  endpoint: 'GET /leaving',
  access: 'optional',
  scope: 'session',
  isForUnverified: true,
  isForUnenrolled: true,
  isForLeaving: true,
  summary: 'Show when your account is deleted',
  description:
    'Users whose account waits to be deleted keep it here, or sign out. The query parameter `next` is the path to open afterwards.',
  query: z.object({ next: z.string().optional() }),
  headers: z.object(visitHeaders),
  output: z.string(),
  produces: 'html',
  redirects:
    'For signed-out visitors: the sign-in page. For users whose account stays: the path in `next`, or else the dashboard.',
  failurePage: replyWithErrorPage,
  handle: async ({ actor, query: { next }, cookies, target }) => {
    if (!actor) return leadTo(withNext('/login', target));
    const destination = getDestination(next);
    const { deletesAt } = actor.user;
    if (deletesAt === undefined) return leadTo(destination);
    const body = leavingPage(actor.user, deletesAt, { theme: readTheme(cookies), destination });
    return new Reply(body, {
      headers: {
        'content-security-policy': pagePolicy(),
        'cross-origin-opener-policy': 'same-origin',
      },
    });
  },
});
