import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unzip } from '../../../shared/share-files/unzip.ts';
import { ZipProblem } from '../../../shared/share-files/zip-problem.ts';
import { hostileArchives } from '../../support/archives/hostile.ts';
import { createZip, extraField, pack, zipFiles } from '../../support/archives/zip.ts';

const decoder = new TextDecoder();

const readAll = async (archive: Uint8Array | Blob): Promise<Record<string, string>> => {
  const files: Record<string, string> = {};
  await unzip(archive, ({ path, bytes }) => {
    files[path] = decoder.decode(bytes);
  });
  return files;
};

const findProblem = (archive: Uint8Array): Promise<unknown> =>
  unzip(archive, () => {}).catch((error: unknown) => error);

describe('unzip', () => {
  it('leaves out files with problems where these are taken, and unpacks the rest', async () => {
    const archive = zipFiles({ 'a.txt': 'a', '../b.txt': 'b', 'c.bin': randomBytes(4_300_000) });
    const unpacked: string[] = [];
    const problems: string[] = [];
    await unzip(
      archive,
      ({ path }) => void unpacked.push(path),
      undefined,
      ({ path }) => problems.push(path),
    );
    expect(unpacked).toEqual(['a.txt']);
    expect(problems.sort()).toEqual(['../b.txt', 'c.bin']);
  });

  it('returns the files in their order, without the folder they are in and what systems add', async () => {
    const archive = zipFiles({
      'site/index.html': '<h1>Hi</h1>',
      'site/img/ä b.svg': '<svg/>',
      '__MACOSX/site/._index.html': 'x',
      'site/.DS_Store': 'x',
      'site/empty.txt': '',
    });
    const found: unknown[] = [];
    await unzip(archive, ({ path, bytes, index, count }) => {
      found.push([path, decoder.decode(bytes), index, count]);
    });
    expect(found).toEqual([
      ['index.html', '<h1>Hi</h1>', 0, 3],
      ['img/ä b.svg', '<svg/>', 1, 3],
      ['empty.txt', '', 2, 3],
    ]);
    expect(await readAll(new Blob([new Uint8Array(archive)]))).toMatchObject({
      'index.html': '<h1>Hi</h1>',
    });
  });

  it('reads all that usual programs write', async () => {
    const content = 'a'.repeat(300);
    const zip64 = extraField(1, pack([8, content.length], [8, deflateRawSync(content).length]));
    const archive = createZip(
      [
        { name: 'folder/', method: 0, mode: 0o040755 },
        { name: 'stored', content, method: 0 },
        { name: 'streamed', content, descriptor: {} },
        { name: 'run.sh', content, mode: 0o100755 },
        { name: 'dos', content, mode: 0 },
        { name: Buffer.from('caf\x82.txt', 'latin1'), content },
        { name: Buffer.from('utf\u2014'), content },
        { name: 'a\ufffdb.txt', content },
        { name: 'zip64', content, size: 0xffffffff, compressed: 0xffffffff, extra: zip64 },
        { name: 'book.epub', content: zipFiles({ a: 'a' }) },
      ],
      { comment: Buffer.from('A comment.'), zip64: {} },
    );
    const names = [
      'stored',
      'streamed',
      'run.sh',
      'dos',
      'café.txt',
      'utf—',
      'a\ufffdb.txt',
      'zip64',
    ];
    expect(await readAll(archive)).toEqual({
      ...Object.fromEntries(names.map((name) => [name, content])),
      'book.epub': expect.stringMatching(/^PK/),
    });
  });

  it.each(hostileArchives)('refuses %s: %s', async (_, code, create) => {
    const archive = create();
    const problem = await findProblem(archive);
    expect(problem).toBeInstanceOf(ZipProblem);
    expect(problem).toMatchObject({
      code,
      message: expect.stringMatching(/^[“A-Z].+\. [A-Z].+\.$/),
    });
  });

  it('takes any change of bytes for a problem of the archive, if it isn’t harmless', async () => {
    const archives = [
      zipFiles({ 'a/index.html': '<p>'.repeat(50), 'a/b.css': 'x{}' }),
      createZip([{ name: 'a', content: 'hello', descriptor: {} }], { zip64: {} }),
    ];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...archives), changes, async (archive, bytes) => {
        const changed = Buffer.from(archive);
        for (const [at, byte] of bytes) changed[at % changed.length] = byte;
        const problem = await findProblem(changed);
        if (problem !== undefined) expect(problem).toBeInstanceOf(ZipProblem);
      }),
    );
  });

  it('names each path that is invalid, and the sizes', async () => {
    expect(await findProblem(zipFiles({ '../a': 'a', 'b\\c': 'b', d: 'd' }))).toMatchObject({
      message: '“../a” contains “.” or “..”. Write the path without it.',
      isTooLarge: false,
      details: [{ path: '../a' }, { path: 'b\\c' }],
    });
    expect(
      await findProblem(createZip([{ name: 'a', content: '', size: 5 * 1024 * 1024 }])),
    ).toMatchObject({ message: '“a” has 5 MB. A file can have 4 MB.', isTooLarge: true });
  });

  it('passes on errors of the caller and stops when it is told', async () => {
    const archive = zipFiles({ a: 'a', b: 'b' });
    const full = new Error('full');
    await expect(
      unzip(archive, () => {
        throw full;
      }),
    ).rejects.toBe(full);
    const stop = new AbortController();
    const seen: string[] = [];
    const stopped = unzip(
      archive,
      ({ path }) => {
        seen.push(path);
        stop.abort();
      },
      stop.signal,
    );
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual(['a']);
  });
});
