import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entries, entriesAbout } from '../../support/service/audit.ts';
import { runMinute, useJobs } from '../../support/service/jobs.ts';
import { content, reason, report, reportByPage, sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { ann, root } = usePeople({ ann: newPerson, root: 'super_admin' });
const [her, theirs] = [sharesOf(ann), sharesOf(root)];

/** Returns the audit entries of a share, oldest first. */
const notedOf = async (id: string) =>
  (await entriesAbout(`share:${id}`)).map(({ action, actorId, before, after }) => ({
    action,
    actorId,
    before,
    after,
  }));
const lastOf = async (id: string) => (await notedOf(id)).at(-1);

describe('the audit entry of a new share', () => {
  it('contains all fields except content and password', async () => {
    const id = await her.newShare({
      language: 'markdown',
      title: 'A note',
      description: 'd'.repeat(1_000),
      viewLimit: 3,
      expiresAt: '2099-01-01T00:00:00Z',
      password: 'Abc123',
    });
    expect(await notedOf(id)).toEqual([
      {
        action: 'share.create',
        actorId: ann.id,
        before: undefined,
        after: {
          ownerId: ann.id,
          language: 'markdown',
          title: 'A note',
          description: `${'d'.repeat(200)}…`,
          viewLimit: 3,
          expiresAt: '2099-01-01T00:00:00.000Z',
          password: 'set',
        },
      },
    ]);
  });

  it('omits absent fields', async () => {
    const after = { ownerId: ann.id, language: 'html', password: 'none' };
    expect(await lastOf(await her.newShare())).toMatchObject({ after });
    expect(Object.keys((await lastOf(await her.newShare()))?.after as object)).toHaveLength(3);
  });
});

describe('the audit entry of an updated share', () => {
  const [was, is] = ['2098-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
  const given = { title: 'Old', description: 'Long', viewLimit: 3, expiresAt: was };
  const cases: readonly (readonly [string, object, object, object])[] = [
    ['a title', { title: 'New' }, { title: 'Old' }, { title: 'New' }],
    ['no title', { title: null }, { title: 'Old' }, { title: null }],
    ['a description', { description: 'D' }, { description: 'Long' }, { description: 'D' }],
    ['a limit', { viewLimit: 9 }, { viewLimit: 3 }, { viewLimit: 9 }],
    ['an expiry', { expiresAt: is }, { expiresAt: was }, { expiresAt: is }],
    [
      'a language, by which it is rendered again',
      { language: 'markdown' },
      { language: 'html' },
      { language: 'markdown', content: 'changed' },
    ],
    ['content', { content: '<p>Other</p>' }, {}, { content: 'changed' }],
    ['a password', { password: 'Abc123' }, { password: 'none' }, { password: 'changed' }],
    ['a generated one', { useRandomPassword: true }, { password: 'none' }, { password: 'changed' }],
    [
      'several fields at once',
      { title: 'New', viewLimit: null },
      { title: 'Old', viewLimit: 3 },
      { title: 'New', viewLimit: null },
    ],
  ];

  it.each(cases)(
    'contains the changed fields of an update to %s',
    async (_, body, before, after) => {
      const id = await her.newShare(given);
      pass(1);
      expect((await her.put(id, body)).status).toBe(200);
      const [, ...noted] = await notedOf(id);
      expect(noted).toEqual([{ action: 'share.update', actorId: ann.id, before, after }]);
    },
  );

  it.each([
    ['the same content', { content }],
    ['nothing', {}],
  ])('is omitted for an update to %s', async (_, body) => {
    const id = await her.newShare(given);
    expect((await her.put(id, body)).status).toBe(200);
    const [, ...noted] = await notedOf(id);
    expect(noted).toEqual([]);
  });

  it('shows that a password was replaced or removed', async () => {
    const id = await her.newShare({ password: 'Abc123' });
    pass(1);
    await her.put(id, { password: 'Def456' });
    pass(1);
    await her.put(id, { password: null });
    const [, replaced, removed] = await notedOf(id);
    expect(replaced).toMatchObject({ before: { password: 'set' }, after: { password: 'changed' } });
    expect(removed).toMatchObject({ before: { password: 'set' }, after: { password: 'none' } });
  });

  it('names the actor, not the owner', async () => {
    const id = await her.newShare({ title: 'Hers', password: 'Abc123' });
    pass(1);
    await theirs.put(id, { title: 'Theirs' });
    pass(1);
    expect((await theirs.remove(id)).status).toBe(200);
    const [, changed, deleted] = await notedOf(id);
    expect(changed).toMatchObject({ action: 'share.update', actorId: root.id });
    expect(deleted).toEqual({
      action: 'share.delete',
      actorId: root.id,
      before: { ownerId: ann.id, language: 'html', title: 'Theirs' },
      after: undefined,
    });
  });
});

describe('the audit entries of reports and decisions', () => {
  it('name the reporter, if known, and the report', async () => {
    const id = await her.newShare();
    const reporter = await newPerson();
    pass(1);
    const responses = [await report(id, reporter.token), await report(id), await reportByPage(id)];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 303]);
    const [, ...noted] = await notedOf(id);
    const shown: { id: string; userId: number | null }[] = (await theirs.manage(id)).body.data
      .reportList;
    expect(shown.map(({ userId }) => userId).toSorted()).toEqual([reporter.id, null, null]);
    expect(noted.map(({ action, before }) => [action, before])).toEqual(
      Array(3).fill(['share.report', undefined]),
    );
    const told = noted.map(({ actorId = null, after }) => ({
      userId: actorId,
      ...(after as object),
    }));
    expect(new Set(told)).toEqual(
      new Set(shown.map((one) => ({ userId: one.userId, report: one.id }))),
    );
  });

  it('name the moderator and the closed reports', async () => {
    const id = await her.newShare();
    await report(id);
    await report(id);
    pass(1);
    const { takenDownAt } = (await theirs.decide(id, 'take-down')).body.data;
    pass(1);
    await theirs.decide(id, 'keep');
    expect((await notedOf(id)).slice(-2)).toEqual([
      {
        action: 'share.moderate',
        actorId: root.id,
        before: { takenDownAt: null, reports: 2 },
        after: { takenDownAt, reports: null, decision: 'take-down' },
      },
      {
        action: 'share.moderate',
        actorId: root.id,
        before: { takenDownAt },
        after: { takenDownAt: null, decision: 'keep' },
      },
    ]);
  });
});

describe('the audit log', () => {
  it('has no entry for reads', async () => {
    const id = await her.newShare({ viewLimit: 9 });
    const before = (await entries()).length;
    const looks = [
      await view(id),
      await view(id, undefined, 'HEAD'),
      await her.look(id),
      await theirs.manage(id),
      await page(id),
      await open(id),
    ];
    expect(looks.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 303]);
    await Promise.all([raw(id), frame(id), runMinute()]);
    expect(await entries()).toHaveLength(before);
  });

  it('has no content, password or hash of any share', async () => {
    const id = await her.newShare({ password: 'Xy7Zq2' });
    const generated = (await her.put(id, { useRandomPassword: true })).body.password;
    await her.put(id, { content: '<p>Another secret</p>' });
    await report(id);
    const text = JSON.stringify(await itemsOf('AUDIT#'));
    expect(text.length).toBeGreaterThan(1_000);
    const words = ['nobody else', 'Another secret', 'Xy7Zq2', generated, 'salt', 'hash', reason];
    for (const word of words) expect(text).not.toContain(word);
  });
});
