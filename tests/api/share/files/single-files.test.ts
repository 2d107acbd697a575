import { describe, expect, it } from 'vitest';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import {
  type Files,
  namesOf,
  objectsOf,
  sendFiles,
  site,
  usageOf,
} from '../../../support/shares/files.ts';
import { filesOf, revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann, bob } = useNewPeople({ ann: newPerson, bob: newPerson });

/** The rate limit for new content is full again after it. */
const limitMs = 10 * 60_000;

const newSite = async (files: Files = site): Promise<string> => {
  pass(limitMs);
  return (await sendFiles(ann.token, files)).body.id;
};
const newText = (body: object = {}): Promise<string> => {
  pass(limitMs);
  return sharesOf(ann).newShare(body);
};
const put = (id: string, path: string, body: object, headers: Record<string, string> = {}) =>
  filesOf(ann).put(id, path, body, headers);
const list = async (id: string) => (await filesOf(ann).list(id)).body;
const pathsOf = async (id: string): Promise<string[]> =>
  (await list(id)).files.map(({ path }: { path: string }) => path);
const look = async (id: string) => (await sharesOf(ann).look(id)).body;

describe('GET /api/share/{id}/files', () => {
  it('lists the files, with the version', async () => {
    const id = await newSite();
    const { status, body, headers } = await filesOf(ann).list(id);
    expect([status, headers['etag']?.startsWith('"1-')]).toEqual([200, true]);
    expect(body).toMatchObject({ id, version: 1, main: 'index.html', files: namesOf(site) });
  });

  it('lists the page of a share that is a text alone', async () => {
    const id = await newText({ content: '# Hi', language: 'markdown' });
    const [page] = namesOf({ 'index.md': '# Hi' });
    expect(await list(id)).toEqual({
      ...{ id, version: 1, main: 'index.md' },
      files: [{ ...page, type: 'text/plain' }],
    });
  });

  it('finds no share of another user', async () => {
    const id = await newSite();
    expect((await filesOf(bob).list(id)).status).toBe(404);
    expect((await filesOf(bob).put(id, 'a.css', { content: 'p {}' })).status).toBe(404);
    expect((await filesOf(ann).list('none')).status).toBe(404);
  });
});

