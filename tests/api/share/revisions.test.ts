import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { shareKeys } from '../../../functions/api/share/record/keys.ts';
import { maxDiffLength } from '../../../shared/revisions/compare-texts.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { textObjects } from '../../support/shares/objects.ts';
import { revisionsOf, sharesOf } from '../../support/shares/requests.ts';
import { storeRevisions } from '../../support/table/many-revisions.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson, newUserOf } from '../../support/users/test-users.ts';
import { signInAgain, useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const minute = 60_000;
const day = 86_400_000;
const reader = revisionsOf();
const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...revisionsOf(person) };

/** Too large for the table. */
const large = (): string => randomBytes(20_000).toString('base64');

/** Creates a share and replaces its content by the others, one after another. */
const newRevised = async (contents: readonly string[], fields: object = {}): Promise<string> => {
  const [first, ...others] = contents;
  const id = await ann.newShare({ content: first, language: 'markdown', ...fields });
  for (const content of others) expect((await ann.put(id, { content })).status).toBe(200);
  return id;
};

const versions = async (id: string): Promise<number[]> =>
  (await ann.revisions(id)).body.items.map(({ version }: { version: number }) => version);

const revisionItems = async (id: string) =>
  (await itemsOf(`SHARE#${id}`)).filter(({ sk }) => /^REVIS/.test(String(sk)));

const objectsOf = async (id: string) => (await textObjects()).filter((key) => key.includes(id));

describe('GET /api/share/{id}/revisions', () => {
  it('lists what changes of the content replaced', async () => {
    const id = await newRevised(['# One']);
    expect((await ann.revisions(id)).body).toEqual({ items: [] });
    pass(minute);
    await ann.put(id, { content: '# Two' });
    await ann.put(id, { title: 'Other' });
    await ann.put(id, { content: '# Two' });
    await ann.put(id, { language: 'html' });
    const replaced = { bytes: 5, language: 'markdown', replacedAt: '2026-11-21T12:01:00.000Z' };
    const expiresAt = '2026-12-21T12:01:00.000Z';
    expect((await ann.revisions(id)).body).toEqual({
      items: [
        { ...replaced, expiresAt, version: 3 },
        { ...replaced, expiresAt, version: 1 },
      ],
    });
    expect((await ann.revision(id, 1)).body).toEqual({
      ...{ ...replaced, expiresAt, version: 1 },
      content: '# One',
    });
  });

  it('keeps one for each of several changes at a time', async () => {
    const id = await newRevised(['0']);
    const contents = ['1', '2', '3', '4'];
    await Promise.all(contents.map((content) => ann.put(id, { content })));
    const listed = await versions(id);
    const kept = await Promise.all(
      listed.map(async (version) => (await ann.revision(id, version)).body.content),
    );
    const { content } = (await ann.look(id)).body;
    expect([...kept, content].toSorted()).toEqual(['0', ...contents]);
  });

  it('keeps the last 50', async () => {
    const id = await newRevised(['0']);
    for (let count = 1; count <= 53; count++) {
      pass(minute);
      if (count % 10 === 0) await signInAgain(person);
      expect((await ann.put(id, { content: String(count) })).status).toBe(200);
    }
    const listed = await versions(id);
    expect([listed.length, listed[0], listed.at(-1)]).toEqual([50, 53, 4]);
    expect((await ann.revision(id, 3)).status).toBe(404);
    expect(await revisionItems(id)).toHaveLength(100);
  });

  it('keeps 16 MB, so that the newest one is always there', async () => {
    const text = (letter: string) => letter.repeat(6 * 1024 * 1024);
    const largest = 'e'.repeat(16 * 1024 * 1024);
    const id = await newRevised([text('a'), text('b'), text('c'), largest], { language: 'html' });
    expect(await versions(id)).toEqual([3, 2]);
    await ann.put(id, { content: 'f' });
    expect(await versions(id)).toEqual([4]);
  });

  it.each([
    ['small', () => '# One'],
    ['large', large],
  ])('keeps %s ones for 30 days', async (_, content) => {
    const id = await newRevised([content(), '# Two']);
    pass(30 * day - 1);
    await signInAgain(person);
    await runMinute();
    expect((await ann.revision(id, 1)).status).toBe(200);
    pass(1);
    expect((await ann.revisions(id)).body).toEqual({ items: [] });
    expect((await ann.revision(id, 1)).status).toBe(404);
    await runMinute();
    expect((await textObjects()).filter((key) => key.includes(id))).toEqual([]);
    const seconds = Math.ceil(Date.now() / 1_000);
    for (const item of await revisionItems(id)) expect(item['ttl']).toBe(seconds);
  });

  it.each(['deleted', 'ended'])('deletes all once the share is %s', async (how) => {
    const id = await newRevised([large(), '# Two', large(), '# Four']);
    expect(await revisionItems(id)).toHaveLength(4);
    if (how === 'deleted') await ann.remove(id);
    else await ann.end(id);
    pass(2 * minute + 1);
    await runMinute();
    await runJobs();
    expect(await revisionItems(id)).toEqual([]);
    await runMinute();
    expect((await textObjects()).filter((key) => key.includes(id))).toEqual([]);
    expect((await ann.revisions(id)).status).toBe(how === 'deleted' ? 404 : 410);
  });

  it.each(['deleted', 'ended'])(
    'leaves none of a share that is %s, of however many',
    async (how) => {
      const id = await newRevised(['# One', '# Two']);
      await storeRevisions(
        Array.from({ length: 130 }, (_, at) => at + 2),
        {
          keyOf: (version) => shareKeys.revision.at({ id, version }),
          textKeyOf: (version) => shareKeys.revisionText.at({ id, version }),
          toText: (source) => ({ source }),
          fields: { language: 'markdown' },
        },
      );
      expect(await objectsOf(id)).toHaveLength(4);
      expect((await versions(id)).length).toBe(50);
      if (how === 'deleted') await ann.remove(id);
      else await ann.end(id);
      pass(2 * minute + 1);
      for (const _ of [1, 2, 3]) {
        await runMinute();
        await runJobs();
        pass(2 * minute);
      }
      expect(await revisionItems(id)).toEqual([]);
      expect(await objectsOf(id)).toEqual([]);
    },
  );
});

