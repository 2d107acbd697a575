import * as z from 'zod';
import { asksToVerify } from '../../../../shared/auth/verification.ts';
import { isEmailSignInOn, isPasswordSignInOn } from '../../../../shared/auth/ways-in.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { type RouteRequest, route } from '../../../../shared/http/route.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { getDestination, withNext } from '../../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../../layout/error-page.ts';
import { pagePolicy } from '../../layout/policy.ts';
import { toProvider } from '../../layout/sign-in/provider-links.ts';
import { readTheme } from '../../layout/theme.ts';
import { visitHeaders } from '../../layout/visit.ts';
import { type LoginReason, loginPage, type SignInVisit } from './login-page.ts';
import { emailLinkPage, type ForgotHelp, forgotPage, registerPage } from './sign-in-pages.ts';
import { findOnlyProvider, getSignInWays } from './ways.ts';

const page = (body: string): Reply<string> =>
  new Reply(body, {
    headers: {
      'content-security-policy': pagePolicy(),
      'cross-origin-opener-policy': 'same-origin',
    },
  });

const leadTo = (location: string): Reply<string> =>
  new Reply('', { status: 303, headers: { location } });

const NextQuery = z.object({ next: z.string().optional() });

type Request = RouteRequest<
  'optional',
  unknown,
  z.output<typeof NextQuery>,
  { readonly 'sec-fetch-site'?: string | undefined }
>;

/** Leads signed-in users on; replies with what `show` returns to all others. */
const reply = (
  { actor, query: { next }, headers, cookies, signedOut }: Request,
  show: (visit: SignInVisit) => Reply<string>,
): Reply<string> => {
  if (actor) return leadTo(getDestination(next));
  const isUnknown = headers['sec-fetch-site'] === 'cross-site';
  return show({ theme: readTheme(cookies), isUnknown, next, signedOut });
};

const loginReasons: readonly LoginReason[] = ['late', 'out', 'left', 'other'];

/** Shows the ways to sign in, or leads straight to the only provider unless there is something to say first. */
const replyWithLogin = (visit: SignInVisit): Reply<string> => {
  const ways = getSignInWays();
  const only = findOnlyProvider(ways);
  const { isUnknown, next, signedOut, why } = visit;
  const isSilent = why === undefined && (signedOut === undefined || signedOut === 'expired');
  // Only a script can tell whether this visitor is signed in.
  if (only && isSilent && !isUnknown) return leadTo(toProvider(only, next));
  return page(loginPage(getSetting('REGISTRATION'), ways, visit));
};

const getForgotHelp = (): ForgotHelp => {
  if (!isPasswordSignInOn()) return 'no-passwords';
  return isMailOn() ? 'link' : 'administrator';
};

/** What the pages that sign in or register have in common. No cache stores them. */
const common = {
  access: 'optional',
  scope: 'session',
  headers: z.object(visitHeaders),
  output: z.string(),
  produces: 'html',
  failurePage: replyWithErrorPage,
} as const;

const toNext = 'For signed-in users: the path in `next`, or else the dashboard.';

/** The routes of the pages that sign in, register, or help who can't. */
export const signInRoutes = [
  route({
    ...common,
    endpoint: 'GET /login',
    summary: 'Show the sign-in page',
    description:
      'The query parameter `next` is the path to open after signing in. `why=late` says that the second factor came too late, `why=out` that one has signed out, `why=left` that one’s account waits to be deleted, `why=other` that another way is wanted.',
    redirects: `${toNext} For others, where all sign in at one provider: that, unless the page says why one is there.`,
    query: NextQuery.extend({
      why: z.string().optional().meta({ description: 'Why one is asked to sign in.' }),
    }),
    handle: async (request) =>
      reply(request, (visit) => {
        const why = loginReasons.find((reason) => reason === request.query.why);
        return replyWithLogin({ ...visit, why });
      }),
  }),
  route({
    ...common,
    endpoint: 'GET /register',
    summary: 'Show the registration page',
    description: 'With an invitation, the link contains its `token`.',
    redirects: `${toNext} For others, where passwords are off: the sign-in page.`,
    query: NextQuery.extend({ token: z.string().optional() }),
    handle: async (request) =>
      reply(request, (visit) => {
        const { hasPasswords, providers } = getSignInWays();
        if (!hasPasswords) return leadTo(withNext('/login', visit.next));
        const registering = {
          mode: getSetting('REGISTRATION'),
          token: request.query.token || undefined,
          rules: { isVerified: asksToVerify(), domains: getSetting('ALLOWED_DOMAINS') },
          providers,
        };
        return page(registerPage(registering, visit));
      }),
  }),
  route({
    endpoint: 'GET /login/email',
    access: 'public',
    summary: 'Show the sign-in link page',
    description:
      'The page that the link in an email leads to. It signs in by a click; its token is behind the `#` of the address, which is not sent.',
    redirects: 'Where no email signs in: the sign-in page.',
    output: z.string(),
    produces: 'html',
    failurePage: replyWithErrorPage,
    handle: async ({ cookies }) =>
      isEmailSignInOn() ? page(emailLinkPage(readTheme(cookies))) : leadTo('/login'),
  }),
  route({
    endpoint: 'GET /forgot',
    access: 'public',
    summary: 'Show the forgotten password page',
    description: 'The page requests a password reset link.',
    output: z.string(),
    produces: 'html',
    failurePage: replyWithErrorPage,
    handle: async ({ cookies }) => page(forgotPage(getForgotHelp(), readTheme(cookies))),
  }),
];
