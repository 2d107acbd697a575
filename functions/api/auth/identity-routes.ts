import * as z from 'zod';
import { assertReauthenticated } from '../../../shared/auth/reauthentication.ts';
import { Success, success } from '../../../shared/http/envelope.ts';
import { route } from '../../../shared/http/route.ts';
import { getWithFactors } from './factors/stored-factors.ts';
import { BeginConnecting, Connections } from './identities/schemas.ts';

const needsProof = {
  FORBIDDEN:
    'An API token is used; with the code `REAUTHENTICATION_REQUIRED`, you must prove again who you are, by `POST /api/auth/reauthenticate` or by signing in.',
};

// Each is loaded with its first request: sign-ins by a password need none of it.
const loadManagement = () => import('./identities/manage.ts');
const loadShown = () => import('./identities/shown.ts');

const ofProvider = z.object({
  provider: z
    .string()
    .max(20)
    .meta({ description: 'The name of a provider.', examples: ['google'] }),
});

/** The routes of the caller's accounts at providers. API tokens can't use them. */
export const identityRoutes = [
  route({
    endpoint: 'GET /api/auth/identities',
    access: 'session',
    // They say how to sign in again, which setting up a factor may take.
    isForUnenrolled: true,
    summary: 'List your connected accounts',
    description:
      'Returns the providers of the settings `OIDC_*`, and which of them you can sign in at.',
    output: Success(Connections),
    handle: async ({ actor }) => {
      const { toConnections } = await loadShown();
      return success(toConnections(await getWithFactors(actor.user.id)));
    },
  }),
  route({
    endpoint: 'POST /api/auth/identities/{provider}',
    access: 'session',
    summary: 'Connect an account',
    description:
      'Returns the address at which the browser signs in at the provider, after which that account signs in to yours. The browser must have the session cookie of this session.',
    params: ofProvider,
    output: Success(BeginConnecting),
    errors: { ...needsProof, CONFLICT: 'An account at this provider is connected.' },
    // Nothing changes before the provider has answered, which is audited.
    auditAction: 'none',
    handle: async ({ actor, params: { provider } }) => {
      await assertReauthenticated(actor, undefined, 'The account will sign in to yours.');
      const { beginConnecting } = await loadManagement();
      return success({ location: await beginConnecting(actor, provider) });
    },
  }),
  route({
    endpoint: 'DELETE /api/auth/identities/{provider}',
    access: 'session',
    summary: 'Disconnect an account',
    description: 'It no longer signs in to yours. Sessions stay.',
    params: ofProvider,
    output: Success(Connections),
    errors: { ...needsProof, CONFLICT: 'Nothing else signs in to your account.' },
    auditAction: 'identity.disconnect',
    handle: async ({ actor, params: { provider }, recorder }) => {
      await assertReauthenticated(actor, undefined, 'This changes how you sign in.');
      const [{ disconnect }, { toConnections }] = await Promise.all([
        loadManagement(),
        loadShown(),
      ]);
      const found = await disconnect(actor, provider, recorder);
      return success(toConnections(found), 'Account disconnected');
    },
  }),
];
