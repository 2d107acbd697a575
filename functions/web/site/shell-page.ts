import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { type Route, route } from '../../../shared/http/route.ts';
import { can, type Permission } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { withNext } from '../layout/addresses/destination.ts';
import { isApple } from '../layout/command-key.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { errorPageTexts as texts } from '../layout/error-texts.ts';
import { type PagePolicyOptions, pagePolicy } from '../layout/policy.ts';
import type { PageSession } from '../layout/session.ts';
import { type ShellPage, shell } from '../layout/shell/shell.ts';
import { readTheme } from '../layout/theme.ts';
import { visitHeaders } from '../layout/visit.ts';
import { type FirstStep, findFirstStep } from './first-step.ts';
import { readSession } from './session.ts';

/** A page of the console. */
interface ConsolePage {
  readonly endpoint: `GET /${string}`;
  readonly summary: string;
  readonly description?: string;
  /** The parameters of its path, which its script reads. */
  readonly params?: z.ZodObject;
  /** Who may open it: anyone, any signed-in user, or holders of a permission. */
  readonly access: 'public' | 'signed-in' | Permission;
  /** Renders the page for a session. `target` is its path with the query; on Apple's devices the keyboard has a ⌘. */
  render(session: PageSession, target: string, onApple: boolean): ShellPage;
  /** What it loads besides the styles and scripts of this service. */
  getSources?(): PagePolicyOptions;
}

const headers = z.object({ ...representationHeaders, ...visitHeaders });

const leadTo = (page: '/login' | FirstStep, target: string): Reply<string> =>
  new Reply('', { status: 303, headers: { location: withNext(page, target) } });

const isPermission = (access: ConsolePage['access']): access is Permission =>
  access !== 'public' && access !== 'signed-in';

const isAllowed = (access: ConsolePage['access'], { permissions }: Actor): boolean =>
  !isPermission(access) || can(permissions, access);

/**
 * Creates the route of a page of the console. The page contains who it is for; its other data comes from the API.
 * Signed-out visitors of a page that requires a session are sent to sign in; users without its permission get the page of
 * the error 403. Browsers that come from another site send no session cookie: the page asks by script (decisions.md#pages).
 */
export const shellPage = ({
  endpoint,
  summary,
  description = 'The page contains who it is for; its script calls the API.',
  params,
  access,
  render,
  getSources,
}: ConsolePage): Route => ({
  ...route({
    endpoint,
    access: 'optional',
    scope: 'session',
    isForUnverified: true,
    isForLeaving: true,
    summary,
    description,
    headers,
    output: Representation,
    produces: 'html',
    ...(access !== 'public' && {
      redirects:
        'For signed-out visitors: the sign-in page. For users who must do something first, such as verify their address: the page for that.',
    }),
    ...(isPermission(access) && { errors: { FORBIDDEN: `You lack the permission ${access}` } }),
    failurePage: replyWithErrorPage,
    handle: async ({ actor: caller, headers, cookies, client, target }) => {
      const first = caller && findFirstStep(caller);
      if (first && access !== 'public') return leadTo(first, target);
      const actor = first ? undefined : caller;
      if (actor && !isAllowed(access, actor)) throw new AppError('FORBIDDEN', texts.forbidden);
      const session = await readSession(actor, headers['sec-fetch-site']);
      const onApple = isApple(client.userAgent);
      const requiresSession = access !== 'public';
      const viewer = { session, theme: readTheme(cookies), onApple, requiresSession };
      if (session.state === 'signed-out' && requiresSession) return leadTo('/login', target);
      const page = render(session, target, onApple);
      const { inlineStyle } = page;
      return negotiate(shell(page, viewer), headers, {
        caches: 'private',
        headers: {
          'content-security-policy': pagePolicy({
            ...getSources?.(),
            inlineStyle,
            isCarriedOver: true,
          }),
          'cross-origin-opener-policy': 'same-origin',
        },
      });
    },
  }),
  ...(params && { params }),
});
