import { describe, expect, it } from 'vitest';
import { admit } from '../../../functions/api/share/reading/admission.ts';
import { forgetTexts } from '../../../functions/api/share/reading/text-memory.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { type Answer, call } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { randomText } from '../../support/shares/contents.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { frame, open, page, raw, tokenIn } from '../../support/shares/shares.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann: person } = usePeople({ ann: newPerson });
const ann = sharesOf(person);

const download = (id: string, view: string | undefined, query: object) =>
  call('GET /s/{id}/raw', { params: { id }, query: { view: view ?? '', ...query } });

/** All that a view token opens. */
const looks = (id: string, view: string | undefined) =>
  Promise.all([
    page(id, view),
    raw(id, view),
    frame(id, view),
    download(id, view, { download: '' }),
    download(id, view, { download: 'page' }),
    download(id, view, { file: 'a.ts' }),
  ]);

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe('the token of a view whose content was replaced', () => {
  it.each([
    ['HTML with a password', { password: 'Abc123' }, 'html', [200, 401, 404, 401, 401, 401]],
    ['HTML with a limit', { viewLimit: 5 }, 'html', [200, 401, 404, 401, 401, 401]],
    ['Markdown with a limit', { viewLimit: 5 }, 'markdown', [200, 401, 404, 401, 401, 401]],
  ])('shows nothing of what replaced it: %s', async (_, rule, language, asked) => {
    for (const next of ['Replaced', randomText(50 * 1_024)]) {
      const id = await ann.newShare({ content: 'First', language, ...rule });
      const view = tokenIn(await open(id, rule as Record<string, string>));
      expect((await raw(id, view)).body).toBe('First');
      await ann.put(id, { content: next });
      const answers = await looks(id, view);
      expect(statuses(answers)).toEqual(asked);
      for (const { body } of answers) expect(String(body)).not.toContain(next.slice(0, 40));
      // The page asks for another view, which shows it.
      expect(answers[0]?.body).toContain(`action="/s/${id}/open"`);
      const again = tokenIn(await open(id, rule as Record<string, string>));
      expect((await raw(id, again)).body).toBe(next);
    }
  });

  const modified = 'The share is being modified. Try again.';
  it.each([
    ['a counted view gets an error', { viewLimit: 5 }, {}, modified],
    ['so does who may not open it any more', {}, { audience: 'private' }, modified],
    ['anyone else gets what is current', {}, {}, 'Replaced'],
  ])('shows nothing of what replaced it while it is read: %s', async (_, rule, more, expected) => {
    const id = await ann.newShare({ content: randomText(2 * 1_024), ...rule });
    const view = 'viewLimit' in rule ? tokenIn(await open(id)) : undefined;
    forgetTexts(id);
    const admission = await admit(id, { view });
    await ann.put(id, { content: 'Replaced', ...more });
    const read = admission.reading === undefined ? undefined : admission.readText('source');
    expect(await read?.catch(({ message }: Error) => message)).toBe(expected);
  });

  it('stays valid while anything else of the share changes', async () => {
    const id = await ann.newShare({ content: 'First', viewLimit: 5 });
    const view = tokenIn(await open(id));
    await ann.put(id, { title: 'Other', viewLimit: 9, content: 'First' });
    expect(statuses((await looks(id, view)).slice(0, 4))).toEqual([200, 200, 200, 200]);
  });
});
