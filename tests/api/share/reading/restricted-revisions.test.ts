import { describe, expect, it } from 'vitest';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann: person } = usePeople({ ann: 'user' });
const ann = { ...sharesOf(person), ...revisionsOf(person) };
const reader = revisionsOf();

type Viewer = ReturnType<typeof revisionsOf>;

/** Creates a share whose revisions readers can see, and changes it step by step: each is a version. */
const newShare = async (first: object, ...steps: readonly object[]): Promise<string> => {
  const id = await ann.newShare({ content: 'Content 1', showsRevisions: true, ...first });
  for (const step of steps) expect((await ann.put(id, step)).status).toBe(200);
  return id;
};

const listed = async (viewer: Viewer, id: string): Promise<number[]> =>
  (await viewer.revisions(id)).body.items.map(({ version }: { version: number }) => version);

/** All ways to a revision: alone, compared with the current content, and on either side of another. */
const ways = (viewer: Viewer, id: string, version: number, other: number) =>
  Promise.all([
    viewer.revision(id, version),
    viewer.raw(id, version),
    viewer.diff(id, version),
    viewer.diff(id, version, { to: String(other) }),
    viewer.diff(id, other, { to: String(version) }),
    viewer.page(id, { version: String(version) }),
    viewer.page(id, { version: String(version), to: String(other) }),
    viewer.page(id, { version: String(other), to: String(version) }),
  ]);

const password = { password: 'Abc123' };
const noPassword = { password: null };

describe('a revision that was the content under a password or a limit', () => {
  it.each([
    ['a password', password, noPassword],
    ['a limit', { viewLimit: 5 }, { viewLimit: null }],
  ])('is not there for readers, once %s is removed', async (_, rule, none) => {
    const id = await newShare(rule, none, { content: 'Content 3' }, { content: 'Content 4' });
    expect(await listed(reader, id)).toEqual([3]);
    const bodies = (answers: Awaited<ReturnType<typeof ways>>) =>
      answers.map(({ status, body }) => [status, body.error?.message ?? String(body)]);
    const unknown = bodies(await ways(reader, id, 1_000, 3));
    expect(new Set(unknown.map(([status]) => status))).toEqual(new Set([404]));
    const withoutId = (shown: unknown[][]) =>
      JSON.stringify(shown).replaceAll(/[\w-]{36}|\b\w{22}\b/g, '');
    expect(withoutId(bodies(await ways(reader, id, 2, 3)))).toBe(withoutId(unknown));
    const page = String((await reader.page(id)).body);
    expect([page.includes('/3/raw'), page.includes('/2/raw')]).toEqual([true, false]);
    expect((await reader.revision(id, 3)).body.content).toBe('Content 3');
  });

  it('is there for the owner and moderators', async () => {
    const id = await newShare(password, noPassword, { content: 'Two' }, { content: 'Three' });
    const moderator = revisionsOf(await newUserOf('super_admin'));
    for (const viewer of [ann, moderator]) {
      expect(await listed(viewer, id)).toEqual([3, 2]);
      const statuses = (await ways(viewer, id, 2, 3)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
  });

  it.each([
    ['added and removed while it was the content', {}, [password, noPassword], 3],
    ['removed by the change that replaced it', password, [], 1],
    ['followed by another', password, [{ password: 'Def456' }, { viewLimit: 3 }], 3],
    ['removed long before', password, [noPassword, { title: 'A' }, { title: 'B' }], 4],
    ['removed, and the same request repeated', password, [noPassword, noPassword], 2],
  ])('is kept from readers, with a password that was %s', async (_, first, steps, version) => {
    const none = { password: null, viewLimit: null };
    const id = await newShare(first, ...steps, { ...none, content: 'Last' });
    expect(await listed(ann, id)).toEqual([version]);
    expect(await listed(reader, id)).toEqual([]);
  });

  it('is kept from readers also if the owner restores and replaces it', async () => {
    const id = await newShare(password, { ...noPassword, content: 'Two' });
    expect((await ann.restore(id, 1)).status).toBe(200);
    await ann.put(id, { content: 'Four' });
    // What was restored was public from then on.
    expect(await listed(ann, id)).toEqual([3, 2, 1]);
    expect(await listed(reader, id)).toEqual([3, 2]);
  });
});

describe('a revision that was the content without a password and a limit', () => {
  it('is shown again once a password that came later is removed', async () => {
    const id = await newShare({}, { content: 'Two', ...password }, noPassword);
    expect(await listed(reader, id)).toEqual([1]);
  });

  it('is restricted or not as it was stored, also after a concurrent change', async () => {
    const id = await newShare({});
    const [changed, locked] = await Promise.all([
      ann.put(id, { content: 'Two' }),
      ann.put(id, password),
    ]);
    expect([changed.status, locked.status]).toEqual([200, 200]);
    await ann.put(id, noPassword);
    const { version } = (await ann.revisions(id)).body.items[0];
    // Version 1 was replaced before the password came, version 2 is the content that got it.
    expect(await listed(reader, id)).toEqual(version === 1 ? [1] : []);
  });
});

describe('a change without a difference', () => {
  it('stays one for a share with a password', async () => {
    const id = await newShare(password);
    expect((await ann.put(id, { content: 'Content 1' })).body.version).toBe(1);
    await ann.put(id, noPassword);
    expect((await ann.put(id, noPassword)).body.version).toBe(2);
  });
});
