import * as z from 'zod';
import { asksToVerify } from '../../../../shared/auth/verification.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { type RouteRequest, route } from '../../../../shared/http/route.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { getDestination } from '../../layout/addresses/destination.ts';
import { replyWithErrorPage } from '../../layout/error-page.ts';
import { pagePolicy } from '../../layout/policy.ts';
import { readTheme } from '../../layout/theme.ts';
import { visitHeaders } from '../../layout/visit.ts';
import { forgotPage, loginPage, registerPage, type SignInVisit } from './sign-in-pages.ts';

const page = (body: string): Reply<string> =>
  new Reply(body, {
    headers: {
      'content-security-policy': pagePolicy(),
      'cross-origin-opener-policy': 'same-origin',
    },
  });

const NextQuery = z.object({ next: z.string().optional() });

type Request = RouteRequest<
  'optional',
  unknown,
  z.output<typeof NextQuery>,
  { readonly 'sec-fetch-site'?: string | undefined }
>;

/** Leads signed-in users on; shows the page to all others. */
const reply = (
  { actor, query: { next }, headers, cookies, signedOut }: Request,
  render: (visit: SignInVisit) => string,
): Reply<string> => {
  if (actor) return new Reply('', { status: 303, headers: { location: getDestination(next) } });
  const isUnknown = headers['sec-fetch-site'] === 'cross-site';
  return page(render({ theme: readTheme(cookies), isUnknown, next, signedOut }));
};

/** What the pages that sign in or register have in common. No cache stores them. */
const common = {
  access: 'optional',
  scope: 'session',
  headers: z.object(visitHeaders),
  output: z.string(),
  produces: 'html',
  redirects: 'For signed-in users: the path in `next`, or else the dashboard.',
  failurePage: replyWithErrorPage,
} as const;

/** The routes of the pages that sign in, register, or help who can't. */
export const signInRoutes = [
  route({
    ...common,
    endpoint: 'GET /login',
    summary: 'Show the sign-in page',
    description: 'The query parameter `next` is the path to open after signing in.',
    query: NextQuery,
    handle: async (request) =>
      reply(request, (visit) => loginPage(getSetting('REGISTRATION'), visit)),
  }),
  route({
    ...common,
    endpoint: 'GET /register',
    summary: 'Show the registration page',
    description: 'With an invitation, the link contains its `token`.',
    query: NextQuery.extend({ token: z.string().optional() }),
    handle: async (request) =>
      reply(request, (visit) =>
        registerPage(getSetting('REGISTRATION'), request.query.token || undefined, visit, {
          isVerified: asksToVerify(),
          domains: getSetting('ALLOWED_DOMAINS'),
        }),
      ),
  }),
  route({
    endpoint: 'GET /forgot',
    access: 'public',
    summary: 'Show the forgotten password page',
    description: 'The page requests a password reset link.',
    output: z.string(),
    produces: 'html',
    failurePage: replyWithErrorPage,
    handle: async ({ cookies }) => page(forgotPage(isMailOn(), readTheme(cookies))),
  }),
];
