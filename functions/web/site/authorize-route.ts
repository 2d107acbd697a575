import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { withNext } from '../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { pagePolicy } from '../layout/policy.ts';
import { readTheme } from '../layout/theme.ts';
import { visitHeaders } from '../layout/visit.ts';
import { loginPage } from './account/login-page.ts';
import { getSignInWays } from './account/ways.ts';
import { consentPage } from './authorize/page.ts';
import { findFirstStep } from './first-step.ts';

/**
 * The route of the page that OAuth clients send people to. Signed-out visitors sign in on the page itself, because its query can be
 * as long as an address may be, and encoding it for another page would make it longer (decisions.md#pages).
 */
export const authorizeRoute = route({
  endpoint: 'GET /authorize',
  access: 'optional',
  scope: 'session',
  isForUnverified: true,
  isForLeaving: true,
  summary: 'Show the consent page',
  description:
    'The authorization endpoint of OAuth 2.1: clients send people here with an authorization request in the query. The page asks whether the app may act for them, and leads back to it with a code or an error.',
  headers: z.object(visitHeaders),
  output: z.string(),
  produces: 'html',
  redirects:
    'For users who must do something first, such as verify their address: the page for that.',
  failurePage: replyWithErrorPage,
  handle: async ({ actor, headers, cookies, target, signedOut }) => {
    const first = actor && findFirstStep(actor);
    if (first)
      return new Reply('', { status: 303, headers: { location: withNext(first, target) } });
    const theme = readTheme(cookies);
    const mustSignIn = !actor && headers['sec-fetch-site'] !== 'cross-site';
    const body = mustSignIn
      ? loginPage(getSetting('REGISTRATION'), getSignInWays(), {
          theme,
          isUnknown: false,
          next: target,
          signedOut,
        })
      : consentPage(theme);
    return new Reply(body, {
      headers: {
        'content-security-policy': pagePolicy(),
        // Older browsers know no frame-ancestors.
        'x-frame-options': 'DENY',
        // An app that opened it in a window of its own waits for that window to come back to it.
        'cross-origin-opener-policy': 'unsafe-none',
      },
    });
  },
});
