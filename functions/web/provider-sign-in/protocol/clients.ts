import type { ClientAuth, Configuration } from 'openid-client';
import { getClientSecret } from '../../../../shared/runtime/provider-secrets.ts';
import { gitHubIssuer, type Provider } from '../../../../shared/runtime/provider-settings.ts';
import { createGitHubClient } from './github.ts';
import { fetchIssuer } from './issuer-fetch.ts';
import { ProviderError, toProviderError } from './provider-error.ts';

/** How long the addresses of an issuer are kept. ms. */
const keptMs = 60 * 60_000;

const timeoutSeconds = 5;

interface Kept {
  readonly until: number;
  readonly client: Promise<Configuration>;
}

/** By issuer and client. Each fails by itself. */
const kept = new Map<string, Kept>();

/** Authenticates with the secret as it is now, in the way that the issuer knows. A client without a secret has PKCE alone. */
const createAuthentication =
  (provider: Provider): ClientAuth =>
  async (server, client, body, headers) => {
    const { ClientSecretBasic, ClientSecretPost, None } = await import('openid-client');
    const secret = await getClientSecret(provider);
    const ways = server.token_endpoint_auth_methods_supported ?? [];
    // Not all issuers decode the names and secrets of Basic.
    const withSecret = ways.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic;
    const way = secret === undefined ? None() : withSecret(secret);
    return way(server, client, body, headers);
  };

const discover = async (provider: Provider): Promise<Configuration> => {
  const openid = await import('openid-client');
  const issuer = new URL(provider.issuer);
  const isLocal = issuer.protocol === 'http:';
  try {
    return await openid.discovery(
      issuer,
      provider.clientId,
      undefined,
      createAuthentication(provider),
      {
        timeout: timeoutSeconds,
        [openid.customFetch]: fetchIssuer,
        execute: [
          // One request for keys in five minutes lets no one in between make up who signs in.
          openid.enableNonRepudiationChecks,
          ...(isLocal ? [openid.allowInsecureRequests] : []),
        ],
      },
    );
  } catch (error) {
    const { reason, message } = toProviderError(error);
    throw new ProviderError(reason === 'unavailable' ? reason : 'misconfigured', message, {
      cause: error,
    });
  }
};

const create = (provider: Provider): Promise<Configuration> =>
  provider.issuer === gitHubIssuer ? createGitHubClient(provider) : discover(provider);

/**
 * Returns the client of a provider, which is kept for an hour. Concurrent requests ask the issuer once; what fails concerns
 * nobody else, and is tried again by the next request.
 * @throws ProviderError unavailable, misconfigured
 */
export const loadClient = (provider: Provider): Promise<Configuration> => {
  const key = JSON.stringify([provider.issuer, provider.clientId, provider.name]);
  const known = kept.get(key);
  if (known && Date.now() < known.until) return known.client;
  const client = create(provider).catch((error) => {
    if (kept.get(key)?.client === client) kept.delete(key);
    throw error;
  });
  kept.set(key, { until: Date.now() + keptMs, client });
  return client;
};
