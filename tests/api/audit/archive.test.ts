import { describe, expect, it } from 'vitest';
import { section } from '../../../functions/api/audit/archive.ts';
import type { Permission } from '../../../shared/permissions/permissions.ts';
import { made } from '../../support/documents/documents.ts';
import { readSection } from '../../support/exports/archive.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { useTable } from '../../support/table/table.ts';
import { forgetSignIns, login, newUserOf } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const { admin } = usePeople({ admin: () => newUserOf('super_admin', { name: 'Max Manager' }) });

describe('the audit log of an archive', () => {
  it('has what the user did, then what else happened to the account, without who did that', async () => {
    const ann = await newUserOf('admin', { name: 'Ann' });
    for (let at = 0; at < 3; at++) {
      pass(1);
      await made(ann, { title: `Document ${at}` });
    }
    pass(1);
    await forgetSignIns();
    await login(ann.email, 'wrong password');
    pass(1);
    const params = { id: String(ann.id) };
    const body = { name: 'Ann Other' };
    await call('PUT /api/users/{id}', { token: admin.token, params, body });
    await made(admin, { title: 'Not Ann’s' });
    const { rows } = await readSection(section, ann);
    const read = rows('audit.ndjson');
    expect(read.map(({ action }) => action)).toEqual([
      ...['document.create', 'document.create', 'document.create', 'session.create'],
      ...['user.update', 'session.fail', 'user.create'],
    ]);
    expect(read[0]).toMatchObject({ actor: { id: ann.id }, address: '192.0.2.1' });
    expect(read[4]).toMatchObject({
      ...{ actor: null, address: null, requestId: null },
      after: { name: 'Ann Other' },
    });
    expect(JSON.stringify(read)).not.toContain('Max Manager');
    expect(JSON.stringify(read)).not.toContain(String(admin.id));
  });

  it('has the values of other subjects only for who may read the audit log', async () => {
    const root = await newUserOf('super_admin');
    const params = { id: String((await newUserOf('user')).id) };
    const body = { phone: '+49 151 999' };
    await call('PUT /api/users/{id}', { token: root.token, params, body });
    const read = async (...permissions: Permission[]) =>
      (await readSection(section, root, permissions))
        .rows('audit.ndjson')
        .find(({ action }) => action === 'user.update');
    expect(await read('audit:view')).toMatchObject({ after: body });
    expect(await read()).toMatchObject({
      ...{ subjectName: null, before: null, after: null },
      changed: ['phone'],
    });
  });

  it('is read a page at a time', async () => {
    const ann = await newUserOf('admin', { name: 'Ann' });
    for (let at = 0; at < 120; at++) await made(ann, { title: `Document ${at}` });
    const read = (await readSection(section, ann)).rows('audit.ndjson');
    expect(read.filter(({ action }) => action === 'document.create')).toHaveLength(120);
    expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
  });
});
