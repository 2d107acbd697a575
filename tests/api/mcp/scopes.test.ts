import { describe, expect, it } from 'vitest';
import { connectApp } from '../../support/mcp/connected-app.ts';
import { legacy, modern } from '../../support/mcp/messages.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { user } = usePeople({ user: 'user' });

const create = {
  name: 'share_create',
  arguments: { content: '# Hi', language: 'markdown' },
};
const challenge =
  'Bearer error="insufficient_scope", scope="shares:create", ' +
  'resource_metadata="https://handbill.test/.well-known/oauth-protected-resource/mcp", ' +
  'error_description="This needs shares:create."';

it.each([
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
])(
  'names the user of a token that may not read the profile, by the revision %s',
  async (_, send) => {
    const { token } = (await createApiToken(user.token, { permissions: ['shares:create'] })).body
      .data;
    const { body } = await send(token, 'tools/list');
    expect(body.result._meta).toMatchObject({ 'handbill/user': 'Bob Example' });
  },
);

describe('a tool whose scope is missing', () => {
  it.each([
    ['2026-07-28', modern],
    ['2025-11-25', legacy],
  ])('makes a connected app ask its user, by the revision %s', async (_, send) => {
    const token = await connectApp(user);
    expect(await send(token, 'tools/call', create)).toMatchObject({
      status: 403,
      headers: { 'www-authenticate': challenge },
      body: {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: -32_600,
          message: 'This needs shares:create.',
          data: { scope: 'shares:create' },
        },
      },
    });
  });

  it('is an error of the tool for an API token, which can ask nobody', async () => {
    const { token } = (await createApiToken(user.token, { permissions: ['profile:view'] })).body
      .data;
    const { status, body } = await modern(token, 'tools/call', create);
    expect([status, body.result.isError, 'insufficientScope' in body.result]).toEqual([
      200,
      true,
      false,
    ]);
    expect(body.result.content[0].text).toContain('shares:create');
  });

  it('isn’t asked for by a list of resources, which is empty', async () => {
    const { token } = (await createApiToken(user.token, { permissions: ['profile:view'] })).body
      .data;
    const app = await connectApp(user, { permissions: ['shares:create'] });
    for (const one of [token, app]) {
      expect(await modern(one, 'resources/list')).toMatchObject({
        status: 200,
        body: { result: { resources: [] } },
      });
    }
    expect(await modern(app, 'resources/read', { uri: 'handbill://share/a' })).toMatchObject({
      status: 403,
    });
  });
});
