import { describe, expect, it } from 'vitest';
import { maxShownLength } from '../../../shared/revisions/diff-lines.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { revisionsOf, sharesOf } from '../../support/shares/requests.ts';
import { newSeal, sealedBody, sealText } from '../../support/shares/sealed.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const reader = revisionsOf();
const { person } = useNewPeople({ person: newPerson });
const ann = { ...sharesOf(person), ...revisionsOf(person) };

const newRevised = async (contents: readonly string[], fields: object = {}): Promise<string> => {
  const [first, ...others] = contents;
  const id = await ann.newShare({
    content: first,
    language: 'markdown',
    title: 'Notes',
    ...fields,
  });
  for (const content of others) {
    pass(60_000);
    await ann.put(id, { content });
  }
  return id;
};

const bodyOf = async (answer: Promise<{ readonly body: unknown }>): Promise<string> =>
  String((await answer).body);

describe('GET /s/{id}/revisions', () => {
  it('lists the revisions, the newest first', async () => {
    const body = await bodyOf(ann.page(await newRevised(['1', '22', '3'])));
    const listed = [...body.matchAll(/<li.*?datetime="([^"]*)".*?<p class="hint">([^<]*)/gs)];
    expect(listed.map(([, at, size]) => [at, size])).toEqual([
      ['2026-11-21T12:02:00.000Z', '2 bytes · Markdown'],
      ['2026-11-21T12:01:00.000Z', '1 byte · Markdown'],
    ]);
    expect(body).not.toContain('id="changes"');
  });

  it('says of a sealed share that they are sealed, too, and offers nothing of them', async () => {
    const seal = await newSeal();
    const id = await ann.newShare(await sealedBody(seal));
    await ann.put(id, { content: await sealText(seal, 'New'), proof: seal.proof });
    const body = await bodyOf(ann.page(id));
    expect(body).toContain('so are its revisions');
    expect(body).toContain('<p id="at-1">');
    expect(body).not.toMatch(/data-restores|\/raw|\?version=/);
  });

  it('shows what a revision differs in, as text', async () => {
    const id = await newRevised(['a\n<b>\nc', 'a\n<i>\nc', 'a\n<u>\nc\n']);
    expect(await bodyOf(ann.page(id, { version: '1' }))).toContain(
      `<b>@@ -1,3 +1,3 @@
</b><span> a
</span><del>-&lt;b&gt;
-c
</del><i>\\ No newline at end of file
</i><ins>+&lt;u&gt;
+c
</ins></pre>`,
    );
    const toNext = await bodyOf(ann.page(id, { version: '1', to: '2' }));
    expect(toNext).toContain('<ins>+&lt;i&gt;\n</ins>');
    expect(toNext).toMatch(/aria-current="true">Next revision/);
    expect(await bodyOf(ann.page(id, { version: '2' }))).not.toContain('Next revision');
    expect(await bodyOf(ann.page(id, { version: '2', to: '2' }))).toContain('no differences');
    expect((await ann.page(id, { version: '9' })).status).toBe(404);
    expect((await ann.page(id, { version: 'x' })).status).toBe(400);
  });

  it('says that only line endings differ', async () => {
    const id = await newRevised(['a\r\nb\r\n', 'a\nb\n']);
    const body = await bodyOf(ann.page(id, { version: '1' }));
    expect(body).toContain('<p>Line endings changed from CRLF to LF.</p>');
    expect(body).not.toContain('class="diff"');
    expect(body).not.toContain('no differences');
  });

  it('shows the beginning of a long difference', async () => {
    const line = `${'<'.repeat(99)}\n`;
    const id = await newRevised([line.repeat(3_000), 'a'], { language: 'html' });
    const body = await bodyOf(ann.page(id, { version: '1' }));
    expect(body).toContain('Only the first 256 KB');
    expect(body.split('&lt;').length).toBeLessThanOrEqual(maxShownLength + 1);
    expect(await bodyOf(ann.page(id))).not.toContain('Only the first');
  });

  it('offers to restore to those who can', async () => {
    const id = await newRevised(['1', '2'], { showsRevisions: true });
    expect(await bodyOf(ann.page(id))).toContain(`/api/share/${id}/revisions/1/restore`);
    expect(await bodyOf(reader.page(id))).not.toContain('restore');
  });

  it('takes a token of the limit of comparisons only for one', async () => {
    const id = await newRevised(['1', '2'], { showsRevisions: true });
    const remaining = async (query: Record<string, string> = {}) =>
      (await reader.page(id, query)).headers['ratelimit'];
    expect([await remaining(), await remaining({ version: '1' })]).toEqual([
      undefined,
      expect.stringContaining('"share-diff";r=59'),
    ]);
  });
});

describe('GET /s/{id}/revisions/{version}/raw', () => {
  it('returns the exact text, isolated', async () => {
    const id = await newRevised(['<script>1</script>\r\n', '2']);
    const { body, headers } = await ann.raw(id, 1);
    expect(body).toBe('<script>1</script>\r\n');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': 'no-store',
    });
  });

  it('returns a line of text for an error, or a page to browsers', async () => {
    const id = await newRevised(['1', '2']);
    expect((await ann.raw(id, 9)).body).toBe('Revision not found.\n');
  });
});

describe('the entry in the menu of a share', () => {
  const entry = '>Revisions<';
  const menuOf = async (id: string, token?: string) =>
    (await bodyOf(call('GET /s/{id}', { params: { id }, ...(token && { token }) }))).includes(
      entry,
    );

  it('is for the owner as soon as there are some', async () => {
    const id = await newRevised(['1']);
    expect(await menuOf(id, person.token)).toBe(false);
    await ann.put(id, { content: '2' });
    expect([await menuOf(id, person.token), await menuOf(id)]).toEqual([true, false]);
  });

  it('is for readers if the owner says so', async () => {
    expect(await menuOf(await newRevised(['1', '2'], { showsRevisions: true }))).toBe(true);
  });
});
