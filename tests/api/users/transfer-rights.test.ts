import { describe, expect, it } from 'vitest';
import { look } from '../../support/documents/documents.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { changeUser, deleteUser } from '../../support/users/administration.ts';
import { newPerson, newUserOf, type Person } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useJobs();

const needed = ['documents:manage', 'files:manage', 'calendar:manage', 'shares:manage'] as const;

const { root } = usePeople({ root: 'super_admin' });

const remove = (token: string, id: number, transferTo?: number) =>
  deleteUser({ token }, id, transferTo);

const apiToken = async ({ token }: Person, permissions: readonly string[]): Promise<string> =>
  (await createApiToken(token, { permissions })).body.data.token;

/** Creates Bob, who owns a private document. */
const newBob = async () => {
  const bob = await newUserOf('user', { extraPermissions: ['documents:create'] });
  const body = { title: 'Private', content: 'secret' };
  const { data } = (await call('POST /api/documents', { token: bob.token, body })).body;
  return { ...bob, documentId: data.id as number };
};

describe('transferTo of DELETE /api/users/{id}', () => {
  it.each(needed)('returns 403 without %s and changes nothing', async (missing) => {
    const held = needed.filter((permission) => permission !== missing);
    const eve = await newUserOf('user', { extraPermissions: ['users:delete', ...held] });
    const bob = await newBob();
    const { status, body } = await remove(eve.token, bob.id, eve.id);
    expect({ status, body }).toEqual({
      status: 403,
      body: errorBody('FORBIDDEN', `Missing permission for transferTo: ${missing}.`),
    });
    expect((await look(bob, bob.documentId)).status).toBe(200);
    expect((await look(eve, bob.documentId)).status).toBe(missing === needed[0] ? 404 : 200);
  });

  it.each(needed)('returns 403 for an API token of a super_admin without %s', async (missing) => {
    const held = needed.filter((permission) => permission !== missing);
    const bob = await newBob();
    const token = await apiToken(root, ['users:delete', ...held]);
    expect((await remove(token, bob.id, root.id)).status).toBe(403);
    expect((await look(bob, bob.documentId)).status).toBe(200);
  });

  it('checks the current permissions of the token’s owner, not those the token names', async () => {
    const eve = await newUserOf('user', { extraPermissions: ['users:delete', ...needed] });
    const token = await apiToken(eve, ['users:delete', ...needed]);
    const [bob, ann] = [await newBob(), await newPerson()];
    await changeUser(root, eve.id, { permissions: ['users:delete'] });
    expect((await remove(token, bob.id, ann.id)).status).toBe(403);
    expect((await look(bob, bob.documentId)).status).toBe(200);
  });

  it('is rejected before the id is checked', async () => {
    const eve = await newUserOf('user', { extraPermissions: ['users:delete'] });
    expect((await remove(eve.token, 1, eve.id)).status).toBe(403);
    expect((await remove(eve.token, 1)).status).toBe(404);
  });

  it('accepts a token and a user with all four', async () => {
    const ann = await newPerson();
    const eve = await newUserOf('user', { extraPermissions: ['users:delete', ...needed] });
    const token = await apiToken(root, ['users:delete', ...needed]);
    for (const allowed of [eve.token, token]) {
      const bob = await newBob();
      expect((await remove(allowed, bob.id, ann.id)).status).toBe(200);
      expect((await look(ann, bob.documentId)).body.data.author_id).toBe(ann.id);
    }
  });

  it.each(['inactive', 'suspended'])('rejects a receiver who is %s', async (status) => {
    const [bob, ann] = [await newBob(), await newPerson()];
    await changeUser(root, ann.id, { status });
    const response = await remove(root.token, bob.id, ann.id);
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [{ field: 'transferTo', message: 'must be the id of another active user' }],
    ]);
    expect((await look(bob, bob.documentId)).status).toBe(200);
  });
});