/** The statuses of all ways to see a revision. */
const statusesOf = async (some: ReturnType<typeof revisionsOf>, id: string): Promise<number[]> => {
  const answers = await Promise.all([
    ...[some.revisions(id), some.revision(id, 1), some.diff(id, 1)],
    ...[some.page(id), some.page(id, { version: '1' }), some.raw(id, 1)],
  ]);
  return answers.map(({ status }) => status);
};

describe('who sees revisions', () => {
  it('are the owner and moderators', async () => {
    const id = await newRevised(['# One', '# Two']);
    const others = [{}, await newPerson()].map(revisionsOf);
    for (const other of others) {
      expect(new Set(await statusesOf(other, id))).toEqual(new Set([404]));
    }
    const moderator = revisionsOf(await newUserOf('super_admin'));
    expect((await moderator.revision(id, 1)).body.content).toBe('# One');
    expect(new Set(await statusesOf(moderator, id))).toEqual(new Set([200]));
    expect((await revisionsOf(await newPerson()).restore(id, 1)).status).toBe(404);
    expect((await reader.restore(id, 1)).status).toBe(401);
  });

  it('are readers, if the owner says so', async () => {
    const id = await newRevised(['# One', '# Two'], { showsRevisions: true, slug: 'our-notes' });
    expect((await ann.look(id)).body.showsRevisions).toBe(true);
    expect((await reader.revisions('our-notes')).body.items).toHaveLength(1);
    expect(new Set(await statusesOf(reader, 'our-notes'))).toEqual(new Set([200]));
    expect((await reader.revision(id, 1)).body.content).toBe('# One');
    await ann.put(id, { showsRevisions: null });
    expect((await reader.revision(id, 1)).status).toBe(404);
  });

  it.each([
    ['a password', { password: 'Abc123' }, 404],
    ['a view limit', { viewLimit: 3 }, 404],
    ['an end', { expiresIn: 60 }, 410],
  ])('are no readers of a share with %s', async (_, rule, status) => {
    const id = await newRevised(['# One', '# Two'], { showsRevisions: true });
    await ann.put(id, rule);
    pass(minute);
    expect(new Set(await statusesOf(reader, id))).toEqual(new Set([status]));
  });
});

