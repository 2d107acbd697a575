import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { call } from '../../support/service/call.ts';
import { runJobs, runMinute, useJobs } from '../../support/service/jobs.ts';
import { revisionsOf, sharesOf } from '../../support/shares/requests.ts';
import { page, raw, view } from '../../support/shares/shares.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useJobs();

const { person, root } = useNewPeople({ person: newPerson, root: 'super_admin' });
const ann = sharesOf(person);

const plan = '---\ntitle: "A  plan: *2027*"\n---\n\n# Other\n';
const planned = { title: 'A plan: *2027*', titleIsGiven: false };

const newShare = (content: string, more: object = {}) =>
  ann.newShare({ content, language: 'markdown', ...more });

const titleOf = async (id: string) => {
  const { title, titleIsGiven } = (await ann.look(id)).body;
  return { title, titleIsGiven };
};

describe('the title of Markdown that was given none', () => {
  it('is that of its front matter, wherever its share is named', async () => {
    const id = await newShare(plan, { notify: true });
    expect(await titleOf(id)).toEqual(planned);
    expect((await ann.list()).body.items[0]).toMatchObject(planned);
    expect((await ann.listBy({ status: 'active' })).body.items[0]).toMatchObject(planned);
    const managed = await call('GET /api/shares', { token: root.token });
    expect(managed.body.data.items[0]).toMatchObject(planned);
    expect((await view(id)).body).toMatchObject(planned);
    expect((await page(id)).body).toContain('<title>A plan: *2027*</title>');
    await runJobs();
    const { body } = await call('GET /api/notifications', { token: person.token });
    expect(body.data.items[0].content).toBe('“A plan: *2027*” was opened for the first time.');
  });

  it.each([
    ['its first heading', 'Text\n\n# A *heading* &amp; more\n\n# Another', 'A heading & more'],
    ['its first heading in HTML', '<h1 align="center">The\n<b>name</b></h1>', 'The name'],
    ['the description of an image in it', '# ![Logo](https://a.example/b.png)', 'Logo'],
    ['its heading beside front matter without one', '---\ntags: [a]\n---\n# Hi', 'Hi'],
    ['its heading after front matter in TOML', '+++\ntitle = "No"\n+++\n# Hi', 'Hi'],
    ['nothing of a deeper heading', '## Hi', null],
    ['nothing of a blank one', '---\ntitle: " "\n---\nHi', null],
  ])('is %s', async (_, content, title) => {
    expect(await titleOf(await newShare(content))).toEqual({ title, titleIsGiven: false });
  });

  it('follows each change of the content, also the restored one and another language', async () => {
    const id = await newShare(plan);
    await ann.put(id, { content: '# New' });
    expect(await titleOf(id)).toEqual({ title: 'New', titleIsGiven: false });
    await revisionsOf(person).restore(id, 1);
    expect(await titleOf(id)).toEqual(planned);
    await ann.put(id, { language: 'html' });
    expect(await titleOf(id)).toEqual({ title: null, titleIsGiven: false });
  });

  it('is kept from a change of another field, and when the record is sent back', async () => {
    const id = await newShare(plan);
    const { body } = await ann.put(id, { viewLimit: 3 });
    expect(body).toMatchObject(planned);
    const read = (await ann.look(id)).body;
    await ann.put(id, { ...read, content: '# New' });
    expect(await titleOf(id)).toEqual({ title: 'New', titleIsGiven: false });
  });

  it('gives way to a title that is sent, even the same, until that is removed', async () => {
    const id = await newShare('# Hi');
    await ann.put(id, { title: 'Hi', content: '# New' });
    expect(await titleOf(id)).toEqual({ title: 'Hi', titleIsGiven: true });
    await ann.put(id, { title: null });
    expect(await titleOf(id)).toEqual({ title: 'New', titleIsGiven: false });
  });

  it.each([
    ['a file’s name', '# Hi', { fileName: 'notes.md' }, 'notes', true],
    [
      'front matter rather than a file’s name',
      plan,
      { fileName: 'notes.md' },
      planned.title,
      false,
    ],
    ['what is given rather than either', plan, { fileName: 'a.md', title: 'Mine' }, 'Mine', true],
    ['a file’s name of HTML', '<h1>a</h1>', { fileName: 'a.html', language: 'html' }, 'a', true],
  ])('is %s', async (_, content, more, title, titleIsGiven) => {
    expect(await titleOf(await newShare(content, more))).toEqual({ title, titleIsGiven });
  });

  it('is content: not in the audit log, not before the password, and gone after the end', async () => {
    const id = await newShare('# Secret', { password: 'Abc123' });
    expect((await page(id)).body).not.toContain('Secret');
    expect((await raw(id)).status).not.toBe(200);
    await ann.put(id, { content: '# Secret 2' });
    expect(JSON.stringify(await entriesAbout(`share:${id}`))).not.toContain('Secret');
    await ann.end(id);
    pass(130_000);
    await runMinute();
    await runJobs();
    expect((await ann.list()).body.items[0]).toMatchObject({ id, title: null });
    expect(JSON.stringify(await itemsOf(`SHARE#${id}`))).not.toContain('Secret');
  });
});
