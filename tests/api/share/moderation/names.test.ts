import { beforeEach, describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf, type Person } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

// Refills the rate limits.
beforeEach(() => pass(2 * 3_600_000));
const { root, ann, bob } = useNewPeople({
  root: () => newUserOf('super_admin', { name: 'Rita Root' }),
  ann: () => newUserOf('user', { name: 'Ann Owner' }),
  bob: () => newUserOf('user', { name: 'Bob Reader' }),
});

const list = (query: Record<string, string> = {}) =>
  call('GET /api/shares', { token: root.token, query });
const idsIn = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
const detail = async (id: string) => (await sharesOf(root).manage(id)).body.data;
const rename = ({ id }: Person, name: string) =>
  call('PUT /api/users/{id}', { token: root.token, params: { id: String(id) }, body: { name } });
const remove = ({ id }: Person) =>
  call('DELETE /api/users/{id}', { token: root.token, params: { id: String(id) } });

describe('GET /api/shares', () => {
  it('names the owner of each share, as they are called now', async () => {
    const first = await sharesOf(ann).newShare();
    pass(1_000);
    const second = await sharesOf(bob).newShare();
    await rename(ann, 'Anna Owner');
    const { items } = (await list({ pageSize: '100' })).body.data;
    const shown = items.filter(({ id }: { id: string }) => [first, second].includes(id));
    expect(shown.map(({ ownerId, ownerName }: Record<string, unknown>) => [ownerId, ownerName]))
      // Newest first.
      .toEqual([
        [bob.id, 'Bob Reader'],
        [ann.id, 'Anna Owner'],
      ]);
  });

  it('lists the shares of one owner with their exact total, newest first', async () => {
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      pass(1_000);
      made.unshift(await sharesOf(ann).newShare());
      await sharesOf(bob).newShare();
    }
    const query = { ownerId: String(ann.id), pageSize: '3' };
    const first = (await list(query)).body.data;
    expect(first).toMatchObject({ total: 5, totalIsExact: true, totalPages: 2 });
    const second = (await list({ ...query, cursor: first.nextCursor })).body.data;
    expect([...idsIn(first.items), ...idsIn(second.items)]).toEqual(made);
    expect(second.nextCursor).toBeNull();
    const reversed = (await list({ ...query, sort: '-createdAt' })).body.data.items;
    expect(idsIn(reversed)).toEqual(made.toReversed().slice(0, 3));
    expect((await list({ ownerId: '7' })).body.data).toMatchObject({ items: [], total: 0 });
    // A cursor is valid for its owner only.
    const other = { ownerId: String(bob.id), cursor: first.nextCursor };
    expect(await list(other)).toMatchObject({ status: 400 });
    expect(await list({ ...query, reported: 'true' })).toMatchObject({
      status: 400,
      body: {
        error: { details: [{ field: 'ownerId', message: 'cannot be combined with reported' }] },
      },
    });
    expect(await list({ ownerId: 'ann' })).toMatchObject({ status: 400 });
  });

  it('omits the shares of a removed owner', async () => {
    const id = await sharesOf(ann).newShare();
    await remove(ann);
    expect(idsIn((await list({ pageSize: '100' })).body.data.items)).not.toContain(id);
    expect((await list({ ownerId: String(ann.id) })).body.data.items).toEqual([]);
    expect(await sharesOf(root).manage(id)).toMatchObject({ status: 404 });
    expect(await sharesOf(root).decide(id, 'keep')).toMatchObject({ status: 404 });
  });
});

describe('GET /api/shares/{id}', () => {
  it('names owner and reporters; a removed one keeps the name', async () => {
    const id = await sharesOf(ann).newShare();
    const carl = await newUserOf('user', { name: 'Carl Reader' });
    await sharesOf(carl).report(id);
    pass(1_000);
    await sharesOf(bob).report(id);
    pass(1_000);
    await sharesOf({ token: 'none' }).report(id);
    await remove(carl);
    const { ownerName, reportList } = await detail(id);
    expect(ownerName).toBe('Ann Owner');
    expect(
      reportList.map(({ userId, userName }: Record<string, unknown>) => [userId, userName]),
    ).toEqual([
      [null, null],
      [bob.id, 'Bob Reader'],
      [carl.id, 'Carl Reader'],
    ]);
  });

  it('lists the decisions, newest first, with the moderators', async () => {
    const id = await sharesOf(ann).newShare({ title: 'Bad' });
    const moderator = await newUserOf('user', {
      name: 'Mia Moderator',
      extraPermissions: ['shares:manage'],
    });
    expect((await detail(id)).decisions).toEqual([]);
    await sharesOf(bob).report(id);
    await sharesOf(moderator).decide(id, 'keep');
    pass(1_000);
    await sharesOf(root).decide(id, 'take-down', {}, ' It copies a sign-in page.\n');
    pass(1_000);
    // The second decision of the same kind changes no field of the share.
    await sharesOf(moderator).decide(id, 'take-down');
    const by = ({ id: userId }: Person, userName: string) => ({ userId, userName });
    const reason = 'It copies a sign-in page.';
    const entry = {
      reason: null,
      id: expect.stringMatching(/^[\w-]{8}$/),
      createdAt: expect.any(String),
    };
    expect((await detail(id)).decisions).toEqual([
      { ...entry, decision: 'take-down', ...by(moderator, 'Mia Moderator') },
      { ...entry, reason, decision: 'take-down', ...by(root, 'Rita Root') },
      { ...entry, decision: 'keep', ...by(moderator, 'Mia Moderator') },
    ]);
    expect((await sharesOf(moderator).manage(id)).status).toBe(200);
    await remove(moderator);
    expect((await detail(id)).decisions[0]).toMatchObject(by(moderator, 'Mia Moderator'));
  });
});

describe('PUT /api/shares/{id}/decision', () => {
  it('returns the share with the name of its owner', async () => {
    const id = await sharesOf(ann).newShare();
    expect((await sharesOf(root).decide(id, 'keep')).body.data).toMatchObject({
      ownerId: ann.id,
      ownerName: 'Ann Owner',
    });
  });
});

describe('GET /api/audit', () => {
  it('names what an entry is about', async () => {
    const { token } = root;
    const id = await sharesOf(ann).newShare({ title: 'A note' });
    pass(1_000);
    await sharesOf(ann).put(id, { title: 'Another note' });
    pass(1_000);
    await sharesOf(ann).remove(id);
    const namesOf = async (subject: string) =>
      (await call('GET /api/audit', { token, query: { subject } })).body.data.items.map(
        ({ action, subjectName }: Record<string, unknown>) => [action, subjectName],
      );
    expect(await namesOf(`share:${id}`)).toEqual([
      ['share.delete', 'Another note'],
      ['share.update', 'Another note'],
      ['share.create', 'A note'],
    ]);
    const { data } = (
      await call('POST /api/documents', { token, body: { title: 'A plan', type: 'text' } })
    ).body;
    expect(await namesOf(`document:${data.id}`)).toEqual([['document.create', 'A plan']]);
    expect(new Set((await namesOf(`user:${ann.id}`)).map(([, name]: string[]) => name))).toEqual(
      new Set(['Ann Owner']),
    );
    const untitled = await sharesOf(ann).newShare();
    expect(await namesOf(`share:${untitled}`)).toEqual([['share.create', null]]);
    pass(1_000);
    await remove(ann);
    expect((await namesOf(`user:${ann.id}`))[0]).toEqual(['user.delete', 'Ann Owner']);
  });
});
