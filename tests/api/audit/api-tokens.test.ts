import { expect, it } from 'vitest';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { newUserOf } from '../../support/users/test-users.ts';

useTable();

it('names the API token that a change was made with, also once it is revoked', async () => {
  const { id, token } = await newUserOf('super_admin');
  const { data } = (await createApiToken(token, { name: 'Release notes' })).body;
  const share = (by: string) =>
    call('POST /api/share', { token: by, body: { content: '<p>Hi</p>' } });
  await share(data.token);
  await share(token);
  await call('DELETE /api/auth/tokens/{id}', { token, params: { id: String(data.id) } });
  const query = { actor: String(id), action: 'share.create' };
  const { body } = await call('GET /api/audit', { token, query });
  const acted = body.data.items.map((entry: { token: unknown }) => entry.token);
  expect(acted).toEqual(expect.arrayContaining([null, { id: data.id, name: 'Release notes' }]));
  expect(acted).toHaveLength(2);
});
