import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { createShell } from '../../support/cli/handbill.ts';
import { temporaryFolder } from '../../support/run/process.ts';
import { type FakeRequest, useFakeService } from './fake-service.ts';

const service = useFakeService();

type Files = Readonly<Record<string, string | Uint8Array>>;

const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** What reached the stub: what was stored by the path, and the bodies of requests by their lines. */
let stored = new Map<string, string>();
let bodies = new Map<string, unknown>();
let known: readonly string[] = [];
let missing: readonly object[] = [];

const upload = 'u7XgRGBLz1Nf5QNl3OeMeQ';
const id = 'f7XgRGBLz1Nf5QNl3OeMeQ';

const toForm = async ({ request, read }: FakeRequest): Promise<FormData> => {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(new Uint8Array(await read()), { headers }).formData();
};

const store = async (request: FakeRequest): Promise<void> => {
  const form = await toForm(request);
  const file = form.get('file') as File;
  stored.set(String(form.get('key')), sha256(new Uint8Array(await file.arrayBuffer())));
  request.response.writeHead(204).end();
};

const reserve = async ({ read, line, answer }: FakeRequest): Promise<void> => {
  const body = JSON.parse((await read()).toString());
  bodies.set(line, body);
  const forms = body.files
    .filter(({ path }: { path: string }) => !known.includes(path))
    .map(({ path }: { path: string }) => ({
      path,
      url: `${service.url}/storage`,
      fields: { key: path },
    }));
  answer(201, { id: upload, expiresAt: '2099-01-01T00:00:00.000Z', forms, known });
};

const shareOf = () => ({ id, url: `${service.url}/s/${id}`, audience: 'link', missing });

/** A service that takes uploads and shares. */
const serve = (request: FakeRequest): void => {
  const { line, read, answer, request: incoming } = request;
  if (line === 'POST /storage') void store(request);
  else if (line === 'POST /api/share/uploads') void reserve(request);
  else if (line.startsWith('GET /api/share'))
    answer(200, { ...shareOf(), version: 3, content: '' });
  else if (incoming.headers['content-type']?.startsWith('multipart/')) {
    void toForm(request).then((form) => {
      bodies.set(line, Object.fromEntries(form));
      answer(201, shareOf());
    });
  } else {
    void read().then((body) => {
      bodies.set(line, JSON.parse(body.toString() || '{}'));
      answer(200, shareOf());
    });
  }
};

beforeEach(() => {
  stored = new Map();
  bodies = new Map();
  known = [];
  missing = [];
  service.respond(serve);
});

const lines = (): string[] => service.received().map(({ line }) => line);

const prepare = async (files: Files) => {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const { run } = createShell(folder);
  const env = { HANDBILL_URL: service.url, HANDBILL_TOKEN: 'hb_token' };
  return { folder, run: (args: readonly string[], options = {}) => run(args, { env, ...options }) };
};

const site = { 'index.html': '<img src="img/a.png">', 'img/a.png': 'picture', 'b.css': 'b{}' };
const built = Object.fromEntries(
  Object.entries({ ...site, '.env': 'SECRET' }).map(([path, content]) => [`dist/${path}`, content]),
);
const storedSite = Object.entries(site).map(([path, content]) => [path, sha256(content)]);
const named = (files: Files) =>
  Object.entries(files).map(([path, content]) => ({ path, sha256: sha256(content) }));
const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);

const zip = async (files: Files): Promise<Uint8Array> => {
  const writer = new ZipWriter(new Uint8ArrayWriter());
  for (const [path, content] of Object.entries(files)) {
    await writer.add(path, new BlobReader(new Blob([content as string])));
  }
  return writer.close();
};