describe('GET /api/share/{id}/revisions/{version}/diff', () => {
  it('compares with the current content or another revision', async () => {
    const id = await newRevised(['a\nb\n', 'a\nc\n', 'a\nd\n']);
    expect((await ann.diff(id, 1)).body).toEqual({
      from: 1,
      to: null,
      diff: '--- revision 1\n+++ current\n@@ -1,2 +1,2 @@\n a\n-b\n+d\n',
      isCut: false,
    });
    expect((await ann.diff(id, 1, { to: '2' })).body).toMatchObject({
      to: 2,
      diff: expect.stringContaining('-b\n+c\n'),
    });
    expect((await ann.diff(id, 2, { to: '2' })).body.diff).toBe('');
    expect((await ann.diff(id, 9)).status).toBe(404);
    expect((await ann.diff(id, 1, { to: '9' })).status).toBe(404);
    const { status, body } = await ann.diff(id, 1, { to: 'x' });
    expect([status, body.error.details[0].field]).toEqual([400, 'to']);
  });

  it('tells a change of line endings apart from other changes', async () => {
    const id = await newRevised([
      'a\r\nb\r\n',
      'a\nb\n',
      'a\nc\n',
      'a\rc\r',
      'a\r\nc\r',
      'a\rc\r\n',
    ]);
    const compare = async (version: number, to: string) =>
      (await ann.diff(id, version, { to })).body;
    expect(await compare(1, '2')).toEqual({
      ...{ from: 1, to: 2, diff: '', isCut: false },
      lineEnds: { from: 'CRLF', to: 'LF' },
    });
    expect(await compare(1, '3')).toEqual({
      ...{ from: 1, to: 3, isCut: false },
      diff: '--- revision 1\n+++ revision 3\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
      lineEnds: { from: 'CRLF', to: 'LF' },
    });
    expect(await compare(3, '4')).toMatchObject({ diff: '', lineEnds: { from: 'LF', to: 'CR' } });
    expect((await ann.diff(id, 5)).body).toMatchObject({
      ...{ diff: '', lineEnds: { from: 'mixed', to: 'mixed' } },
    });
    expect(await compare(2, '3')).not.toHaveProperty('lineEnds');
  });

  it('keeps the line endings of contents that end their lines alike', async () => {
    const id = await newRevised(['a\r\nb\r\n', 'a\r\nc\r\n']);
    expect((await ann.diff(id, 1)).body.diff).toContain(' a\r\n-b\r\n+c\r\n');
  });

  const numbered = Array.from({ length: 2_100 }, (_, at) => `${at}\n`);
  it.each([
    ['has other lines', Array.from({ length: 2_100 }, (_, at) => `new ${at}\n`)],
    ['has its lines in another order', numbered.toReversed()],
  ])('replaces all of a content that %s, too many to find each', async (_, lines) => {
    const id = await newRevised([`${numbered.join('')}x`, lines.join('')], { language: 'html' });
    const { diff } = (await ann.diff(id, 1)).body;
    const marked = (sign: string, all: readonly string[]) =>
      all.map((line) => sign + line).join('');
    expect(diff).toBe(
      `--- revision 1\n+++ current\n@@ -1,2101 +1,2100 @@\n${marked('-', numbered)}-x\n\\ No newline at end of file\n${marked('+', lines)}`,
    );
  });

  it('cuts a diff after 1 MB, at the end of a line', async () => {
    const lines = (letter: string) => `${letter.repeat(99)}\n`.repeat(7_000);
    const id = await newRevised([lines('a'), lines('b')], { language: 'html' });
    const { diff, isCut } = (await ann.diff(id, 1)).body;
    expect([isCut, diff.length <= maxDiffLength, diff.endsWith('b\n')]).toEqual([true, true, true]);
  });
});

describe('POST /api/share/{id}/revisions/{version}/restore', () => {
  it.each([
    ['small', () => '# One'],
    ['large', large],
  ])('makes a %s former content the current one', async (_, content) => {
    const one = content();
    const id = await newRevised([one, '<p>Two']);
    await ann.put(id, { language: 'html' });
    const { status, body } = await ann.restore(id, 1);
    expect([status, body]).toMatchObject([
      200,
      { version: 4, language: 'markdown', message: 'Restored' },
    ]);
    expect((await ann.look(id)).body).toMatchObject({ content: one, language: 'markdown' });
    expect(await versions(id)).toEqual([3, 2, 1]);
  });

  it('changes nothing when repeated, and needs a revision and a share', async () => {
    const id = await newRevised(['# One', '# Two']);
    expect((await ann.restore(id, 1)).body.version).toBe(3);
    expect((await ann.restore(id, 1)).body.version).toBe(3);
    expect((await ann.restore(id, 9)).status).toBe(404);
    await ann.end(id);
    expect((await ann.restore(id, 1)).status).toBe(410);
  });
});
