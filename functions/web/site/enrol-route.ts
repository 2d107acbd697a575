import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { canHavePasskeys } from '../../api/auth/passkeys/relying-party.ts';
import { getDestination, withNext } from '../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { pagePolicy } from '../layout/policy.ts';
import { readTheme } from '../layout/theme.ts';
import { visitHeaders } from '../layout/visit.ts';
import { enrolPage } from './enrol/page.ts';
import { findFirstStep } from './first-step.ts';

const leadTo = (location: string): Reply<string> =>
  new Reply('', { status: 303, headers: { location } });

/** The route of the page where users set up the second factor that their role requires, before they can do anything else. */
export const enrolRoute = route({
  endpoint: 'GET /enrol',
  access: 'optional',
  scope: 'session',
  isForUnverified: true,
  isForUnenrolled: true,
  isForLeaving: true,
  summary: 'Show the second factor page',
  description:
    'Users whose role requires a second factor set one up here first. The query parameter `next` is the path to open afterwards.',
  query: z.object({ next: z.string().optional() }),
  headers: z.object(visitHeaders),
  output: z.string(),
  produces: 'html',
  redirects:
    'For signed-out visitors: the sign-in page. For users who must do something else first: the page for that. For users who need no second factor: the path in `next`, or else the dashboard.',
  failurePage: replyWithErrorPage,
  handle: async ({ actor, query: { next }, cookies, target }) => {
    if (!actor) return leadTo(withNext('/login', target));
    const first = findFirstStep(actor);
    const destination = getDestination(next);
    if (first !== '/enrol') return leadTo(first ? withNext(first, target) : destination);
    const body = enrolPage({
      theme: readTheme(cookies),
      email: actor.user.email,
      destination,
      hasPasskeys: canHavePasskeys(),
    });
    return new Reply(body, {
      headers: {
        'content-security-policy': pagePolicy(),
        'cross-origin-opener-policy': 'same-origin',
      },
    });
  },
});
