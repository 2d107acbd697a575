import type { Configuration } from 'openid-client';
import { renewClientSecrets } from '../../../../shared/runtime/provider-secrets.ts';
import { gitHubIssuer, type Provider } from '../../../../shared/runtime/provider-settings.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import type { Identity } from '../../../api/auth/identities/identity.ts';
import { type Claims, getRoleClaim, isIncomplete, toIdentity } from './claims.ts';
import { loadClient } from './clients.ts';
import { readGitHubUser } from './github.ts';
import { toProviderError } from './provider-error.ts';

/** What a response is checked with. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: the provider knows its hash only. */
  readonly verifier: string;
}

const isGitHub = ({ issuer }: Provider): boolean => issuer === gitHubIssuer;

/** Returns the address that a provider sends people back to, which is registered there. */
const getRedirectUri = ({ name }: Provider): string =>
  `${getSetting('PUBLIC_URL')}/login/${name}/callback`;

/** Some issuers say groups only if they are asked by a scope of this name. */
const getScopes = (provider: Provider, client: Configuration): string => {
  if (isGitHub(provider)) return 'read:user user:email';
  const claim = getRoleClaim(provider);
  const known = client.serverMetadata().scopes_supported ?? [];
  const isScope = claim !== undefined && known.includes(claim);
  return ['openid', 'email', 'profile', ...(isScope ? [claim] : [])].join(' ');
};

/** They know the prompt, but don't say so. */
const asking = [gitHubIssuer, 'https://accounts.google.com', 'https://login.microsoftonline.com'];

/** Whether the provider can ask which account to use: others may refuse the whole request. */
const canAsk = ({ issuer }: Provider, client: Configuration): boolean => {
  const known = client.serverMetadata()['prompt_values_supported'];
  const says = Array.isArray(known) && known.includes('select_account');
  return says || asking.includes(new URL(issuer).origin);
};

/**
 * Returns where someone signs in at a provider. `asksForAccount`: which of several accounts to use.
 * @throws ProviderError unavailable, misconfigured
 */
export const createAuthorizationUrl = async (
  provider: Provider,
  { state, nonce, verifier }: Checks,
  { asksForAccount }: { readonly asksForAccount: boolean },
): Promise<URL> => {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
  const client = await loadClient(provider);
  return buildAuthorizationUrl(client, {
    redirect_uri: getRedirectUri(provider),
    scope: getScopes(provider, client),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(!isGitHub(provider) && { nonce }),
    ...(asksForAccount && canAsk(provider, client) && { prompt: 'select_account' }),
  });
};

const readOpenId = async (
  provider: Provider,
  client: Configuration,
  url: URL,
  { state, nonce, verifier }: Checks,
): Promise<Identity> => {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const idToken: Claims = { ...tokens.claims() };
  const { userinfo_endpoint } = client.serverMetadata();
  const asks = userinfo_endpoint !== undefined && isIncomplete(provider, idToken);
  const others = asks
    ? [await fetchUserInfo(client, tokens.access_token, String(idToken['sub']))]
    : [];
  return toIdentity(provider, idToken, others);
};

const readGitHub = async (
  provider: Provider,
  client: Configuration,
  url: URL,
  { state, verifier }: Checks,
): Promise<Identity> => {
  const { authorizationCodeGrant } = await import('openid-client');
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: state,
    pkceCodeVerifier: verifier,
  });
  return toIdentity(provider, await readGitHubUser(client, tokens.access_token));
};

/**
 * Exchanges the response of a provider, which is the query of a callback, for who has signed in.
 * @throws ProviderError
 */
export const readAuthorization = async (
  provider: Provider,
  query: string,
  checks: Checks,
): Promise<Identity> => {
  const client = await loadClient(provider);
  const url = new URL(`${getRedirectUri(provider)}?${query}`);
  try {
    const read = isGitHub(provider) ? readGitHub : readOpenId;
    return await read(provider, client, url, checks);
  } catch (error) {
    const known = toProviderError(error);
    // The secret may have been replaced.
    if (known.reason === 'misconfigured') renewClientSecrets();
    throw known;
  }
};
