import * as z from 'zod';
import { readSessionCookie } from '../../../shared/auth/session-cookie.ts';
import { readToken } from '../../../shared/auth/tokens.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { findProvider, type Provider } from '../../../shared/runtime/provider-settings.ts';
import { replyWithErrorPage } from '../layout/error-page.ts';
import { readTheme } from '../layout/theme.ts';
import { page } from '../password/reply.ts';
import { createFlow, type Flow, findFlow } from './flow.ts';
import { beginLimits, responseLimits } from './limits.ts';
import { connectRefusalPage } from './pages.ts';
import { ProviderError } from './protocol/provider-error.ts';
import { logFailure, respond, showFailure } from './respond.ts';

const Params = z.object({
  provider: z
    .string()
    .max(20)
    .meta({ description: 'The name of a provider.', examples: ['google'] }),
});

/** @throws AppError NOT_FOUND */
const getProvider = (name: string): Provider => {
  const provider = findProvider(name);
  if (!provider) throw new AppError('NOT_FOUND', 'Provider not found.');
  return provider;
};

/**
 * Returns who connects an account of a provider: the token is theirs, and so is the session of this browser. Otherwise someone
 * could have their own account connected to one that another person signs in with.
 */
const readConnecting = async (
  token: string,
  { name }: Provider,
  cookies: readonly string[],
): Promise<Flow['con']> => {
  const [connecting, session] = await Promise.all([
    readToken('connect', token),
    readToken('session', readSessionCookie(cookies)),
  ]);
  if (connecting?.pro !== name) return undefined;
  if (session?.sid !== connecting.sid || session.sub !== connecting.sub) return undefined;
  const { sub, se, fe, sid } = connecting;
  return { sub, se, fe, sid };
};

/** What the pages of providers have in common. No cache stores them. */
const common = {
  access: 'public',
  params: Params,
  output: z.string(),
  produces: 'html',
  failurePage: replyWithErrorPage,
  setsCookiesAcrossSites: true,
} as const;

export const routes = [
  route({
    ...common,
    endpoint: 'GET /login/{provider}',
    summary: 'Sign in with a provider',
    description:
      'Begins a sign-in at a provider of the settings `OIDC_*`, which ends within 10 minutes, and redirects to it. A cookie shows that this browser began it.',
    query: z.object({
      next: z.string().optional().meta({ description: 'The path to open after signing in.' }),
      connect: z.string().max(2_048).optional().meta({
        description: 'Connects an account to the one that is signed in, in place of signing in.',
      }),
      account: z.literal('other').optional().catch(undefined).meta({
        description: 'Asks which account of the provider to use.',
      }),
    }),
    status: 303,
    errors: {
      CONFLICT: 'The session can’t connect an account; the page says why.',
      SERVICE_UNAVAILABLE: 'The provider doesn’t respond, or isn’t set up.',
    },
    limits: beginLimits,
    handle: async ({ params, query: { next, connect, account }, cookies, isHead }) => {
      const provider = getProvider(params.provider);
      if (isHead) return new Reply('', { status: 303, headers: { location: '/login' } });
      const con =
        connect === undefined ? undefined : await readConnecting(connect, provider, cookies);
      if (connect !== undefined && !con) {
        return page(connectRefusalPage('ended', { provider, theme: readTheme(cookies) }), 409);
      }
      const flow = await createFlow(provider, { next, con }, cookies);
      try {
        const { createAuthorizationUrl } = await import('./protocol/authorization.ts');
        const asksForAccount = con !== undefined || account !== undefined;
        const { href } = await createAuthorizationUrl(provider, flow.checks, { asksForAccount });
        return new Reply('', { status: 303, headers: { location: href }, cookies: flow.cookies });
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        logFailure(error, provider);
        return showFailure(error.reason, { provider, cookies }, { next, con });
      }
    },
  }),
  route({
    ...common,
    endpoint: 'GET /login/{provider}/callback',
    summary: 'Complete a sign-in with a provider',
    description:
      'The address that a provider sends people back to. Signs in whom the provider has signed in, and leads on by a page, because browsers send the session only from pages of this service. With a second factor, the page asks for it.',
    query: z.object({
      state: z
        .string()
        .max(256)
        .default('')
        .meta({ description: 'As it was sent to the provider.' }),
      code: z.string().optional().meta({ description: 'What the provider is asked with.' }),
      iss: z.string().optional().meta({ description: 'The issuer of the response.' }),
      error: z.string().optional().meta({ description: 'Why there is no code.' }),
    }),
    errors: {
      FORBIDDEN: 'Nobody is signed in by this account of the provider; the page says why.',
      CONFLICT: 'The account of the provider can’t be connected; the page says why.',
      SERVICE_UNAVAILABLE: 'The provider doesn’t respond, or isn’t set up.',
    },
    limits: responseLimits,
    handle: async ({ params, query, cookies, client, recorder, isHead, target }) => {
      const provider = getProvider(params.provider);
      const asked = { provider, cookies };
      const flow = isHead ? undefined : await findFlow(provider, query.state, cookies);
      if (!flow) return showFailure('expired', asked, {});
      const sent = target.slice(target.indexOf('?') + 1);
      return respond({ ...asked, flow, query: sent, client, recorder });
    },
  }),
];