describe('handbill share', () => {
  it('uploads a folder and prints the address', async () => {
    const { run } = await prepare(built);
    const ran = await run(['share', './dist', '--title', 'Mill', '--views', '3']);
    expect(ran).toEqual({ code: 0, out: `${service.url}/s/${id}\n`, err: '' });
    expect([...stored].sort()).toEqual(storedSite.sort());
    expect(bodies.get('POST /api/share')).toEqual({
      ...{ upload, main: 'index.html', title: 'Mill', viewLimit: 3 },
      files: named(site).sort(byPath),
    });
  });

  it('unpacks a ZIP', async () => {
    const { run, folder } = await prepare({});
    const bytes = await zip(
      Object.fromEntries(Object.entries(site).map(([p, c]) => [`mill/${p}`, c])),
    );
    await writeFile(join(folder, 'site.zip'), bytes);
    expect((await run(['share', 'site.zip'])).code).toBe(0);
    expect([...stored].sort()).toEqual(storedSite.sort());
    expect(bodies.get('POST /api/share')).toMatchObject({ fileName: 'site', main: 'index.html' });
    await writeFile(join(folder, 'bad.zip'), bytes.subarray(0, 200));
    const { code, err } = await run(['share', 'bad.zip']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^bad\.zip: .+\n$/)]);
  });

  it('shares several files, of which one is no text, as files, and texts as code', async () => {
    const { run } = await prepare({ 'a.md': '![](img/b.png)', 'img/b.png': 'x', 'c.ts': 'let c' });
    expect((await run(['share', 'a.md', 'img', 'c.ts'])).code).toBe(0);
    expect(bodies.get('POST /api/share')).toMatchObject({ upload, main: 'a.md' });
    expect([...stored.keys()].sort()).toEqual(['a.md', 'c.ts', 'img/b.png']);
    expect((await run(['share', 'a.md', 'c.ts'])).code).toBe(0);
    expect(bodies.get('POST /api/share')).toMatchObject({
      language: 'markdown',
      title: 'a.md, c.ts',
    });
    expect((await run(['share', 'a.md', 'c.ts', '--main', 'a.md'])).code).toBe(0);
    expect(bodies.get('POST /api/share')).toMatchObject({ upload, main: 'a.md' });
  });

  it('sends a picture alone as a form', async () => {
    const { run } = await prepare({ 'photo.png': '\x89PNG\r\n' });
    expect((await run(['share', 'photo.png', '--views', '2', '--private'])).code).toBe(0);
    const form = bodies.get('POST /api/share') as { file: File };
    expect({ ...form, file: form.file.name }).toEqual({
      ...{ file: 'photo.png', viewLimit: '2', audience: 'private' },
    });
  });

  it('uploads HTML that no request takes', async () => {
    const html = `<p>${'"\n'.repeat(1024 * 1024)}`;
    const { run } = await prepare({ 'report.html': html });
    expect((await run(['share', 'report.html'])).code).toBe(0);
    expect([...stored]).toEqual([['report.html', sha256(html)]]);
    expect(bodies.get('POST /api/share')).toEqual({
      ...{ upload, main: 'report.html', fileName: 'report.html' },
      files: named({ 'report.html': html }),
    });
  });

  it('changes a share, and sends only what it doesn’t have', async () => {
    known = ['img/a.png', 'b.css'];
    const { run } = await prepare(built);
    const { code, out } = await run(['share', 'dist', '--update', `${service.url}/s/mill`]);
    expect([code, out]).toEqual([0, `${service.url}/s/${id}\n`]);
    expect([...stored.keys()]).toEqual(['index.html']);
    expect(bodies.get('POST /api/share/uploads')).toMatchObject({ share: id });
    expect(bodies.get(`PUT /api/share/${id}`)).toEqual({
      ...{ upload, main: 'index.html', files: named(site).sort(byPath) },
    });
  });

  it('tells what is missing, and what helps', async () => {
    const advice = "Build with relative paths, such as base: './' in Vite.";
    missing = [
      { path: 'img/c.png', from: 'index.html', line: 24 },
      { path: '/assets/a.js', from: 'b.js', line: 1, advice },
      { path: '/assets/b.js', from: 'b.js', line: 2, advice },
    ];
    const { run } = await prepare(built);
    expect(await run(['share', 'dist'])).toEqual({
      code: 0,
      out: `${service.url}/s/${id}\n`,
      err: `img/c.png is missing (index.html, line 24)\n/assets/a.js is missing (b.js, line 1)\n/assets/b.js is missing (b.js, line 2)\n${advice}\n`,
    });
  });

  it('sends nothing if anything is wrong', async () => {
    const { run } = await prepare({
      ...built,
      'dist/big.bin': new Uint8Array(4_194_305),
      'dist/IMG/A.png': 'x',
    });
    const { code, err } = await run(['share', 'dist']);
    expect([code, err.trim().split('\n').length]).toEqual([1, 2]);
    expect(lines()).toEqual([]);
  });
});

