import { describe, expect, it } from 'vitest';
import { section } from '../../../../functions/api/share/archive.ts';
import { readSection } from '../../../support/exports/archive.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { filesOf, linksOf, sharesOf } from '../../../support/shares/requests.ts';
import { addFiles } from '../../../support/shares/with-files.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf } from '../../../support/users/test-users.ts';

useTable();
useBucket();
useJobs();
useVirtualTime('2026-11-21T12:00:00Z');

const newSharer = (name = 'Ann') => newUserOf('user', { name });

describe('the shares of an archive', () => {
  it('have their source, options and people, and no secret', async () => {
    const [ann, bob] = [await newSharer(), await newSharer('Bob')];
    const { newShare } = sharesOf(ann);
    const source = '# Hi\r\n\u2028Ä';
    const id = await newShare({ content: source, language: 'markdown', slug: 'hello' });
    pass(1);
    const secret = await newShare({
      ...{ content: '<p>Secret</p>', password: 'abc123', viewLimit: 3, title: 'For Bob' },
      ...{ audience: 'people', readers: [bob.id], expiresIn: 86_400 },
    });
    pass(1);
    await sharesOf(bob).newShare();
    const archive = await readSection(section, ann);
    expect(archive.paths).toEqual([
      ...['shares/hello/content.md', 'shares/hello/share.json'],
      ...[`shares/${secret}/content.html`, `shares/${secret}/share.json`],
    ]);
    expect(archive.text('shares/hello/content.md')).toBe(source);
    expect(archive.json('shares/hello/share.json')).toMatchObject({
      ...{ id, slug: 'hello', language: 'markdown', title: 'Hi', titleIsGiven: false },
      ...{ audience: 'link', protected: false, content: 'content.md', revisions: [] },
    });
    expect(archive.json(`shares/${secret}/share.json`)).toMatchObject({
      ...{ title: 'For Bob', titleIsGiven: true, viewLimit: 3, protected: true },
      ...{ audience: 'people', readers: [bob.id], readerList: [{ id: bob.id, name: 'Bob' }] },
      expiresAt: '2026-11-22T12:00:00.001Z',
    });
    expect(archive.text(`shares/${secret}/share.json`)).not.toMatch(/abc123|hash|\$2/);
  });

  it('don’t have the links of recipients', async () => {
    const ann = await newSharer();
    const id = await sharesOf(ann).newShare({ content: '<p>Hi</p>' });
    const { body } = await linksOf(ann).addLink(id, { label: 'Mei Lin' });
    const archive = await readSection(section, ann);
    expect(archive.text(`shares/${id}/share.json`)).not.toMatch(/Mei Lin/);
    expect(archive.text(`shares/${id}/share.json`)).not.toContain(body.id ?? body.data?.id);
  });

  it('have their files, also those that only revisions have', async () => {
    const ann = await newSharer();
    const { newShare, put } = sharesOf(ann);
    const page = '<link rel="stylesheet" href="css/a.css"><p>Old</p>';
    const id = await newShare({ content: page });
    const css = 'p { color: red }';
    const picture = Buffer.from([0, 1, 255]);
    await addFiles(id, { 'css/a.css': css, 'img/a.png': picture }, { text: page });
    pass(1);
    const { put: putFile } = filesOf(ann);
    expect((await putFile(id, 'css/a.css', { content: 'p { color: blue }' })).status).toBe(200);
    pass(1);
    const next = page.replace('Old', 'New');
    expect((await put(id, { content: next })).status).toBe(200);
    const archive = await readSection(section, ann);
    const folder = `shares/${id}`;
    const shown = archive.json(`${folder}/share.json`);
    expect(shown).toMatchObject({ content: null, main: 'index.html' });
    const paths = shown.files.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual(['css/a.css', 'img/a.png', 'index.html']);
    expect(archive.text(`${folder}/files/index.html`)).toBe(next);
    expect(archive.text(`${folder}/files/css/a.css`)).toBe('p { color: blue }');
    expect(archive.bytes(`${folder}/files/img/a.png`)).toEqual(picture);
    expect(archive.compressed).toEqual([`${folder}/files/img/a.png`]);
    const [newest, oldest] = shown.revisions;
    expect(archive.text(`${folder}/revisions/${newest.version}.html`)).toBe(page);
    const old = oldest.files.find(({ path }: { path: string }) => path === 'css/a.css');
    expect(archive.text(`${folder}/revisions/files/${old.sha256}.css`)).toBe(css);
  });

  it('are texts again once they have no more files', async () => {
    const ann = await newSharer();
    const { newShare, put } = sharesOf(ann);
    const id = await newShare({ content: '<img src="a.png">' });
    await addFiles(id, { 'a.png': Buffer.from([1]) }, { text: '<img src="a.png">' });
    pass(1);
    expect((await put(id, { content: '<p>Alone</p>', files: null })).status).toBe(200);
    const archive = await readSection(section, ann);
    expect(archive.text(`shares/${id}/content.html`)).toBe('<p>Alone</p>');
    expect(archive.json(`shares/${id}/share.json`)).toMatchObject({ content: 'content.html' });
    expect(archive.json(`shares/${id}/share.json`).files).toBeUndefined();
  });

  it('that have ended are there without their content', async () => {
    const ann = await newSharer();
    const { newShare, end } = sharesOf(ann);
    const id = await newShare({ content: '<p>Over</p>' });
    await end(id);
    const archive = await readSection(section, ann);
    expect(archive.json(`shares/${id}/share.json`)).toMatchObject({
      ...{ status: 'ended', endedBy: 'owner' },
    });
    expect(archive.leftOut).toEqual([]);
  });

  it('include large sources', async () => {
    const ann = await newSharer();
    const source = `<p>${Array.from({ length: 40_000 }, (_, at) => (at * 7919 ** 2).toString(36))}</p>`;
    const id = await sharesOf(ann).newShare({ content: source });
    const archive = await readSection(section, ann);
    expect(archive.text(`shares/${id}/content.html`)).toBe(source);
  });
});
