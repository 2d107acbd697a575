import type { Configuration, CustomFetch } from 'openid-client';
import * as z from 'zod';
import { getClientSecret } from '../../../../shared/runtime/provider-secrets.ts';
import { gitHubIssuer, type Provider } from '../../../../shared/runtime/provider-settings.ts';
import type { Claims } from './claims.ts';
import { fetchIssuer } from './issuer-fetch.ts';
import { ProviderError } from './provider-error.ts';

const api = 'https://api.github.com';

/** GitHub refuses with the status 200, which the client would take for a token. */
const fetchGitHub: CustomFetch = async (url, sent) => {
  const response = await fetchIssuer(url, sent);
  const body = await response
    .clone()
    .json()
    .catch(() => undefined);
  const isRefused = response.ok && typeof body?.error === 'string';
  return isRefused ? Response.json(body, { status: 400 }) : response;
};

/** Creates the client of GitHub, which has no discovery, no ID tokens and no `iss` (https://docs.github.com/en/apps/oauth-apps). */
export const createGitHubClient = async (provider: Provider): Promise<Configuration> => {
  const openid = await import('openid-client');
  const client = new openid.Configuration(
    {
      issuer: gitHubIssuer,
      authorization_endpoint: `${gitHubIssuer}/login/oauth/authorize`,
      token_endpoint: `${gitHubIssuer}/login/oauth/access_token`,
    },
    provider.clientId,
    undefined,
    async (server, known, body, headers) =>
      openid.ClientSecretPost((await getClientSecret(provider)) ?? '')(
        server,
        known,
        body,
        headers,
      ),
  );
  client[openid.customFetch] = fetchGitHub;
  client.timeout = 5;
  return client;
};

const User = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });

const Emails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/**
 * Reads who an access token of GitHub is of, with their primary address.
 * @throws ProviderError; errors of the client
 */
export const readGitHubUser = async (
  client: Configuration,
  accessToken: string,
): Promise<Claims> => {
  const { fetchProtectedResource } = await import('openid-client');
  const get = async <Schema extends z.ZodType>(path: string, schema: Schema) => {
    const response = await fetchProtectedResource(client, accessToken, new URL(path, api), 'GET');
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success) throw new ProviderError('invalid', `unexpected response of ${path}`);
    return parsed.data;
  };
  const [{ id, login, name }, emails] = await Promise.all([
    get('/user', User),
    get('/user/emails', Emails),
  ]);
  const primary = emails.find((email) => email.primary);
  return {
    sub: String(id),
    name: name || login,
    email: primary?.email,
    email_verified: primary?.verified,
  };
};
