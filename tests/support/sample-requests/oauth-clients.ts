import { plain, type TypicalCalls } from './sample-request.ts';

export const oauthClientCalls: TypicalCalls = {
  'POST /oauth/register': plain('POST /oauth/register', {
    body: { client_name: 'Cursor', redirect_uris: ['http://localhost/callback'] },
  }),
  ...Object.fromEntries(
    [
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /.well-known/oauth-authorization-server',
    ].map((endpoint) => [endpoint, plain(endpoint)]),
  ),
};
