import { describe, expect, it } from 'vitest';
import { sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();

const { person } = usePeople({ person: newPerson });
const ann = sharesOf(person);

const labelsOf = async (id: string) => {
  const { title, description } = (await ann.look(id)).body;
  return { title, description };
};

describe('the title and the description of a share', () => {
  it('are stored without surrounding spaces', async () => {
    const labels = { title: ' \t A title\n', description: '\n One line\n and another \u00a0' };
    const kept = { title: 'A title', description: 'One line\n and another' };
    const id = await ann.newShare(labels);
    expect(await labelsOf(id)).toEqual(kept);
    await ann.put(id, { title: ' Other ', description: ' More ' });
    expect(await labelsOf(id)).toEqual({ title: 'Other', description: 'More' });
  });

  it.each([
    '',
    '   ',
    ' \t\r\n ',
    '\u00a0\u3000',
    '\u200b\u2060',
    '\u00ad\ufeff ',
    '\u3164',
    '\u115f\ufe0f',
    '\u2800',
  ])('are null without visible characters: %j', async (blank) => {
    const none = { title: null, description: null };
    const blanks = { title: blank, description: blank };
    const id = await ann.newShare({ content: '# A heading', language: 'markdown', ...blanks });
    expect(await labelsOf(id)).toEqual({ title: 'A heading', description: null });
    await ann.put(id, { content: 'No heading' });
    expect(await labelsOf(id)).toEqual(none);
    await ann.put(id, { title: 'A title', description: 'More' });
    expect(await labelsOf(id)).toEqual({ title: 'A title', description: 'More' });
    await ann.put(id, blanks);
    expect(await labelsOf(id)).toEqual(none);
  });

  it('are measured as stored, and kept if they are not sent', async () => {
    const title = 'x'.repeat(200);
    const id = await ann.newShare({ title: `  ${title}  ` });
    expect(await labelsOf(id)).toEqual({ title, description: null });
    await ann.put(id, { description: 'More' });
    expect(await labelsOf(id)).toEqual({ title, description: 'More' });
    expect((await ann.create({ title: `${title}x` })).body.error.details).toEqual([
      { field: 'title', message: 'must be at most 200 characters' },
    ]);
  });
});
