import * as z from 'zod';
import { route } from '../../../shared/http/route.ts';
import { createTokens, type Login } from './app-tokens.ts';
import { getResource } from './authorization.ts';
import { isProof } from './codes.ts';
import { revocationLimits, tokenLimits } from './limits.ts';
import { exchangeCode, revokeToken, rotate } from './logins.ts';
import { oauthError, oauthErrorBody } from './oauth-error.ts';

const text = (max: number) => z.string().max(max).optional();

const TokenInput = z
  .object({
    grant_type: text(64),
    client_id: text(4_096),
    code: text(256),
    redirect_uri: text(2_048),
    code_verifier: text(256),
    refresh_token: text(4_096),
    scope: text(2_048),
    resource: text(2_048),
  })
  .meta({
    id: 'OAuthTokenInput',
    examples: [
      {
        grant_type: 'authorization_code',
        client_id: 'https://claude.ai/oauth/client.json',
        code: 'hbc_1_x',
        redirect_uri: 'https://claude.ai/api/callback',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
  });

type TokenRequest = z.output<typeof TokenInput>;

const TokenOutput = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().positive().meta({ description: 'In seconds.' }),
    refresh_token: z.string(),
    scope: z.string().meta({ description: 'What the user has allowed.' }),
  })
  .meta({
    id: 'OAuthTokens',
    examples: [
      {
        access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 3_600,
        refresh_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
        scope: 'shares:create shares:update shares:view',
      },
    ],
  });

type Field = keyof TokenRequest;

/** Returns a parameter that the request needs. An empty one counts as none. */
const need = (request: TokenRequest, field: Field): string => {
  const value = request[field];
  if (value === undefined || value === '') {
    throw oauthError('invalid_request', `${field} is required.`);
  }
  return value;
};

/** Asserts that a refresh asks for no more than its login has. It gets all of that. */
const assertNoMore = ({ app }: Login, scope: string | undefined): void => {
  const asked = (scope ?? '').split(' ').filter((entry) => entry !== '');
  if (asked.every((entry) => app.asked.includes(entry))) return;
  throw oauthError('invalid_scope', 'scope asks for more than the user was asked. Connect again.');
};

type Grant = (
  request: TokenRequest,
  recorder: Parameters<typeof exchangeCode>[1],
) => Promise<Login>;

const grants: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  [
    'authorization_code',
    (request, recorder) => {
      const exchange = {
        code: need(request, 'code'),
        clientId: need(request, 'client_id'),
        redirectUri: need(request, 'redirect_uri'),
        verifier: need(request, 'code_verifier'),
      };
      if (!isProof(exchange.verifier)) {
        throw oauthError(
          'invalid_request',
          'code_verifier must have 43 to 128 letters, digits or -._~.',
        );
      }
      return exchangeCode(exchange, recorder);
    },
  ],
  [
    'refresh_token',
    async (request, recorder) => {
      const [token, clientId] = [need(request, 'refresh_token'), need(request, 'client_id')];
      const login = await rotate(token, clientId, recorder);
      assertNoMore(login, request.scope);
      return login;
    },
  ],
]);

/** The routes that clients of OAuth call. They are public: a code or a token is what proves the caller. */
export const oauthRoutes = [
  route({
    endpoint: 'POST /oauth/token',
    access: 'public',
    summary: 'Get tokens for an app',
    description:
      'Exchanges an authorization code, with PKCE (S256), or a refresh token (RFC 6749). A code works once; using it again ends the login that it gave. Each refresh returns a new refresh token. If its response is lost, send the same token again: it returns the same one for 10 seconds, and up to 24 hours while none of the new tokens has been used. Otherwise using it again ends the login. Only reuse is audited.',
    accepts: 'form',
    body: TokenInput,
    output: TokenOutput,
    errorBody: oauthErrorBody,
    limits: tokenLimits,
    auditAction: 'app.reuse',
    handle: async ({ body, recorder }) => {
      const type = need(body, 'grant_type');
      const grant = grants.get(type);
      if (!grant) {
        throw oauthError(
          'unsupported_grant_type',
          'grant_type must be authorization_code or refresh_token.',
        );
      }
      if (body.resource !== undefined && body.resource !== getResource()) {
        throw oauthError('invalid_target', `resource must be ${getResource()}.`);
      }
      return createTokens(await grant(body, recorder));
    },
  }),
  route({
    endpoint: 'POST /oauth/revoke',
    access: 'public',
    summary: 'Revoke a token of an app',
    description:
      'Ends the login of an access or refresh token immediately (RFC 7009). An unknown token is no error. The app stays allowed.',
    accepts: 'form',
    body: z
      .object({ token: text(4_096), token_type_hint: text(64), client_id: text(4_096) })
      .meta({ id: 'OAuthRevocationInput', examples: [{ token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln' }] }),
    output: z.object({}).meta({ id: 'OAuthRevocation', examples: [{}] }),
    errorBody: oauthErrorBody,
    limits: revocationLimits,
    auditAction: 'app.end',
    handle: async ({ body, recorder }) => {
      const { token, client_id: clientId } = body;
      if (token === undefined || token === '') {
        throw oauthError('invalid_request', 'token is required.');
      }
      await revokeToken(token, clientId, recorder);
      return {};
    },
  }),
];
