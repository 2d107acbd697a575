import { beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../../functions/api/users/routes.ts';
import { ensureFirstAdmin } from '../../../infra/local/first-admin.ts';
import { askForFile, deleteExport, orderOwnData } from '../../support/exports/exports.ts';
import { storeExport } from '../../support/exports/ready-export.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entries as listAll } from '../../support/service/audit.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { keep, leave, weekMs } from '../../support/users/leaving.ts';
import { changeRole, createRole, deleteRole, newRole } from '../../support/users/roles.ts';
import {
  newEmail,
  newPerson,
  newUserOf,
  type Person,
  password,
  setUser,
} from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const entriesOf = (id: number) => itemsOf(`AUDIT#SUBJECT#user:${id}`);
const shown = ({ action, actorId, before, after }: Record<string, unknown>) => ({
  ...{ action, actorId, before, after },
});
const params = (id: number) => ({ id: String(id) });

/** Returns the audit entries of a request, for all subjects. */
const left = async (send: () => Promise<Answer>) => {
  const before = new Set((await listAll()).map(({ id }) => id));
  const response = await send();
  const entries = (await listAll()).filter(({ id }) => !before.has(id));
  return { answer: response, entries };
};

interface Case {
  readonly action: string;
  send(actor: Person, bob: Person): Promise<Answer>;
  /** Changes the request so that it fails. */
  fail(actor: Person, bob: Person): Promise<Answer>;
}

const cases: Readonly<Record<string, Case>> = {
  'POST /api/users': {
    action: 'user.create',
    send: ({ token }) =>
      call('POST /api/users', { token, body: { email: newEmail(), name: 'Eve', password } }),
    fail: ({ token }, { email }) =>
      call('POST /api/users', { token, body: { email, name: 'Eve', password } }),
  },
  'POST /api/users/import': {
    action: 'user.create',
    send: ({ token }) =>
      call('POST /api/users/import', {
        token,
        body: { users: [{ email: newEmail(), name: 'Eve' }] },
      }),
    fail: ({ token }) => call('POST /api/users/import', { token, body: { users: [] } }),
  },
  'POST /api/users/export': {
    action: 'user.export',
    send: ({ token }) => call('POST /api/users/export', { token }),
    fail: ({ token }) => call('POST /api/users/export', { token, query: { format: 'xlsx' } }),
  },
  'PUT /api/users/me': {
    action: 'user.update',
    send: ({ token }) => call('PUT /api/users/me', { token, body: { name: 'Ann B.' } }),
    fail: ({ token }, { email }) =>
      call('PUT /api/users/me', { token, body: { email, currentPassword: password } }),
  },
  'DELETE /api/users/me': {
    action: 'user.leave',
    send: ({ token }) => leave(token),
    fail: ({ token }) => leave(token, { currentPassword: 'wrong horse' }),
  },
  'POST /api/users/me/restore': {
    action: 'user.return',
    send: async ({ id, token }) => {
      await setUser(id, { deletesAt: new Date(Date.now() + weekMs).toISOString() });
      return keep(token);
    },
    fail: () => keep(undefined),
  },
  'POST /api/users/me/export': {
    action: 'export.create',
    send: orderOwnData,
    fail: () => orderOwnData({ token: '' }),
  },
  'POST /api/users/me/exports/{id}/download': {
    action: 'export.download',
    send: async (actor) => askForFile(actor, (await storeExport(actor.id)).id),
    fail: (actor) => askForFile(actor, 1),
  },
  'DELETE /api/users/me/exports/{id}': {
    action: 'export.delete',
    send: async (actor) => deleteExport(actor, (await storeExport(actor.id)).id),
    fail: (actor) => deleteExport(actor, 1),
  },
  'PUT /api/users/{id}': {
    action: 'user.update',
    send: ({ token }, { id }) =>
      call('PUT /api/users/{id}', { token, params: params(id), body: { status: 'inactive' } }),
    fail: ({ token, email }, { id }) =>
      call('PUT /api/users/{id}', { token, params: params(id), body: { email } }),
  },
  'POST /api/users/{id}/invitation': {
    action: 'user.invite',
    send: async ({ token }) => {
      const body = { email: newEmail(), name: 'Eve', status: 'inactive' };
      const { id } = (await call('POST /api/users', { token, body })).body.data;
      await call('PUT /api/users/{id}', { token, params: params(id), body: { status: 'active' } });
      return call('POST /api/users/{id}/invitation', { token, params: params(id) });
    },
    fail: ({ token }, { id }) =>
      call('POST /api/users/{id}/invitation', { token, params: params(id) }),
  },
  'DELETE /api/users/{id}': {
    action: 'user.delete',
    send: ({ token }, { id }) => call('DELETE /api/users/{id}', { token, params: params(id) }),
    fail: ({ token }, { id }) =>
      call('DELETE /api/users/{id}', { token, params: params(id), query: { transferTo: '1' } }),
  },
  'POST /api/roles': {
    action: 'role.create',
    send: (actor) => createRole(actor, []),
    fail: (actor) => createRole(actor, [], { name: 'admin' }),
  },
  'PUT /api/roles/{name}': {
    action: 'role.update',
    send: (actor) => changeRole(actor, roles.changed, { label: 'Another' }),
    fail: (actor) => changeRole(actor, 'admin', { label: 'Another' }),
  },
  'DELETE /api/roles/{name}': {
    action: 'role.delete',
    send: (actor) => deleteRole(actor, roles.deleted),
    fail: (actor) => deleteRole(actor, 'admin'),
  },
};

/** Made before, so that the requests about them leave an entry each. */
const roles = { changed: '', deleted: '' };
beforeAll(async () => {
  const root = await newUserOf('super_admin');
  roles.changed = await newRole(root, []);
  roles.deleted = await newRole(root, []);
});

const changing = routes.filter(({ method }) => method !== 'GET');

describe.each(changing)('$method $path', ({ method, path, auditAction: audit }) => {
  const { action, send, fail } = cases[`${method} ${path}`] as Case;

  it('adds one entry with actor, time and address', async () => {
    const actor = await newUserOf('super_admin');
    const bob = await newPerson();
    const { answer: response, entries } = await left(() => send(actor, bob));
    expect(response.status).toBeLessThan(300);
    const own = entries.filter(({ requestId }) => requestId === response.headers['x-request-id']);
    expect(own).toEqual([
      expect.objectContaining({ action, actorId: actor.id, address: '192.0.2.1' }),
    ]);
    expect(audit).toBe(action);
    expect(own[0]?.['at']).toBe(new Date().toISOString());
    // No hash, no epoch and no link token.
    expect(JSON.stringify(own)).not.toMatch(/\$2[aby]\$|[Hh]ash|poch|token|correct horse/);
  });

  it('adds no entry when it fails', async () => {
    const actor = await newUserOf('super_admin');
    const bob = await newPerson();
    const { answer: response, entries } = await left(() => fail(actor, bob));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(entries).toEqual([]);
  });
});

describe('audit entries of a user', () => {
  it('lists every initial field and the way to sign in', async () => {
    const admin = await newUserOf('admin');
    const email = newEmail();
    const rights = { role: 'guest', status: 'inactive', permissions: ['users:view'] };
    const body = { email, name: 'Eve', username: `eve-${admin.id}`, timezone: 'UTC', ...rights };
    const { id } = (await call('POST /api/users', { token: admin.token, body })).body.data;
    const { permissions: extraPermissions, ...fields } = body;
    expect((await entriesOf(id)).map(shown)).toEqual([
      {
        ...{ action: 'user.create', actorId: admin.id, before: undefined },
        after: { ...fields, extraPermissions, password: 'none' },
      },
    ]);
  });

  it('lists only changed fields with their old and new values', async () => {
    const root = await newUserOf('super_admin');
    const bob = await newUserOf('user');
    const change = (body: unknown) => {
      pass(1);
      return call('PUT /api/users/{id}', { token: root.token, params: params(bob.id), body });
    };
    await change({ role: 'admin', name: 'Bob Example' });
    await change({ permissions: ['*'] });
    await change({ status: 'suspended' });
    const [, ...changes] = (await entriesOf(bob.id)).map(shown);
    const by = { action: 'user.update', actorId: root.id };
    expect(changes.filter(({ action }) => action === 'user.update')).toEqual([
      { ...by, before: { role: 'user' }, after: { role: 'admin' } },
      { ...by, before: { extraPermissions: [] }, after: { extraPermissions: ['*'] } },
      { ...by, before: { status: 'active' }, after: { status: 'suspended' } },
    ]);
  });

  it('are kept after the deletion, with all fields and the receiver of the user data', async () => {
    const root = await newUserOf('super_admin');
    const [bob, eve] = [await newUserOf('guest'), await newPerson()];
    const query = { transferTo: String(eve.id) };
    pass(1);
    await call('DELETE /api/users/{id}', { token: root.token, params: params(bob.id), query });
    expect((await entriesOf(bob.id)).map(shown).at(-1)).toEqual({
      action: 'user.delete',
      actorId: root.id,
      before: {
        ...{ email: bob.email, username: bob.email.split('@')[0]?.slice(0, 32) },
        ...{ name: 'Bob Example', role: 'guest', extraPermissions: [], status: 'active' },
      },
      after: { transferTo: eve.id },
    });
  });

  it('include the address of an invitation, also when it is emailed', async () => {
    const root = await newUserOf('super_admin');
    const email = newEmail();
    const body = { email, name: 'Eve' };
    const { id } = (await call('POST /api/users', { token: root.token, body })).body.data;
    const invite = () => {
      pass(1);
      return call('POST /api/users/{id}/invitation', { token: root.token, params: params(id) });
    };
    await invite();
    vi.stubEnv('MAIL_FROM', 'handbill@example.com');
    expect((await invite()).body.message).toBe('Invitation sent');
    vi.unstubAllEnvs();
    const [, ...invitations] = (await entriesOf(id)).map(shown);
    const one = { action: 'user.invite', actorId: root.id, before: undefined };
    expect(invitations).toEqual([
      { ...one, after: { invited: email } },
      { ...one, after: { invited: email } },
    ]);
  });

  it('have no actor for the first super_admin, created at startup', async () => {
    const { isNew } = await ensureFirstAdmin('first@example.com', password);
    expect(isNew).toBe(true);
    const [first] = (await itemsOf('AUDIT#SUBJECT')).filter((entry) =>
      JSON.stringify(entry).includes('first@example.com'),
    );
    expect(shown(first ?? {})).toMatchObject({
      ...{ action: 'user.create', actorId: undefined },
      after: { role: 'super_admin', password: 'set' },
    });
  });
});
