import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../shared/http/content-negotiation.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { can, type Permission } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { errorPageTexts as texts } from '../layout/error-texts.ts';
import { pagePolicy } from '../layout/policy.ts';
import { type ShellPage, shell } from '../layout/shell.ts';
import { readTheme } from '../layout/theme.ts';
import { readSession } from './session.ts';

/** A page of the console. */
interface ConsolePage {
  readonly endpoint: `GET /${string}`;
  readonly summary: string;
  readonly description: string;
  /** Who may open it: anyone, any signed-in user, or holders of a permission. */
  readonly access: 'public' | 'signed-in' | Permission;
  render(): ShellPage;
  /** By default, {@link pagePolicy} without options. */
  getPolicy?(): string;
}

const headers = z.object({
  ...representationHeaders,
  'sec-fetch-site': z.string().optional().meta({
    description: 'Sent by browsers. `cross-site` requests carry no session cookie.',
  }),
});

const toLogin = (target: string): Reply<string> =>
  new Reply('', {
    status: 303,
    headers: { location: `/login?next=${encodeURIComponent(target)}`, 'cache-control': 'no-store' },
  });

const isAllowed = (access: ConsolePage['access'], { permissions }: Actor): boolean =>
  access === 'public' || access === 'signed-in' || can(permissions, access);

/**
 * Creates the route of a page of the console. The page contains who it is for; its other data comes from the API.
 * Signed-out visitors of a page that requires a session are sent to sign in; users without its permission get the page of
 * the error 403. Browsers that come from another site send no session cookie: the page asks by script (decisions.md#pages).
 */
export const shellPage = ({
  endpoint,
  summary,
  description,
  access,
  render,
  getPolicy = pagePolicy,
}: ConsolePage) =>
  route({
    endpoint,
    access: 'optional',
    summary,
    description,
    headers,
    output: Representation,
    produces: 'html',
    failurePage: replyWithErrorPage,
    handle: async ({ actor, headers, cookies, target }) => {
      const session = await readSession(actor, headers['sec-fetch-site']);
      const viewer = { session, theme: readTheme(cookies), requiresSession: access !== 'public' };
      if (session.state === 'signed-out' && viewer.requiresSession) return toLogin(target);
      if (actor && !isAllowed(access, actor)) throw new AppError('FORBIDDEN', texts.forbidden);
      return negotiate(shell(render(), viewer), headers, {
        caches: 'private',
        headers: {
          'content-security-policy': getPolicy(),
          'cross-origin-opener-policy': 'same-origin',
        },
      });
    },
  });