describe('handbill get --output', () => {
  const answerWith = (paths: readonly string[]) =>
    service.respond(({ line, answer, response }) => {
      if (line.startsWith('GET /files/'))
        return response.writeHead(line.endsWith('lost') ? 503 : 200).end('x');
      const files = paths.map((path) => ({ path, size: 1, sha256: sha256('x') }));
      const filesUrl = `${service.url}/files/`;
      return answer(200, { ...shareOf(), content: '<p>', main: 'index.html', files, filesUrl });
    });

  it.each([
    ['../evil.txt', /“\.\.\/evil\.txt” contains “\.” or “\.\.”/],
    ['/etc/evil.txt', /isn’t relative/],
    ['lost', /^The service refused lost \(503\)\.\n$/],
  ])('leaves nothing of a share with %s', async (path, message) => {
    const { folder, run } = await prepare({});
    answerWith(['index.html', 'a.txt', path]);
    const { code, err } = await run(['get', 'mill', '-o', 'copy']);
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
    expect(await readdir(folder, { recursive: true })).toEqual([]);
    expect(await readdir(dirname(folder))).not.toContain('evil.txt');
  });
});

describe('handbill get of a share that is its one file', () => {
  const bytes = '\x89PNG\r\n';

  beforeEach(() => {
    service.respond(({ line, answer, response }) => {
      if (line.startsWith('GET /files/')) return response.end(Buffer.from(bytes, 'latin1'));
      const file = { path: 'photo.png', size: 6, sha256: sha256(Buffer.from(bytes, 'latin1')) };
      const content = '![photo.png](photo.png)';
      const filesUrl = `${service.url}/files/`;
      return answer(200, { ...shareOf(), content, main: file.path, files: [file], filesUrl });
    });
  });

  it('saves the file', async () => {
    const { folder, run } = await prepare({});
    expect(await run(['get', 'mill', '-o', 'copy.png'])).toEqual({ code: 0, out: '', err: '' });
    expect(await readFile(join(folder, 'copy.png'), 'latin1')).toBe(bytes);
  });

  it('prints it', async () => {
    const { run } = await prepare({});
    const { code, out, err } = await run(['get', 'mill']);
    expect([code, out, err]).toEqual([0, Buffer.from(bytes, 'latin1').toString(), '']);
  });
});

describe('an upload by handbill', () => {
  it('sends a file again whose connection was lost or that the storage failed at', async () => {
    const { run } = await prepare({ 'dist/index.html': 'Hi' });
    service.respond((request) => {
      const { line, before, response, request: incoming } = request;
      if (line !== 'POST /storage' || before > 1) serve(request);
      else if (before === 0) incoming.once('data', () => incoming.destroy());
      else incoming.resume().on('end', () => response.writeHead(503).end());
    });
    expect(await run(['share', 'dist'])).toMatchObject({ code: 0, err: '' });
    expect(lines().filter((line) => line === 'POST /storage')).toHaveLength(3);
    expect(stored.size).toBe(1);
  });

  it('is deleted if the storage refuses a file', async () => {
    const { run } = await prepare(built);
    service.respond((request) => {
      if (request.line !== 'POST /storage') serve(request);
      else request.request.resume().on('end', () => request.response.writeHead(403).end());
    });
    const { code, err } = await run(['share', 'dist']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The storage refused \S+ \(403\)\.\n$/),
    ]);
    expect(lines().at(-1)).toBe(`DELETE /api/share/uploads/${upload}`);
    expect(lines()).not.toContain('POST /api/share');
  });

  it('is deleted if the share is refused', async () => {
    const { run } = await prepare(built);
    const error = { code: 'CONFLICT', message: 'The slug is taken.', details: [], requestId: 'r' };
    service.respond((request) => {
      if (request.line === 'POST /api/share') request.answer(409, { success: false, error });
      else serve(request);
    });
    expect(await run(['share', 'dist', '--slug', 'mill'])).toEqual({
      ...{ code: 1, out: '', err: 'The slug is taken.\n' },
    });
    expect(lines().at(-1)).toBe(`DELETE /api/share/uploads/${upload}`);
  });

  it.each(['POST /storage', 'POST /api/share/uploads'])(
    'is deleted at Ctrl-C during %s',
    async (at) => {
      const { run } = await prepare(built);
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      service.respond((request) => {
        if (request.line === at && (at === 'POST /storage' || request.before === 0)) resolve();
        else serve(request);
      });
      const during = async (child: { kill(signal: 'SIGINT'): void }) => {
        await reached;
        child.kill('SIGINT');
      };
      expect(await run(['share', 'dist'], { during })).toEqual({
        ...{ code: 130, out: '', err: 'Interrupted.\n' },
      });
      expect(lines().at(-1)).toBe(`DELETE /api/share/uploads/${upload}`);
      expect(lines()).not.toContain('POST /api/share');
    },
  );
});
