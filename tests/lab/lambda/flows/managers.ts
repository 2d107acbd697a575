import { expect } from 'vitest';
import { call } from '../../../support/service/call.ts';
import { newEmail, newUserOf, password } from '../../../support/users/test-users.ts';
import type { Flows } from './flow.ts';

export const managerFlows: Flows = {
  "everybody's documents and files, by name and by word": async () => {
    const { token } = await newUserOf('super_admin');
    for (const list of ['GET /api/documents', 'GET /api/files']) {
      for (const query of [{ sort: 'name' }, { search: 'anything' }] as const) {
        expect((await call(list, { token, query })).status).toBe(200);
      }
    }
  },
  'the shares that were reported': async () => {
    const { token } = await newUserOf('super_admin');
    const query = { reported: 'true' };
    expect((await call('GET /api/shares', { token, query })).status).toBe(200);
    expect((await call('GET /api/notifications/updates', { token })).status).toBe(200);
  },
  'another super_admin': async () => {
    const { token } = await newUserOf('super_admin');
    const body = { email: newEmail(), name: 'Zoe Example', password, role: 'super_admin' };
    expect((await call('POST /api/users', { token, body })).status).toBe(201);
  },
  'what someone did, in the audit': async () => {
    const { id, token } = await newUserOf('super_admin');
    const query = { actor: String(id) };
    expect((await call('GET /api/audit', { token, query })).status).toBe(200);
  },
};