describe('PUT /api/share/{id}/files/{path+}', () => {
  it('adds a file and keeps the others', async () => {
    const id = await newSite();
    const { status, body, headers } = await put(id, 'js/app.js', { content: 'let a;' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers['etag']).toMatch(/^"2-/);
    const bytes = namesOf({ ...site, 'js/app.js': 'let a;' }).reduce((sum, f) => sum + f.size, 0);
    expect(body).toMatchObject({ id, version: 2, path: 'js/app.js', message: 'Saved' });
    expect(body.fileTotals).toEqual({ count: 4, bytes });
    expect(await pathsOf(id)).toEqual(['index.html', 'style.css', 'img/dot.png', 'js/app.js']);
    expect(await usageOf(ann.id)).toMatchObject({ used: bytes });
    await sharesOf(ann).remove(id);
  });

  it('replaces a file, takes bytes in Base64, and keeps a revision', async () => {
    const id = await newSite();
    const bytes = Buffer.from('89504e470d0a1a0a0001', 'hex');
    const { body } = await put(id, 'img/dot.png', { base64: `${bytes.toString('base64')}\n` });
    expect([body.version, body.fileTotals.count]).toEqual([2, 3]);
    const dot = (await list(id)).files.find(({ path }: { path: string }) => path === 'img/dot.png');
    expect(dot).toMatchObject({ ...namesOf({ 'img/dot.png': bytes })[0], type: 'image/png' });
    expect((await revisionsOf(ann).revisions(id)).body.items).toHaveLength(1);
  });

  // Such a text once took hours: the test ends by its time limit then.
  it('refuses Base64 that is full of padding', async () => {
    const id = await newSite();
    const base64 = `${'='.repeat(2_000_000)}A`;
    expect(await put(id, 'a.css', { base64 })).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'base64', message: 'must be Base64' }] } },
    });
  });

  it('replaces the text of the page by its path', async () => {
    const id = await newSite();
    const { body } = await put(id, 'index.html', { content: '<img src="none.png">' });
    expect(body.missing).toEqual([{ path: 'none.png', from: 'index.html', line: 1 }]);
    expect((await look(id)).content).toBe('<img src="none.png">');
    expect((await look(id)).main).toBe('index.html');
  });

  it.each([
    ['html', '<p>Hi</p>', 'index.html'],
    ['markdown', '# Hi', 'index.md'],
  ])('makes the text of a share in %s its page', async (language, content, main) => {
    const id = await newText({ content, language });
    expect((await put(id, 'a/index.html', { content: '<p>Other</p>' })).status).toBe(200);
    expect((await put(id, 'readme.md', { content: 'Other' })).status).toBe(200);
    const shown = await look(id);
    expect([shown.main, shown.content, shown.language]).toEqual([main, content, language]);
    expect(await pathsOf(id)).toEqual([main, 'a/index.html', 'readme.md']);
  });

  it('keeps the page of Markdown beside a file that would be a page before it', async () => {
    const id = await newText({ content: '# Hi', language: 'markdown' });
    expect((await put(id, 'index.html', { content: '<p>Other</p>' })).status).toBe(200);
    expect((await look(id)).main).toBe('index.md');
    expect((await sharesOf(ann).put(id, { main: 'index.html' })).status).toBe(200);
    expect(await look(id)).toMatchObject({ main: 'index.html', content: '<p>Other</p>' });
  });

  it('replaces the page of a share that is a text alone, without making it files', async () => {
    const id = await newText();
    expect((await put(id, 'index.html', { content: '<p>New</p>' })).body.version).toBe(2);
    expect(await look(id)).toMatchObject({ content: '<p>New</p>' });
    expect((await look(id)).files).toBeUndefined();
  });

  it('changes nothing with the same bytes', async () => {
    const id = await newSite();
    const { body } = await put(id, 'style.css', { content: 'p { color: teal }' });
    expect(body.version).toBe(1);
    expect(await objectsOf(id)).toHaveLength(2);
  });

  it('needs the version of If-Match', async () => {
    const id = await newSite();
    const body = { content: 'p { color: navy }' };
    expect((await put(id, 'style.css', body, { 'if-match': '"1"' })).status).toBe(200);
    expect((await put(id, 'a.css', body, { 'if-match': '"1"' })).status).toBe(412);
    expect(await pathsOf(id)).not.toContain('a.css');
  });

  it('keeps files that are put at the same time', async () => {
    const id = await newSite();
    const answers = await Promise.all(
      ['a.css', 'b.css', 'c.css'].map((path) => put(id, path, { content: `/* ${path} */` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await pathsOf(id)).toEqual(expect.arrayContaining(['a.css', 'b.css', 'c.css']));
  });

  it.each([
    '../secret.html',
    'a/../../secret.html',
    './a.css',
    '/a.css',
    'a//b.css',
    'a\\b.css',
    'c:/a.css',
    'a\u0000.css',
    'STYLE.css',
    'style.css/a.css',
    'e\u0301.css',
    '',
    'a'.repeat(201),
  ])('refuses the path %j and says why', async (path) => {
    const id = await newSite();
    const { status, body } = await put(id, path, { content: 'p {}' });
    expect([status, body.error.code], JSON.stringify(body)).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details[0].message).not.toBe('');
    expect((await look(id)).version).toBe(1);
  });

  it.each([
    [{}, 'content'],
    [{ content: 'a', base64: 'YQ==' }, 'content'],
    [{ content: '\uD800' }, 'content'],
    [{ base64: 'not base64!' }, 'base64'],
    [{ base64: 7 }, 'base64'],
  ])('refuses the body %j', async (body, field) => {
    const id = await newSite();
    const answer = await put(id, 'a.css', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('refuses a file of more than 4 MB, and one of a share that has ended', async () => {
    const id = await newSite();
    const { status, body } = await put(id, 'a.txt', { content: 'a'.repeat(4 * 1024 * 1024 + 1) });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await sharesOf(ann).end(id);
    expect((await put(id, 'a.txt', { content: 'a' })).status).toBe(410);
  });

  it('counts as new content for the rate limit', async () => {
    const id = await newSite();
    const { headers } = await put(id, 'a.txt', { content: 'a' });
    expect(headers['ratelimit-policy']).toEqual(expect.stringMatching(/^"share";q=\d+;w=600$/));
  });
});
