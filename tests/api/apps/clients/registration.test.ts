import { describe, expect, it } from 'vitest';
import { resolveClient } from '../../../../functions/api/apps/clients/clients.ts';
import { signToken } from '../../../../shared/auth/tokens.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { itemsOf, useTable } from '../../../support/table/table.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const redirectUris = ['http://localhost/callback', 'cursor://anysphere.cursor-mcp/callback'];

const register = (body: unknown) => call('POST /oauth/register', { body });

const client = { client_name: 'Cursor', redirect_uris: redirectUris };

describe('POST /oauth/register', () => {
  it('registers a public client, and stores nothing', async () => {
    const before = (await itemsOf('')).filter(({ pk }) => !String(pk).startsWith('LIMIT#'));
    const { status, body, headers } = await register({
      ...client,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      logo_uri: 'https://app.example.com/logo.png',
    });
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    const { client_id: id } = body;
    expect(body).toEqual({
      client_id: expect.stringMatching(/^dyn\.[\w-]+\.[\w-]+\.[\w-]+$/),
      client_id_issued_at: Date.now() / 1_000,
      client_name: 'Cursor',
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(await resolveClient(id)).toEqual({
      id,
      name: 'Cursor',
      host: null,
      redirectUris,
      kind: 'registered',
    });
    const after = (await itemsOf('')).filter(({ pk }) => !String(pk).startsWith('LIMIT#'));
    expect(after).toEqual(before);
  });

  it('names a client without a name by where it leads', async () => {
    for (const [uri, name] of [
      ['https://app.example.com/callback', 'app.example.com'],
      ['http://localhost:1/callback', 'localhost:1'],
      ['cursor://callback', 'cursor'],
    ]) {
      const { body } = await register({ redirect_uris: [uri] });
      expect(body.client_name).toBe(name);
    }
  });

  it.each([
    ['nothing that is seen', '\u3164\u115f\u2800\ufe0f ', 'app.example.com'],
    [
      'marks over the lines around it',
      `Cafe${'\u0301'.repeat(70)} Me`,
      `Cafe${'\u0301'.repeat(4)} Me`,
    ],
    ['letters with their marks', 'Ṩ̣̇ คั้น', 'Ṩ̣̇ คั้น'],
  ])('shows of a name with %s what people can read', async (_, given, shown) => {
    const fields = { client_name: given, redirect_uris: ['https://app.example.com/callback'] };
    expect((await register(fields)).body.client_name).toBe(shown);
  });

  it('keeps the client id short enough for an address', async () => {
    const uris = Array.from({ length: 3 }, (_, at) =>
      `https://app.example.com/${at}`.padEnd(500, 'a'),
    );
    const { status, body } = await register({
      client_name: '\u{1f4ac}'.repeat(100),
      redirect_uris: uris,
    });
    expect(status).toBe(201);
    expect(Array.from(body.client_name)).toHaveLength(80);
    expect(body.client_id.length).toBeLessThan(3_200);
    expect(await resolveClient(body.client_id)).toMatchObject({ redirectUris: uris });
  });

  it.each<[object, string, string]>([
    [{}, 'invalid_redirect_uri', 'Invalid redirect_uris: must be a list of 1 to 5 addresses.'],
    [
      { redirect_uris: 'https://app.example.com/' },
      'invalid_redirect_uri',
      'Invalid redirect_uris: must be a list of 1 to 5 addresses.',
    ],
    [
      { redirect_uris: Array.from({ length: 6 }, (_, at) => `https://app.example.com/${at}`) },
      'invalid_redirect_uri',
      'Invalid redirect_uris: must be a list of 1 to 5 addresses.',
    ],
    [
      { redirect_uris: ['https://app.example.com/', 'http://app.example.com/'] },
      'invalid_redirect_uri',
      'Invalid redirect_uris[1]: must use https, unless its host is 127.0.0.1, [::1] or localhost.',
    ],
    [
      {
        redirect_uris: Array.from({ length: 4 }, (_, at) =>
          `https://app.example.com/${at}`.padEnd(400, 'a'),
        ),
      },
      'invalid_redirect_uri',
      'Invalid redirect_uris: must have at most 1500 characters in all.',
    ],
    [
      { ...client, token_endpoint_auth_method: 'client_secret_post' },
      'invalid_client_metadata',
      'Invalid token_endpoint_auth_method: must be none.',
    ],
    [
      { ...client, grant_types: ['implicit'] },
      'invalid_client_metadata',
      'Invalid grant_types: must be a list with authorization_code.',
    ],
    [
      { ...client, response_types: ['token'] },
      'invalid_client_metadata',
      'Invalid response_types: must be a list with code.',
    ],
    [
      { ...client, client_name: 1 },
      'invalid_client_metadata',
      'Invalid client_name: must be a string.',
    ],
  ])('refuses %j', async (body, error, description) => {
    expect(await register(body)).toMatchObject({
      status: 400,
      body: { error, error_description: description },
    });
  });
});

it('answers in the words of OAuth to a body that is no object', async () => {
  for (const body of ['{', '[]', '"a"', 'null']) {
    expect(await register(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: expect.any(String) },
    });
  }
});

describe('resolveClient, of a client that registered itself', () => {
  const unknown = {
    code: 'VALIDATION_ERROR',
    details: [
      { field: 'client_id', message: 'is unknown or has expired. Register the client again' },
    ],
  };

  it('knows it for a year', async () => {
    const { body } = await register(client);
    pass(364 * 86_400_000);
    expect(await resolveClient(body.client_id)).toMatchObject({ name: 'Cursor' });
    pass(2 * 86_400_000);
    await expect(resolveClient(body.client_id)).rejects.toMatchObject(unknown);
  });

  it('refuses an id that was changed, and tokens of other kinds', async () => {
    const { body } = await register(client);
    const [, payload = '', signature = ''] = body.client_id.slice(4).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(
      JSON.stringify({ ...claims, to: ['https://evil.example/'] }),
    ).toString('base64url');
    const head = body.client_id.slice(0, body.client_id.indexOf(payload));
    const other = await signToken('submit', { sub: 'a', pwd: 'b' }, 60_000);
    const ids = [
      `${head}${forged}.${signature}`,
      `${head}${payload}.`,
      `dyn.${other}`,
      'dyn.',
      'dyn.a.b.c',
      `dyn.dyn.${body.client_id.slice(4)}`,
    ];
    for (const id of ids) await expect(resolveClient(id)).rejects.toMatchObject(unknown);
  });
});
