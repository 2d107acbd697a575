import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { runMinute, settleJobs, useJobs } from '../../../support/service/jobs.ts';
import {
  type Files,
  namesOf,
  objectsOf,
  sendFiles,
  site,
  uploaded,
  usageOf,
} from '../../../support/shares/files.ts';
import { revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { login, newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const dayMs = 86_400_000;
const { ann } = useNewPeople({ ann: newPerson });

const newSite = async (files: Files = site): Promise<string> =>
  (await sendFiles(ann.token, files)).body.id;

const put = (id: string, body: object) => sharesOf(ann).put(id, body);
const look = async (id: string) => (await sharesOf(ann).look(id)).body;
const pathsOf = async (id: string) =>
  (await look(id)).files?.map(({ path }: { path: string }) => path);
const bytesOf = (files: Files): number => namesOf(files).reduce((sum, { size }) => sum + size, 0);
const style = Buffer.byteLength('p { color: teal }');

describe('PUT /api/share/{id} of a share with files', () => {
  it('changes nothing when it gets what GET returned', async () => {
    const id = await newSite();
    const before = await look(id);
    const { status, body } = await put(id, before);
    expect([status, body.version]).toEqual([200, 1]);
    expect(await look(id)).toEqual({ ...before, filesUrl: expect.any(String) });
    expect((await put(id, { files: before.files, main: before.main })).body.version).toBe(1);
  });

  it('replaces the text of the main page, and keeps the files', async () => {
    const id = await newSite();
    expect((await put(id, { content: '<p>Other</p>' })).body.version).toBe(2);
    const { content, files } = await look(id);
    expect([content, files[0]]).toEqual([
      '<p>Other</p>',
      { ...namesOf({ 'index.html': '<p>Other</p>' })[0], type: 'text/html' },
    ]);
    expect(files.slice(1)).toMatchObject(namesOf(site).slice(1));
  });

  it('takes files away, renames them and takes them up again by their bytes', async () => {
    const id = await newSite();
    const [page, css, dot] = namesOf(site);
    await put(id, { files: [page, { ...dot, path: 'dot.png' }] });
    expect(await pathsOf(id)).toEqual(['index.html', 'dot.png']);
    expect(await usageOf(ann.id)).toMatchObject({ used: bytesOf(site) });
    await put(id, { files: [page, css, dot] });
    expect(await pathsOf(id)).toEqual(['index.html', 'style.css', 'img/dot.png']);
    expect(await objectsOf(id)).toHaveLength(2);
    expect(await usageOf(ann.id)).toMatchObject({ used: bytesOf(site) });
  });

  it('gets other files by an upload, of which it keeps what it has', async () => {
    const id = await newSite();
    const files = { ...site, 'style.css': 'p { color: navy }', 'extra.txt': 'More' };
    const started = await call('POST /api/share/uploads', {
      token: ann.token,
      body: { share: id, files: namesOf(files) },
    });
    expect(started.body.known).toEqual(['index.html', 'img/dot.png']);
    const { status, body } = await put(id, {
      upload: await uploaded(ann.token, files, { share: id }),
    });
    expect([status, body.version]).toEqual([200, 2]);
    expect(await pathsOf(id)).toEqual(Object.keys(files));
    expect(await usageOf(ann.id)).toMatchObject({
      used: bytesOf(files) + style + Buffer.byteLength('p { color: navy }') + 4,
      uploads: 1,
    });
  });

  it('keeps the picture that it was for its revision when it becomes a text', async () => {
    const dot = { 'dot.png': site['img/dot.png'] ?? '' };
    const id = await newSite(dot);
    const note = { 'note.txt': 'Lines' };
    const upload = await uploaded(ann.token, note, { share: id });
    expect((await put(id, { upload })).body.version).toBe(2);
    for (let days = 0; days < 3; days++) {
      pass(dayMs + 3_600_000);
      await runMinute();
      await settleJobs();
    }
    const { token } = (await login(ann.email)).body;
    const back = await revisionsOf({ token }).restore(id, 1);
    expect([back.status, back.body.version]).toEqual([200, 3]);
    expect((await sharesOf({ token }).look(id)).body.files).toMatchObject(namesOf(dot));
    expect(await objectsOf(id)).toHaveLength(1);
  });

  it('gets a page in another language by an upload', async () => {
    const id = await sharesOf(ann).newShare({ content: '# Hi', language: 'markdown' });
    const upload = await uploaded(ann.token, site, { share: id });
    expect((await put(id, { upload, language: 'html' })).status).toBe(200);
    expect(await look(id)).toMatchObject({
      content: site['index.html'],
      language: 'html',
      files: namesOf(site),
    });
    const files = { ...site, 'a.md': '# Back' };
    const other = await uploaded(ann.token, files, { share: id });
    expect((await put(id, { upload: other, language: 'markdown' })).status).toBe(200);
    expect(await look(id)).toMatchObject({ content: '# Back', language: 'markdown', main: 'a.md' });
  });

  it('removes all files', async () => {
    const id = await newSite();
    expect((await put(id, { files: null })).body.version).toBe(2);
    const shared = await look(id);
    expect([shared.content, shared.files, shared.main]).toEqual([
      site['index.html'],
      undefined,
      undefined,
    ]);
    expect(await usageOf(ann.id)).toMatchObject({ used: bytesOf(site) });
  });

  it('gets its first files', async () => {
    const id = await sharesOf(ann).newShare({ content: '<img src="dot.png">' });
    const upload = await uploaded(ann.token, { 'dot.png': 'No picture' }, { share: id });
    expect((await put(id, { upload })).body).toMatchObject({ version: 2 });
    expect(await pathsOf(id)).toEqual(['index.html', 'dot.png']);
    expect((await look(id)).content).toBe('<img src="dot.png">');
  });

  it('makes another file the page, and keeps the former one', async () => {
    const id = await newSite({ 'index.html': '<p>One</p>', 'two.html': '<p>Two</p>' });
    await put(id, { main: 'two.html' });
    expect(await look(id)).toMatchObject({
      content: '<p>Two</p>',
      main: 'two.html',
      files: namesOf({ 'index.html': '<p>One</p>', 'two.html': '<p>Two</p>' }),
    });
    expect(await objectsOf(id)).toHaveLength(2);
  });

  it.each([
    [{ files: [{ path: 'a.txt', sha256: 'b'.repeat(64) }] }, 'files'],
    [{ main: 'style.css' }, 'main'],
    [{ main: 'other.html' }, 'main'],
    [{ upload: 'unknown' }, 'upload'],
    [{ files: [{ path: '../a.txt', sha256: namesOf(site)[1]?.sha256 }] }, 'files'],
  ])('refuses %j', async (body, field) => {
    const id = await newSite();
    const response = await put(id, body);
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
    expect((await look(id)).version).toBe(1);
  });
});

describe('revisions of a share with files', () => {
  it('keep the list, and bring the files back', async () => {
    const id = await newSite();
    await put(id, { files: null, content: '<p>Plain</p>' });
    const { revision, restore } = revisionsOf(ann);
    const former = (await revision(id, 1)).body;
    expect([former.content, former.main, former.files.length]).toEqual([
      site['index.html'],
      'index.html',
      3,
    ]);
    expect((await restore(id, 1)).body.version).toBe(3);
    expect(await look(id)).toMatchObject({ content: site['index.html'], files: namesOf(site) });
    expect((await restore(id, 2)).body.version).toBe(4);
    expect(await look(id)).toMatchObject({ content: '<p>Plain</p>' });
    expect(await pathsOf(id)).toBe(undefined);
    expect(await objectsOf(id)).toHaveLength(2);
  });

  it('keep their files for 30 days', async () => {
    const id = await newSite();
    await put(id, { files: null });
    pass(30 * dayMs - 2 * 3_600_000);
    await runMinute();
    expect(await objectsOf(id)).toHaveLength(2);
    pass(3 * 3_600_000);
    await runMinute();
    expect(await objectsOf(id)).toEqual([]);
    expect(await usageOf(ann.id)).toMatchObject({ used: 0 });
    const { token } = (await login(ann.email)).body;
    expect((await sharesOf({ token }).look(id)).body).toMatchObject({
      content: site['index.html'],
    });
  });
});

describe('the files of a share that goes', () => {
  it('are deleted with it', async () => {
    const id = await newSite();
    await sharesOf(ann).remove(id);
    expect(await usageOf(ann.id)).toMatchObject({ used: 0 });
    await settleJobs();
    expect(await objectsOf(id)).toEqual([]);
  });

  it('are deleted two minutes after it was stopped', async () => {
    const id = await newSite();
    await sharesOf(ann).end(id);
    pass(121_000);
    await runMinute();
    await settleJobs();
    expect(await objectsOf(id)).toEqual([]);
    expect(await usageOf(ann.id)).toMatchObject({ used: 0 });
  });

  it('are deleted 16 minutes after its last view', async () => {
    const { body } = await sendFiles(ann.token, site, { viewLimit: '1' });
    await call('GET /api/share', { query: { id: body.id } });
    pass(15 * 60_000);
    await runMinute();
    await settleJobs();
    expect(await objectsOf(body.id)).toHaveLength(2);
    pass(60_000);
    await runMinute();
    await settleJobs();
    expect(await objectsOf(body.id)).toEqual([]);
    expect(await usageOf(ann.id)).toMatchObject({ used: 0 });
  });
});
