import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import { html } from '../../../shared/text/html.ts';

/** Someone who can sign in, as the issuer says it. */
export interface Person {
  readonly sub: string;
  readonly email?: string | undefined;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A service that people sign in to. */
export interface IssuerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Known at the first request. */
  readonly redirectUri: () => string;
  /** Who can sign in, as it is at each request. */
  readonly people: () => readonly Person[];
  /** Whether ID tokens say all, as most issuers' do; else the rest is asked for by the access token. */
  readonly saysAllInIdToken?: boolean;
}

/** A running issuer. */
export interface Issuer {
  readonly origin: string;
  /** The key that signs its ID tokens. */
  readonly signingKey: JsonWebKey;
  close(): void;
}

/** Another class than its own, of which it would warn that it forgets all. */
class Memory extends MemoryAdapter {}

const createKey = (): JsonWebKey => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  use: 'sig',
  alg: 'ES256',
});

const createProvider = (origin: string, key: JsonWebKey, options: IssuerOptions): Provider => {
  const { clientId, clientSecret, redirectUri, people, saysAllInIdToken = true } = options;
  const cookie = { signed: true, sameSite: 'lax' };
  const provider: Provider = new Provider(origin, {
    adapter: Memory,
    jwks: { keys: [key] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri()],
        id_token_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: [randomUUID()], long: cookie, short: cookie },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups'],
    },
    conformIdTokenClaims: !saysAllInIdToken,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 3_600,
      IdToken: 600,
      Interaction: 600,
      Session: 3_600,
    },
    findAccount: (_: unknown, accountId: string) => {
      const person = people().find(({ sub }) => sub === accountId);
      return person && { accountId, claims: async () => person };
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/choose/${uid}` },
    // Nobody is asked whether they agree.
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { client: object & { clientId: string }; session: { accountId: string } };
    }) => {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
};

/** Renders who can sign in. */
const choicePage = (path: string, people: readonly Person[]): string =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Choose an account</title>
<h1>Choose an account</h1>
${people.map(({ sub, email, name }) => html`<p><a href="${path}?as=${encodeURIComponent(sub)}">${name ?? sub} (${email ?? 'no email'})</a></p>`)}
<p><a href="${path}?as=">Cancel</a></p>`.markup;

const createListener = (provider: Provider, { people }: IssuerOptions): RequestListener => {
  const handle = provider.callback();
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (!pathname.startsWith('/choose/')) return handle(request, response);
    const accountId = searchParams.get('as');
    if (accountId === null) {
      response.setHeader('content-type', 'text/html');
      return response.end(choicePage(pathname, people()));
    }
    const result = accountId === '' ? { error: 'access_denied' } : { login: { accountId } };
    return provider.interactionFinished(request, response, result);
  };
};

/**
 * Starts an issuer of OpenID Connect on this machine, where anyone can be anyone. `wrap` can make it misbehave.
 * @param port 0 for any
 */
export const startIssuer = async (
  port: number,
  options: IssuerOptions,
  wrap: (listener: RequestListener) => RequestListener = (listener) => listener,
): Promise<Issuer> => {
  let listener: RequestListener | undefined;
  const signingKey = createKey();
  const server = createServer((request, response) => {
    listener ??= wrap(createListener(createProvider(origin, signingKey, options), options));
    listener(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // It alone keeps no process running.
  server.unref();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    signingKey,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
