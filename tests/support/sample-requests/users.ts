import { call } from '../service/call.ts';
import { keep, leave } from '../users/leaving.ts';
import {
  changeRole,
  createRole,
  deleteRole,
  makeRoom,
  newRole,
  newRoleName,
  readRole,
} from '../users/roles.ts';
import { login, newInvited, password } from '../users/test-users.ts';
import { moreThanAPage, newUser, nextEmail, params, type TypicalCalls } from './sample-request.ts';

/** Prepares an admin's request about another user. */
const aboutOther = (endpoint: string, body?: unknown) => async () => {
  const { token } = await newUser('admin');
  const { id } = await newUser();
  return () => call(endpoint, { token, ...params(id), body });
};

const zoe = () => ({ email: nextEmail(), name: 'Zoe Example' });

export const usersCalls: TypicalCalls = {
  'GET /api/users': async () => {
    const { token } = await newUser('admin');
    await moreThanAPage(() => newInvited(zoe()));
    return () => call('GET /api/users', { token });
  },
  'GET /api/users/export': async () => {
    const { token } = await newUser('admin');
    await moreThanAPage(() => newInvited(zoe()));
    return () => call('GET /api/users/export', { token });
  },
  'POST /api/users/export': async () => {
    const { token } = await newUser('admin');
    await moreThanAPage(() => newInvited(zoe()));
    return () => call('POST /api/users/export', { token });
  },
  'POST /api/users/import': async () => {
    const { token } = await newUser('admin');
    return () => call('POST /api/users/import', { token, body: { users: [zoe()] } });
  },
  'POST /api/users/import (a dry run of 100)': async () => {
    const { token } = await newUser('admin');
    const users = Array.from({ length: 100 }, zoe);
    return () => call('POST /api/users/import', { token, body: { dryRun: true, users } });
  },
  'GET /api/users/me': async () => {
    const { token } = await newUser();
    return () => call('GET /api/users/me', { token });
  },
  'GET /api/users/me (by an API token)': async () => {
    const { token } = await newUser();
    const created = await call('POST /api/auth/tokens', { token, body: { name: 'Script' } });
    return () => call('GET /api/users/me', { token: created.body.data.token });
  },
  'PUT /api/users/me': async () => {
    const { token } = await newUser();
    return () => call('PUT /api/users/me', { token, body: { name: 'Ann Other' } });
  },
  'DELETE /api/users/me': async () => {
    const { token } = await newUser();
    return () => leave(token);
  },
  'POST /api/users/me/restore': async () => {
    const { email, token } = await newUser();
    await leave(token);
    const back = (await login(email)).body.accessToken;
    return () => keep(back);
  },
  'GET /api/users/me/belongings': async () => {
    const { token } = await newUser();
    return () => call('GET /api/users/me/belongings', { token });
  },
  'GET /api/users/directory': async () => {
    const { token } = await newUser();
    const email = nextEmail();
    await newInvited({ email, name: 'Zoe Example' });
    return () => call('GET /api/users/directory', { token, query: { search: email } });
  },
  'GET /api/users/directory (by name)': async () => {
    const { token } = await newUser('admin');
    await moreThanAPage(() => newInvited(zoe()));
    return () => call('GET /api/users/directory', { token, query: { search: 'Zoe' } });
  },
  'GET /api/users/{id}': aboutOther('GET /api/users/{id}'),
  'POST /api/users': async () => {
    const { token } = await newUser('admin');
    const body = { email: nextEmail(), name: 'Zoe Example', password };
    return () => call('POST /api/users', { token, body });
  },
  'POST /api/users/{id}/invitation': async () => {
    const { token } = await newUser('super_admin');
    const { id } = await newInvited(zoe());
    return () => call('POST /api/users/{id}/invitation', { token, ...params(id) });
  },
  'PUT /api/users/{id}': aboutOther('PUT /api/users/{id}', { name: 'Ann Other' }),
  'DELETE /api/users/{id}': aboutOther('DELETE /api/users/{id}'),
  'GET /api/roles': async () => {
    const { token } = await newUser();
    return () => call('GET /api/roles', { token });
  },
  'GET /api/users/me (with a custom role)': async () => {
    const root = await newUser('super_admin');
    // Each has users, so all calls share one.
    const name = 'sample';
    if ((await readRole(root, name)).status !== 200) await newRole(root, ['audit:view'], { name });
    const { token } = await newUser(name);
    return () => call('GET /api/users/me', { token });
  },
  'GET /api/permissions': async () => {
    const { token } = await newUser();
    return () => call('GET /api/permissions', { token });
  },
  'GET /api/roles/{name}': async () => {
    const root = await newUser('super_admin');
    await makeRoom(root);
    const name = await newRole(root, ['audit:view']);
    return () => readRole(root, name);
  },
  'POST /api/roles': async () => {
    const root = await newUser('super_admin');
    await makeRoom(root);
    const name = newRoleName();
    return () => createRole(root, ['audit:view'], { name, label: name });
  },
  'PUT /api/roles/{name}': async () => {
    const root = await newUser('super_admin');
    await makeRoom(root);
    const name = await newRole(root, ['audit:view']);
    return () => changeRole(root, name, { permissions: ['sales:view'] });
  },
  'DELETE /api/roles/{name}': async () => {
    const root = await newUser('super_admin');
    await makeRoom(root);
    const name = await newRole(root, ['audit:view']);
    return () => deleteRole(root, name);
  },
};

export const auditCalls: TypicalCalls = {
  'GET /api/users/{id}/belongings': aboutOther('GET /api/users/{id}/belongings'),
  'GET /api/audit': async () => {
    const { token } = await newUser('super_admin');
    await moreThanAPage(newUser);
    return () => call('GET /api/audit', { token });
  },
  'GET /api/audit/export': async () => {
    const { token } = await newUser('super_admin');
    await moreThanAPage(newUser);
    return () => call('GET /api/audit/export', { token });
  },
  'POST /api/audit/export': async () => {
    const { token } = await newUser('super_admin');
    await moreThanAPage(newUser);
    return () => call('POST /api/audit/export', { token });
  },
  'GET /api/audit (about one subject)': async () => {
    const { token, id } = await newUser('super_admin');
    const query = { subject: `user:${id}` };
    return () => call('GET /api/audit', { token, query });
  },
};
