import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';

useTable();

const headers = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };

const origin = process.env['PUBLIC_URL'] ?? '';

describe.each([
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
])('%s', (endpoint) => {
  it('says where tokens for the tools come from, to everyone', async () => {
    expect(await call(endpoint)).toMatchObject({
      status: 200,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body: {
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        scopes_supported: ['shares:create', 'shares:update', 'shares:view'],
        bearer_methods_supported: ['header'],
        resource_name: 'Handbill',
      },
    });
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('says what the service can do, to everyone', async () => {
    expect(await call('GET /.well-known/oauth-authorization-server')).toMatchObject({
      status: 200,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        registration_endpoint: `${origin}/oauth/register`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      },
    });
  });
});

describe('addresses that clients try', () => {
  it('are there for the tools and the server, and for no other issuer', () => {
    // A client asks for the first that is there. An answer at another one would name an issuer that is not this server's.
    const paths = listRoutes('service').map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/.well-known/'))).toEqual([
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
    ]);
  });
});
