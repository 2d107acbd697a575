import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { getResource } from './authorization.ts';
import { defaultScopes } from './scopes.ts';

/** What the tools need in all. */
const toolScopes = [...defaultScopes, 'documents:view', 'documents:create'];

const address = (description: string) => z.string().meta({ description });
const list = (description: string) => z.array(z.string()).meta({ description });

/** https://www.rfc-editor.org/rfc/rfc9728#section-2 */
const ProtectedResource = z
  .object({
    resource: address('What tokens are for: the `resource` of requests.'),
    authorization_servers: list('Where tokens come from.'),
    scopes_supported: list('What a client should ask for that needs nothing more.'),
    bearer_methods_supported: list('Where a request has its token.'),
    resource_name: z.string().meta({ description: 'For people.' }),
  })
  .meta({
    id: 'ProtectedResource',
    examples: [
      {
        resource: 'https://handbill.example/mcp',
        authorization_servers: ['https://handbill.example'],
        scopes_supported: [...defaultScopes],
        bearer_methods_supported: ['header'],
        resource_name: 'Handbill',
      },
    ],
  });

/** What the server supports of OAuth, the same everywhere. */
const supported = {
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
};

/** https://www.rfc-editor.org/rfc/rfc8414#section-2 */
const AuthorizationServer = z
  .object({
    issuer: address('The server, as in `iss` of its answers.'),
    authorization_endpoint: address('The page on which a person allows an app.'),
    token_endpoint: address('Gives tokens.'),
    registration_endpoint: address('Registers clients.'),
    revocation_endpoint: address('Revokes tokens.'),
    scopes_supported: list('What the tools need in all.'),
    response_types_supported: list('`code`.'),
    grant_types_supported: list('`authorization_code` and `refresh_token`.'),
    token_endpoint_auth_methods_supported: list('`none`: no client has a secret.'),
    code_challenge_methods_supported: list('`S256`, which is required.'),
    client_id_metadata_document_supported: z
      .boolean()
      .meta({ description: 'A client id may be the address of a document.' }),
    authorization_response_iss_parameter_supported: z
      .boolean()
      .meta({ description: 'Answers have `iss`.' }),
  })
  .meta({
    id: 'AuthorizationServer',
    examples: [
      {
        issuer: 'https://handbill.example',
        authorization_endpoint: 'https://handbill.example/authorize',
        token_endpoint: 'https://handbill.example/oauth/token',
        registration_endpoint: 'https://handbill.example/oauth/register',
        revocation_endpoint: 'https://handbill.example/oauth/revoke',
        scopes_supported: toolScopes,
        ...supported,
      },
    ],
  });

/** Lets everyone keep and read a response: it says nothing about anyone, and changes with releases only. */
const reply = <Body>(body: Body) =>
  new Reply(body, {
    headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
  });

const describeResource = async () => {
  const origin = getSetting('PUBLIC_URL');
  return reply({
    resource: getResource(),
    authorization_servers: [origin],
    // Many clients ask for all that is named here. They may name more.
    scopes_supported: [...defaultScopes],
    bearer_methods_supported: ['header'],
    resource_name: 'Handbill',
  });
};

const ofResource = {
  access: 'public',
  isForAnyOrigin: true,
  output: ProtectedResource,
  handle: describeResource,
} as const;

/** How clients find out where to ask for tokens (decisions.md#app-clients). */
export const discoveryRoutes = [
  route({
    endpoint: 'GET /.well-known/oauth-protected-resource/mcp',
    ...ofResource,
    summary: 'Get the metadata of the tools',
    description: 'Says where tokens for `POST /mcp` come from (RFC 9728).',
  }),
  route({
    endpoint: 'GET /.well-known/oauth-protected-resource',
    ...ofResource,
    summary: 'Get the metadata of the resource',
    description:
      'The same, for clients that know the host only: the tools are the only resource that takes tokens of apps.',
  }),
  route({
    endpoint: 'GET /.well-known/oauth-authorization-server',
    access: 'public',
    isForAnyOrigin: true,
    summary: 'Get the metadata of the server',
    description: 'Says what clients of OAuth find where (RFC 8414).',
    output: AuthorizationServer,
    handle: async () => {
      const origin = getSetting('PUBLIC_URL');
      return reply({
        // Compared character by character: no slash at its end.
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        registration_endpoint: `${origin}/oauth/register`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        scopes_supported: toolScopes,
        ...supported,
      });
    },
  }),
];
