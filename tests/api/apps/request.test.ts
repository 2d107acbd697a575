import { describe, expect, it } from 'vitest';
import {
  answerOf,
  appsOf,
  askFor,
  bodyOf,
  decide,
  issuer,
  newClient,
  queryOf,
} from '../../support/apps/apps.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
const { ann } = usePeople({ ann: 'user' });

/** Returns the parameters of an error that goes back to the client. */
const errorOf = (location: string) => Object.fromEntries(new URL(location).searchParams);

it.each([
  ['openid profile email', ['shares:create', 'shares:update', 'shares:view']],
  ['openid shares:view offline_access', ['shares:view']],
])('asks for nothing of OpenID Connect in the scope “%s”', async (scope, asked) => {
  const { body } = await askFor(ann, { ...queryOf(await newClient()), scope });
  expect(body.data).toMatchObject({ outcome: 'ask', permissions: asked });
});

describe('an invalid authorization request', () => {
  it.each<[string, string, Record<string, string | undefined>]>([
    ['invalid_request', 'response_type is required.', { response_type: undefined }],
    ['unsupported_response_type', 'response_type must be code.', { response_type: 'token' }],
    [
      'unsupported_response_type',
      'response_type must be code.',
      { response_type: 'code id_token' },
    ],
    ['invalid_request', 'code_challenge is required.', { code_challenge: undefined }],
    [
      'invalid_request',
      'code_challenge_method must be S256.',
      { code_challenge_method: undefined },
    ],
    ['invalid_request', 'code_challenge_method must be S256.', { code_challenge_method: 'plain' }],
    ['invalid_request', 'code_challenge_method must be S256.', { code_challenge_method: 's256' }],
    [
      'invalid_request',
      'code_challenge must have 43 to 128 letters, digits or -._~.',
      { code_challenge: 'x'.repeat(42) },
    ],
    [
      'invalid_request',
      'code_challenge must have 43 to 128 letters, digits or -._~.',
      { code_challenge: `${'x'.repeat(42)}+` },
    ],
    [
      'invalid_request',
      'code_challenge must have 43 to 128 letters, digits or -._~.',
      { code_challenge: 'x'.repeat(129) },
    ],
    ['invalid_target', `resource must be ${issuer}/mcp.`, { resource: 'https://evil.example/mcp' }],
    ['invalid_target', `resource must be ${issuer}/mcp.`, { resource: `${issuer}/mcp/` }],
    [
      'invalid_scope',
      'scope names something that does not exist.',
      { scope: 'shares:view shares:everything' },
    ],
    ['invalid_scope', 'scope names something that does not exist.', { scope: '*' }],
    ['invalid_scope', 'scope names something that does not exist.', { scope: 'shares:*' }],
    [
      'invalid_scope',
      'The user may do nothing of what scope asks for.',
      { scope: 'users:view audit:view' },
    ],
  ])('goes back as %s: %s', async (error, description, fields) => {
    const client = await newClient();
    const query = Object.fromEntries(
      Object.entries({ ...queryOf(client), ...fields }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const { status, body } = await askFor(ann, query);
    expect([status, body.data.outcome]).toEqual([200, 'return']);
    expect(body.data.location.startsWith(`${client.redirectUri}?`)).toBe(true);
    expect(errorOf(body.data.location)).toEqual({
      error,
      error_description: description,
      state: 'xyz',
      iss: issuer,
    });
  });

  it('goes back from the decision, too, and allows nothing', async () => {
    const body = { ...bodyOf(await newClient()), codeChallengeMethod: 'plain' };
    expect(answerOf(await decide(ann, body))).toMatchObject({ error: 'invalid_request' });
    expect(await appsOf(ann)).toEqual([]);
  });

  it('goes nowhere for an unknown client or a redirect address that isn’t its own', async () => {
    const client = await newClient();
    const query = queryOf(client);
    const isInvalid = (field: string, message: unknown) => ({
      status: 400,
      body: errorBody('VALIDATION_ERROR', expect.stringContaining(field), [{ field, message }]),
    });
    const unknown = { ...query, client_id: 'dyn.garbage' };
    expect(await askFor(ann, unknown)).toMatchObject(isInvalid('client_id', expect.any(String)));
    const message = 'must be one that the app has registered';
    for (const uri of [
      'http://localhost:4711/callback/',
      'http://localhost:4711/callback?x=1',
      'http://localhost:4711/callback#x',
      'http://localhost:4711/',
      'http://localhost.evil.example:4711/callback',
      'http://user@localhost:4711/callback',
      'https://localhost:4711/callback',
      'javascript:alert(1)',
      '',
    ]) {
      expect(await askFor(ann, { ...query, redirect_uri: uri })).toMatchObject(
        isInvalid('redirect_uri', message),
      );
      expect(await decide(ann, { ...bodyOf(client), redirectUri: uri })).toMatchObject(
        isInvalid('redirectUri', message),
      );
    }
    const { redirect_uri: _, ...without } = query;
    expect(await askFor(ann, without)).toMatchObject(isInvalid('redirect_uri', 'is required'));
    expect(await askFor(ann, {})).toMatchObject(isInvalid('client_id', 'is required'));
    expect(await decide(ann, { ...bodyOf(client), clientId: 'dyn.x' })).toMatchObject(
      isInvalid('clientId', expect.any(String)),
    );
  });
});

describe('GET /api/apps/request', () => {
  it('leaves out what the user may not do', async () => {
    const query = queryOf(await newClient());
    const scope = 'documents:view documents:create users:delete shares:view';
    expect((await askFor(ann, { ...query, scope })).body.data).toMatchObject({
      permissions: ['documents:view', 'shares:view'],
      ceiling: null,
    });
    const admin = await newUserOf('admin');
    expect((await askFor(admin, { ...query, scope })).body.data.permissions).toEqual(
      scope.split(' '),
    );
  });

  it('accepts the resource, and changes nothing', async () => {
    const before = await itemsOf(`USER#${ann.id}`);
    const query = { ...queryOf(await newClient()), resource: `${issuer}/mcp` };
    expect((await askFor(ann, query)).body.data.outcome).toBe('ask');
    expect(await itemsOf(`USER#${ann.id}`)).toEqual(before);
  });

  it.each(['GET /api/apps/request', 'POST /api/apps/consent', 'GET /api/apps'])(
    'is for sessions, as %s is',
    async (endpoint) => {
      const { token } = (await createApiToken(ann.token)).body.data;
      const query = queryOf(await newClient());
      expect((await call(endpoint, { query, body: {} })).status).toBe(401);
      expect((await call(endpoint, { query, token, body: {} })).status).toBe(403);
    },
  );
});
