import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostileArchives } from '../../../support/archives/hostile.ts';
import { zipFiles } from '../../../support/archives/zip.ts';
import { png } from '../../../support/files/files.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { type Answer, call } from '../../../support/service/call.ts';
import {
  deleteAllObjects,
  type Files,
  namesOf,
  objectsOf,
  sendFiles,
  site,
  usageOf,
} from '../../../support/shares/files.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { createApiToken } from '../../../support/users/account.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();

const { ann } = useNewPeople({ ann: newPerson });

afterEach(async () => {
  vi.unstubAllEnvs();
  await deleteAllObjects();
});

const bytesOf = (files: Files): number => namesOf(files).reduce((sum, { size }) => sum + size, 0);
const look = async (id: string) => (await sharesOf(ann).look(id)).body;
const refusal = ({ status, body }: Answer) => [status, body.error?.details[0]?.message];

const sendZip = (bytes: Uint8Array, query: Readonly<Record<string, string>> = {}) =>
  call('POST /api/share', {
    token: ann.token,
    headers: { 'content-type': 'application/zip' },
    body: bytes,
    query,
  });

describe('POST /api/share with several files', () => {
  it('stores them, the page as content and the others as objects', async () => {
    const { status, body } = await sendFiles(ann.token, site);
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: body.id, language: 'html', message: 'Shared', audience: 'link' },
        url: `https://handbill.test/s/${body.id}`,
      },
    ]);
    const [page, style, dot] = namesOf(site);
    const opened = await call('GET /api/share', { query: { id: body.id } });
    expect(opened.body).toMatchObject({
      content: site['index.html'],
      main: 'index.html',
      files: [
        { ...page, type: 'text/html' },
        { ...style, type: 'text/css' },
        { ...dot, type: 'image/png' },
      ],
    });
    expect(await objectsOf(body.id)).toHaveLength(2);
    expect((await look(body.id)).files).toEqual(opened.body.files);
    expect(await usageOf(ann.id)).toEqual({ used: bytesOf(site), uploads: 0 });
  });

  it('stores the same bytes once', async () => {
    const { body } = await sendFiles(ann.token, { ...site, 'a.css': 'p {}', 'b.css': 'p {}' });
    expect(await objectsOf(body.id)).toHaveLength(3);
  });

  it('takes content as the text of the page, and options', async () => {
    const fields = { content: '# Hi', language: 'markdown', title: 'A site', viewLimit: '3' };
    const { body } = await sendFiles(ann.token, { 'a.txt': 'Hi', 'b.txt': 'Ho' }, fields);
    expect(await look(body.id)).toMatchObject({
      ...{ content: '# Hi', language: 'markdown', title: 'A site', viewLimit: 3 },
      main: 'index.md',
      files: [{ path: 'index.md' }, { path: 'a.txt' }, { path: 'b.txt' }],
    });
  });

  it('makes references to the root relative, and lists what is missing', async () => {
    const { body } = await sendFiles(ann.token, {
      'index.html': '<link rel="stylesheet" href="/css/a.css">\n<img src="no.png">',
      'css/a.css': 'p { background: url(/img/dot.png) }',
      'img/dot.png': 'No picture',
    });
    expect(body.missing).toEqual([{ path: 'no.png', from: 'index.html', line: 2 }]);
    const { content, files } = await look(body.id);
    expect(content).toContain('href="./css/a.css"');
    expect(files[1]).toMatchObject(
      namesOf({ 'css/a.css': 'p { background: url(../img/dot.png) }' })[0] ?? {},
    );
  });

  it('reads texts in other encodings, and stores them in UTF-8', async () => {
    const { body } = await sendFiles(ann.token, {
      'index.html': Buffer.from('<p>Gr\xfc\xdfe</p>', 'latin1'),
      'a.css': 'p {}',
    });
    expect(body.readAs).toBe('Windows-1252');
    expect((await look(body.id)).content).toBe('<p>Grüße</p>');
  });

  it.each([
    [{ 'b.html': 'B', 'a.html': 'A' }, {}, 'a.html'],
    [{ 'docs/index.html': 'D', 'about.md': 'A' }, {}, 'about.md'],
    [{ 'site/index.html': 'I', 'site/a.css': 'p {}' }, {}, 'index.html'],
    [{ 'index.html': 'I', 'two.html': 'T' }, { main: 'two.html' }, 'two.html'],
  ])('chooses the page of %j with %j', async (files, fields, main) => {
    const { body } = await sendFiles(ann.token, files as unknown as Files, fields);
    expect((await look(body.id)).main).toBe(main);
  });

  it('shows a picture by itself', async () => {
    const { body } = await sendFiles(ann.token, { 'dot (1).png': png });
    expect(await look(body.id)).toMatchObject({
      ...{ language: 'markdown', content: '![dot (1).png](dot%20%281%29.png)' },
      ...{ title: 'dot (1).png', main: 'dot (1).png', files: [{ type: 'image/png' }] },
    });
    expect(await objectsOf(body.id)).toHaveLength(1);
  });

  it.each(['report.docx', 'app.wasm', 'data'])('takes %s as a download', async (name) => {
    const { body } = await sendFiles(ann.token, {
      [name]: Buffer.from([0x50, 0x4b, 3, 4, 0, 255]),
    });
    expect(await look(body.id)).toMatchObject({ main: name, files: [{ path: name, size: 6 }] });
  });

  it('leaves one text what it was: lines, with nothing in the bucket', async () => {
    const { body } = await sendFiles(ann.token, { 'src/app.ts': 'let a;' });
    const { content, files, title } = await look(body.id);
    expect([content, files, title]).toEqual([
      '```ts title="app.ts" noeol\nlet a;\n```\n',
      undefined,
      'app.ts',
    ]);
    expect(await objectsOf()).toEqual([]);
  });

  it.each([
    [
      { 'index.html': 'A', '../b.txt': 'B' },
      /^“..\/b.txt” contains “.” or “..”. Write the path without it.$/,
    ],
    [{ 'index.html': 'A', 'a\\b.txt': 'B' }, 'contains a backslash'],
    [{ 'index.html': 'A', 'INDEX.html': 'B' }, 'can’t both exist'],
    [{ 'index.html': 'A', 'index.html/b.txt': 'B' }, 'both a file and a folder'],
    [{ 'a.txt': 'A', 'b.txt': 'B' }, 'must have an HTML or Markdown file'],
    [{ 'index.html': Buffer.from([0, 1, 2]), 'a.txt': 'A' }, 'main page that is no text'],
  ])('refuses %j', async (files, message) => {
    const response = await sendFiles(ann.token, files as unknown as Files);
    expect(refusal(response)).toEqual([400, expect.stringMatching(message)]);
    expect(await objectsOf()).toEqual([]);
    expect(await usageOf(ann.id)).toEqual({ used: 0, uploads: 0 });
  });

  it('leaves nothing in the bucket of a share that is refused at the end', async () => {
    const taken = await sendFiles(ann.token, site, { slug: 'a-site' });
    const kept = await objectsOf();
    expect((await sendFiles(ann.token, site, { slug: 'a-site' })).status).toBe(409);
    vi.stubEnv('FILES_QUOTA', '1KB');
    const large = { ...site, 'a.bin': Buffer.alloc(1_000) };
    const full = await sendFiles(ann.token, large);
    expect([full.status, full.body.error.details[0].field]).toEqual([413, 'files']);
    expect(await objectsOf()).toEqual(kept);
    expect(taken.status).toBe(201);
  });

  it('refuses more than a request takes, and says how to send more', async () => {
    const response = await sendFiles(ann.token, {
      'index.html': 'A',
      'a.bin': Buffer.alloc(4 * 1024 ** 2),
    });
    expect([response.status, response.body.error.message]).toEqual([
      413,
      'A request can have 4 MB of files. Send more by POST /api/share/uploads.',
    ]);
  });

  it('creates one share for a repeated request', async () => {
    const headers = { 'idempotency-key': 'site-1' };
    const [first, second] = [
      await sendFiles(ann.token, site, {}, headers),
      await sendFiles(ann.token, site, {}, headers),
    ];
    expect([second?.status, second?.body]).toEqual([201, first?.body]);
    const other = await sendFiles(ann.token, { ...site, 'a.txt': 'A' }, {}, headers);
    expect(other.status).toBe(422);
    expect(await objectsOf()).toHaveLength(2);
  });

  it('stays below the ceiling of an API token', async () => {
    const { body } = await createApiToken(ann.token, {
      permissions: ['shares:create'],
      ceiling: { maxViews: 2 },
    });
    expect((await sendFiles(body.data.token, site, { viewLimit: '3' })).status).toBe(403);
    const { id } = (await sendFiles(body.data.token, site)).body;
    expect((await look(id)).viewLimit).toBe(2);
  });
});

describe('POST /api/share with a ZIP archive', () => {
  it('unpacks it, as a body and as the part of a form', async () => {
    const zip = zipFiles({
      'site/index.html': '<p>Hi</p>',
      'site/a.css': 'p {}',
      '.DS_Store': 'x',
    });
    const bare = await sendZip(zip, { title: 'From a body', main: 'index.html' });
    const part = await sendFiles(ann.token, { 'My site.zip': zip });
    for (const [{ body }, title] of [
      [bare, 'From a body'],
      [part, 'My site'],
    ] as const) {
      expect(await look(body.id)).toMatchObject({
        ...{ title, content: '<p>Hi</p>', main: 'index.html' },
        files: [{ path: 'index.html' }, { path: 'a.css' }],
      });
    }
  });

  it.each(hostileArchives)('refuses %s (%s), and leaves nothing', async (_, _code, create) => {
    const response = await sendZip(create());
    expect([400, 413]).toContain(response.status);
    expect(response.body.error.details).toHaveLength(1);
    expect(await objectsOf()).toEqual([]);
    expect(await usageOf(ann.id)).toEqual({ used: 0, uploads: 0 });
  });
});
